package main

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
)

// version is set by the linker for releases (-X main.version=v1.2.3).
var version = ""

func versionCommand() command {
	return command{
		name:    "version",
		summary: "Print the version of entwine.",
		plain:   true,
		run: func(_ context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			_, err := fmt.Fprintf(p.stdout, "entwine %s %s %s/%s\n", currentVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return err
		},
	}
}

// currentVersion is the release's, else the module's, else the commit's.
func currentVersion() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "unknown"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return "development"
}
