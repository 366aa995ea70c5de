package orm

import (
	"bytes"
	"fmt"
	"os"
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// writeTimes has a new row be changed last when it is created: Ent asks the clock
// for each of the two times.
func writeTimes(tree *source.Tree, client *gen.Graph) error {
	const created, updated = "created_at", "updated_at"
	for _, t := range client.Nodes {
		has := func(name string) bool {
			return slices.ContainsFunc(t.Fields, func(f *gen.Field) bool { return f.Name == name && f.DefaultFunc() })
		}
		if !has(created) || !has(updated) {
			continue
		}
		file := tree.Path("ent/" + t.PackageDir() + "_create.go")
		text, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		set := []byte("\t\t_c.mutation.SetCreatedAt(v)\n\t}\n")
		both := []byte("\t\t_c.mutation.SetCreatedAt(v)\n\t\tif _, ok := _c.mutation.UpdatedAt(); !ok {\n\t\t\t_c.mutation.SetUpdatedAt(v)\n\t\t}\n\t}\n")
		if bytes.Count(text, set) != 1 {
			return fmt.Errorf("%s: the default of %s is not where Ent had it", file, created)
		}
		if err := os.WriteFile(file, bytes.Replace(text, set, both, 1), 0o644); err != nil {
			return err
		}
	}
	return nil
}
