package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// A project has entities whose ids are texts and UUIDs, with edges between them and
// those with integers. Its own tests (testdata/keys/keys_test.go) try both APIs and
// Ent's client over both databases; here its program serves them.
func TestIDsThatAreNoIntegers(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles the generator and a service")
	}
	storetest.NeedPostgres(t)
	p := newNotes(t)
	for from, to := range map[string]string{
		"region.go": "schema", "site.go": "schema", "reading.go": "schema", "badge.go": "schema", "keys.go": "cmd/notes", "keys_test.go": "cmd/notes",
	} {
		text, err := os.ReadFile(filepath.Join("testdata/keys", from))
		if err == nil {
			err = os.WriteFile(filepath.Join(p.dir, to, from), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	p.edit("cmd/notes/main.go", `service\.Generated\(migrate\.Files\)`, `service.Generated(migrate.Files), Open: open`)
	p.run("make", "generate", "migration", "NAME=initial")
	p.run("go", "tool", "weave", "migrate", "verify")
	p.run("go", "tool", "weave", "migrate", "lint")
	p.run("go", "vet", "./...")
	p.run("go", "test", "./...")
	p.run("make", "build")
	p.eachDatabase(func(own *ownProject) {
		s := own.serve(filepath.Join(p.dir, "bin", "notes"), "serve")
		s.signsUp("Ada Lovelace")
		s.asks([]asked{{"/api/v1/regions", `{"id":"eu-west","name":"Europe"}`, `"id":"eu-west"`}})
		for i, site := range []string{"Mill", "Dam"} {
			s.asks([]asked{
				{"/api/v1/sites", fmt.Sprintf(`{"name":%q,"region_id":"eu-west"}`, site), `"region_id":"eu-west"`},
				{"/graphql", `{"query":"{ region(id: \"eu-west\") { sitesConnection { totalCount } } }"}`, fmt.Sprintf(`"totalCount":%d`, i+1)},
			})
		}
		s.end(syscall.SIGTERM)
	})
}
