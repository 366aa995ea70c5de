package orm

import (
	"text/template"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

var clientFile = template.Must(template.New("client").Parse(`{{ .Header }}

// Package orm opens Ent's client over a database. It is the one package that
// links ent/runtime: policies, hooks and defaults. The service itself writes by
// the schema alone, and links it only where its own Go code asks for it.
package orm

import (
	"{{ .Module }}/ent"
	_ "{{ .Module }}/ent/runtime" // policies, hooks and defaults
	"{{ .Kit }}/store"
)

// Client returns Ent's client over the database. Its calls run in the
// transaction of their context, if there is one; its Close does nothing.
func Client(db *store.DB) *ent.Client { return ent.NewClient(ent.Driver(db.Driver())) }
`))

// writeClient writes what opens Ent's client.
func writeClient(tree *source.Tree) error {
	folder := tree.Folder("ent/orm")
	if err := folder.WriteGo("orm.go", clientFile, nil); err != nil {
		return err
	}
	return folder.RemoveOthers("*.go")
}
