package manifest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/manifest"
)

func TestCatalogsAreOfTheWordsOfTheSchemas(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, file, text, want string }{
		{"it has words of the schema", "de.json", `{"Notes": "Notizen", "Note: Notes": "Notizen"}`, ""},
		{"a word is none of the schema", "de.json", "{\n \"Notes\": \"Notizen\",\n \"Nodes\": \"Knoten\"\n}", `schema/texts/de.json:3: de: "Nodes" is no label, title or description of the schemas: entwine schema manifest prints them`},
		{"it is no object of texts", "pt-br.json", "{\n \"Notes\": 1}", "schema/texts/pt-br.json:2: pt-br: "},
		{"it is no JSON", "de.json", "{\n\n,", "schema/texts/de.json:3: de: invalid character ',' "},
		{"its name is no language", "German.json", "{}", "schema/texts/German.json:1: German: the name of the file is to be a language in lower case, such as de or pt-br"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			folder := filepath.Join(root, "schema", "texts")
			if err := os.MkdirAll(folder, 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(folder, c.file), []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			d := &manifest.Manifest{Entities: []*manifest.Entity{{Name: "Note", Label: "Note", Labels: "Notes"}}}
			err := Translate(root, d)
			switch {
			case c.want == "" && (err != nil || d.Catalogs["de"]["Notes"] != "Notizen"):
				t.Errorf("%v, and the catalogs are %v", err, d.Catalogs)
			case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)):
				t.Errorf("%v, want %s", err, c.want)
			}
		})
	}
}
