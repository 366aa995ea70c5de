package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
)

// service is a service, as far as a test runs it.
type service struct {
	Command, Health []string
	Environment     map[string]*string
	Secrets, Mounts []string
}

// services writes the services of a folder's compose.yaml by their names.
func services(dir string) error {
	file := filepath.Join(dir, "compose.yaml")
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	p, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
		WorkingDir: dir, ConfigFiles: []types.ConfigFile{{Filename: file, Content: text}},
	})
	if err != nil {
		return err
	}
	all := map[string]service{}
	for name, s := range p.Services {
		one := service{Command: s.Command, Environment: s.Environment}
		if s.HealthCheck != nil && !s.HealthCheck.Disable {
			one.Health = s.HealthCheck.Test
		}
		for _, secret := range s.Secrets {
			one.Secrets = append(one.Secrets, secret.Source)
		}
		for _, v := range s.Volumes {
			if v.Type == types.VolumeTypeBind {
				one.Mounts = append(one.Mounts, v.Source)
			}
		}
		all[name] = one
	}
	return json.NewEncoder(os.Stdout).Encode(all)
}
