package main

import (
	"path/filepath"
	"text/template"
)

var clientFile = template.Must(template.New("client").Parse(`{{ .Header }}

// Package orm opens Ent's client over a database. It is the one package that
// links ent/runtime: policies, hooks and defaults.
package orm

import (
	"{{ .Module }}/ent"
	_ "{{ .Module }}/ent/runtime" // policies, hooks and defaults
	"{{ .Module }}/kit/runtime/store"
)

// Client returns Ent's client over the database. Its calls run in the
// transaction of their context, if there is one; its Close does nothing.
func Client(db *store.DB) *ent.Client { return ent.NewClient(ent.Driver(db.Driver())) }
`))

// writeClient writes what opens Ent's client.
func writeClient(root string) error {
	return writeGo(filepath.Join(root, "ent/orm/orm.go"), clientFile, map[string]any{"Header": header, "Module": module})
}
