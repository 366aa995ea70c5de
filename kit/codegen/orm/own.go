package orm

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"text/template/parse"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// ownTemplates is where a project has templates of its own for Ent's client.
const ownTemplates = "schema/template"

// ownFile matches the names of templates that make a file of their own. No file of
// Ent or of an entity begins so.
var ownFile = regexp.MustCompile(`^own_[a-z0-9_]+$`)

// ownTemplatesOf reads the templates of the project, nil where there are none. They add
// files and members to the client; what Ent or the kit writes stays, for the kit's own
// code relies on it. used are the kit's templates.
func ownTemplatesOf(tree *source.Tree, used *gen.Template) (*gen.Template, error) {
	files, err := filepath.Glob(tree.Path(ownTemplates + "/*.tmpl"))
	if err != nil || len(files) == 0 {
		return nil, err
	}
	own, err := gen.NewTemplate("own").ParseFiles(files...)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", ownTemplates, err)
	}
	for _, t := range own.Templates() {
		if name := t.Name(); !parse.IsEmptyTree(t.Root) && (!addsToClient(name) || used.Lookup(name) != nil) {
			return nil, fmt.Errorf("%s: the template %q takes the place of what Ent or the kit writes, which other code relies on: "+
				"a file of its own is called own_…, and %s are allowed with a name of your own at the end", ownTemplates, name, strings.Join(additions, ", "))
		}
	}
	return own, nil
}

// removeOwn removes the files of the project's templates, which Ent writes anew: one whose
// template is gone would stay.
func removeOwn(tree *source.Tree) error {
	files, err := filepath.Glob(tree.Path("ent/own_*.go"))
	for _, name := range files {
		err = errors.Join(err, os.Remove(name))
	}
	return err
}

// additions are the places of Ent's templates that others add to.
var additions = []string{
	"client/additional/…", "model/additional/…", "import/additional/…", "tx/additional/…", "meta/additional/…", "where/additional/…",
	"dialect/sql/create/additional/…", "dialect/sql/query/additional/…", "helper/…",
}

// addsToClient reports whether a template of the name adds to what is there.
func addsToClient(name string) bool {
	return ownFile.MatchString(name) || slices.ContainsFunc(additions, func(a string) bool {
		rest, is := strings.CutPrefix(name, strings.TrimSuffix(a, "…"))
		return is && rest != "" && !strings.Contains(rest, "/")
	})
}
