package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/entwine-go/entwine/kit/codegen"
	"github.com/entwine-go/entwine/kit/codegen/typescript"
	"github.com/entwine-go/entwine/kit/manifest"
)

func clientCommand() command {
	return command{
		name:    "client",
		args:    "typescript [MANIFEST FOLDER] | DOCUMENT FOLDER",
		summary: "Write the typed client of a version of REST, for TypeScript or Go.",
		about: `
With typescript it writes a package of npm into clients/typescript: it depends on nothing, and has the types
of all that the manifest of this project describes. MANIFEST and FOLDER are another manifest, as the service
prints it, and - is what is piped in: entwine schema manifest --version v2 | weave client typescript - clients/v2.
The files below src are written anew each time; package.json and tsconfig.json are yours once they are there.

Otherwise it writes a client for Go. DOCUMENT is the OpenAPI document as the service publishes it, of any
version, and - is what is piped in: entwine schema openapi --version v2 | weave client - api. The package is
called as the folder is. It needs github.com/ogen-go/ogen, of the version that this module has.`,
		run: func(_ context.Context, p *process, args []string) error {
			if len(args) > 0 && args[0] == "typescript" {
				return writeTypeScript(p, args[1:])
			}
			if err := wants(args, "DOCUMENT", "FOLDER"); err != nil {
				return err
			}
			document, err := readOr(p.stdin, args[0])
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

// readOr reads the file, or what is piped in for -.
func readOr(stdin io.Reader, file string) ([]byte, error) {
	if file == "-" {
		return io.ReadAll(stdin)
	}
	return os.ReadFile(file)
}

// writeTypeScript writes the client for TypeScript.
func writeTypeScript(p *process, args []string) error {
	file, folder := filepath.Join(p.root, manifestFile), filepath.Join(p.root, "clients/typescript")
	if len(args) > 0 {
		if err := wants(args, "MANIFEST", "FOLDER"); err != nil {
			return err
		}
		file, folder = args[0], args[1]
	}
	text, err := readOr(p.stdin, file)
	if err != nil {
		return err
	}
	m, err := manifest.Decode(text)
	if err != nil {
		return fmt.Errorf("read %s: %w", file, err)
	}
	return typescript.Write(folder, m)
}
