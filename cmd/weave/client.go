package main

import (
	"context"
	"io"
	"os"
	"path/filepath"

	"github.com/entwine-go/entwine/kit/codegen"
)

func clientCommand() command {
	return command{
		name:    "client",
		args:    "DOCUMENT FOLDER",
		summary: "Write the typed Go client of a version of REST.",
		about: `
DOCUMENT is the OpenAPI document as the service publishes it, of any version, and - is what is piped in:
entwine schema openapi --version v2 | weave client - api. The package is called as the folder is.
It needs github.com/ogen-go/ogen, of the version that this module has.`,
		run: func(_ context.Context, p *process, args []string) error {
			if err := wants(args, "DOCUMENT", "FOLDER"); err != nil {
				return err
			}
			read := func() ([]byte, error) { return os.ReadFile(args[0]) }
			if args[0] == "-" {
				read = func() ([]byte, error) { return io.ReadAll(p.stdin) }
			}
			document, err := read()
			if err != nil {
				return err
			}
			folder, err := filepath.Abs(args[1])
			if err != nil {
				return err
			}
			return codegen.Client(folder, filepath.Base(folder), document)
		},
	}
}
