// Command manifests judges manifests as their own programs read them: what is
// misspelt is an error.
//
//	manifests container < FILE    a container of a pod
//	manifests compose < FILE      a file of docker compose
//	manifests services FOLDER     compose.yaml of the folder, as JSON
//	manifests chart FOLDER < VALUES    a chart of Helm, as JSON
package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/compose-spec/compose-go/v2/loader"
	"github.com/compose-spec/compose-go/v2/types"
	core "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"
)

func main() {
	text, err := io.ReadAll(os.Stdin)
	switch {
	case err != nil:
	case os.Args[1] == "services":
		err = services(os.Args[2])
	case os.Args[1] == "chart":
		err = chart(os.Args[2], text)
	default:
		err = judge(os.Args[1], text)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "manifests:", err)
		os.Exit(1)
	}
}

func judge(kind string, text []byte) error {
	switch kind {
	case "container":
		var c core.Container
		if err := yaml.UnmarshalStrict(text, &c); err != nil {
			return err
		}
		fmt.Println(c.ReadinessProbe.HTTPGet.Path, c.LivenessProbe.HTTPGet.Path, c.Ports[0].ContainerPort, *c.SecurityContext.RunAsNonRoot, c.EnvFrom[0].SecretRef.Name)
	case "compose":
		p, err := loader.LoadWithContext(context.Background(), types.ConfigDetails{
			WorkingDir: ".", ConfigFiles: []types.ConfigFile{{Filename: "compose.yaml", Content: text}},
		}, func(o *loader.Options) { o.SetProjectName("judged", true) })
		if err != nil {
			return err
		}
		for name, s := range p.Services {
			fmt.Println(name, s.Volumes, s.DependsOn)
		}
	default:
		return fmt.Errorf("%q is neither container nor compose", kind)
	}
	return nil
}
