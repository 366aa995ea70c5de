package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"text/template"
)

// writeGo renders a template, formats it and writes it where it differs from what is there.
func writeGo(path string, t *template.Template, data any) error {
	var b bytes.Buffer
	if err := t.Execute(&b, data); err != nil {
		return fmt.Errorf("render %s: %w", path, err)
	}
	source, err := format.Source(b.Bytes())
	if err != nil {
		return fmt.Errorf("format %s: %w\n%s", path, err, b.Bytes())
	}
	return writeFile(path, source)
}

// writeFile writes the file unless it has the content already, so that
// nothing is rebuilt for nothing.
func writeFile(path string, content []byte) error {
	if old, err := os.ReadFile(path); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, content, 0o644)
}
