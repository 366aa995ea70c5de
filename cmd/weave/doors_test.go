package main_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/programtest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

var (
	doorsWrites = flag.Int("doors-writes", 200, "how many `writes` TestEveryDoorWritesTheSame makes: 100000 takes a quarter of an hour")
	doorsSeed   = flag.Uint64("doors-seed", 1, "what the writes of TestEveryDoorWritesTheSame follow from")
)

// A project has all that doc/guides/from-ent.md names in its schema. Its own test
// (testdata/doors) writes by both versions of REST, GraphQL, Ent's client,
// its transactions, jobs and actions, over both databases, and compares the rows with a model.
func TestEveryDoorWritesTheSame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator and a service")
	}
	storetest.NeedPostgres(t)
	p := newNotes(t)
	p.within = programtest.Within(t, programtest.Usual+time.Duration(*doorsWrites)*100*time.Millisecond)
	entities := map[string]bool{"box.go": true, "item.go": true}
	files, err := os.ReadDir("testdata/doors")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		to := "cmd/notes"
		if entities[f.Name()] {
			to = "schema"
		}
		text, err := os.ReadFile(filepath.Join("testdata/doors", f.Name()))
		if err == nil {
			err = os.WriteFile(filepath.Join(p.dir, to, f.Name()), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	p.edit("cmd/notes/main.go", `service\.Generated\(migrate\.Files\)`, `service.Generated(migrate.Files), Open: open`)
	p.edit("schema/user.go", `"user", "admin"`, `"user", "clerk", "admin"`)
	p.run("make", "generate", "migration", "NAME=initial")
	t.Log(p.run("go", "test", "-timeout", "170m", "-v", "-run", "TestEveryDoorWritesTheSame", "./cmd/notes", "-args", "-writes", fmt.Sprint(*doorsWrites), "-seed", fmt.Sprint(*doorsSeed)))
}
