package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// version and revision are set by the linker: make build does so.
var version, revision string

func versionCommand() command {
	return command{
		name:    "version",
		summary: "Print the version of entwine.",
		plain:   true,
		run: func(_ context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			_, err := fmt.Fprintf(p.stdout, "entwine %s (%s) %s %s/%s\n", currentVersion(), commit(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// currentVersion is the release's, else the module's, else "development".
func currentVersion() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "development"
}

// commit is what the program was built from.
func commit() string {
	if revision != "" {
		return revision
	}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return "no commit"
}
