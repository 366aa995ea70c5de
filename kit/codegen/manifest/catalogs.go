package manifest

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/manifest"
)

// catalogs is the folder with a file for each language, below that of the schemas.
const catalogs = "schema/texts"

var language = regexp.MustCompile(`^[a-z]{2,3}(-[a-z0-9]{2,8})*$`)

// Translate reads the catalogs of a project into the description. The errors of keys that
// stand for no word of the schemas are errors of type [model.SchemaError], joined.
func Translate(root string, d *manifest.Manifest) error {
	files, err := filepath.Glob(filepath.Join(root, catalogs, "*.json"))
	if err != nil {
		return err
	}
	var findings []error
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".json")
		wrong := func(line int, format string, args ...any) {
			at := fmt.Sprintf("%s/%s.json:%d", catalogs, name, line)
			findings = append(findings, &model.SchemaError{At: at, Entity: name, Err: fmt.Errorf(format, args...)})
		}
		if !language.MatchString(name) {
			wrong(1, "the name of the file is to be a language in lower case, such as de or pt-br")
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		c := manifest.Catalog{}
		if err := json.Unmarshal(text, &c); err != nil {
			wrong(line(text, offset(err)), "%v: a catalog is an object of texts", err)
			continue
		}
		for _, key := range d.Unknown(c) {
			quoted, _ := json.Marshal(key) // a text
			wrong(line(text, bytes.Index(text, quoted)), "%q is no label, title or description of the schemas: entwine schema manifest prints them", key)
		}
		if d.Catalogs == nil {
			d.Catalogs = map[string]manifest.Catalog{}
		}
		d.Catalogs[name] = c
	}
	return errors.Join(findings...)
}

// offset is where a text stops being a catalog.
func offset(err error) int {
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return int(e.Offset)
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return int(e.Offset)
	}
	return 0
}

// line counts the lines up to a byte of a text.
func line(text []byte, at int) int {
	return 1 + bytes.Count(text[:min(max(at, 0), len(text))], []byte("\n"))
}
