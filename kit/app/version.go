package app

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

func versionCommand() Command {
	return Command{
		Name:    "version",
		Summary: "Print the version of $0.",
		Plain:   true,
		Run: func(_ context.Context, p *Process, args []string) error {
			if err := Wants(args); err != nil {
				return err
			}
			_, err := fmt.Fprintf(p.Stdout, "%s %s (%s) %s %s/%s\n", p.service.Name, p.service.version(), p.service.commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// version is the release's, else the module's, else "development".
func (s *Service) version() string {
	if s.Version != "" {
		return s.Version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "development"
}

// commit is the commit that the program was built from.
func (s *Service) commit() string {
	if s.Revision != "" {
		return s.Revision
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, b := range info.Settings {
			if b.Key == "vcs.revision" {
				return b.Value
			}
		}
	}
	return "no commit"
}
