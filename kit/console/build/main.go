// Command build makes dist/ of the console's sources in ui/: one script and one style
// sheet, compressed, with esbuild as a library, so that neither Node.js nor npm is needed. It is a
// module of its own, for no service needs esbuild. Before that it writes the types of the
// manifest into the sources, from its JSON Schema. Its arguments are both folders and the
// schema.
//
//	cd kit/console/build && go run . ../ui ../dist ../../manifest/schema.json
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "build:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return errors.New("give the folder of the sources, the one of the result, and the schema of the manifest")
	}
	sources, err := filepath.Abs(args[0])
	if err != nil {
		return err
	}
	if err := types(args[2], filepath.Join(sources, "manifest", "types.ts")); err != nil {
		return err
	}
	result := api.Build(options(sources, args[1]))
	for _, m := range api.FormatMessages(append(result.Errors, result.Warnings...), api.FormatMessagesOptions{}) {
		fmt.Fprint(os.Stderr, m)
	}
	if n := len(result.Errors) + len(result.Warnings); n > 0 {
		return fmt.Errorf("%d errors and warnings", n)
	}
	for _, one := range result.OutputFiles {
		if err := keep(one.Path, one.Contents); err != nil {
			return err
		}
	}
	licence, err := os.ReadFile(filepath.Join(sources, "packages", "preact", "LICENSE"))
	if err != nil {
		return err
	}
	notices := "The console is made with Preact (https://preactjs.com), which has this licence:\n\n" + string(licence)
	return keep(filepath.Join(args[1], "notices.txt"), []byte(notices))
}

// keep writes a file as programs have it and as browsers take it: compressed, by the bytes alone.
func keep(path string, text []byte) error {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o755)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(path+".gz", b.Bytes(), 0o644)
}

// options keep everything of the machine out of the result: verify compares its bytes.
func options(sources, dist string) api.BuildOptions {
	return api.BuildOptions{
		AbsWorkingDir: sources,
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: "main.tsx", OutputPath: "console"},
			{InputPath: "styles/console.css", OutputPath: "console"},
		},
		Outdir:            absolute(dist),
		NodePaths:         []string{filepath.Join(sources, "packages")},
		Bundle:            true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		JSX:               api.JSXAutomatic,
		JSXImportSource:   "preact",
		Charset:           api.CharsetUTF8,
		LegalComments:     api.LegalCommentsNone, // dist has the licences in a file
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		TreeShaking:       api.TreeShakingTrue,
	}
}

// absolute is the path of a folder that may not be there yet.
func absolute(folder string) string {
	path, err := filepath.Abs(folder)
	if err != nil {
		return folder
	}
	return path
}
