package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// A project declares tenants. Its own tests (testdata/tenants/*_test.go) try
// every door of both APIs, of Go and of both databases; here its program serves
// two tenants, with subscriptions and jobs.
func TestTenants(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator and a service")
	}
	storetest.NeedPostgres(t)
	p := newNotes(t)
	for from, to := range map[string]string{
		"org.go": "schema", "user.go": "schema", "note.go": "schema", "label.go": "schema", "remark.go": "schema", "seal.go": "schema", "seal_test.go": "cmd/notes", "tenants.go": "cmd/notes", "leak_test.go": "cmd/notes", "walk_test.go": "cmd/notes", "attach_test.go": "cmd/notes",
	} {
		text, err := os.ReadFile(filepath.Join("testdata/tenants", from))
		if err == nil {
			err = os.WriteFile(filepath.Join(p.dir, to, from), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []string{"note_test.go", "main_test.go"} { // which are about users and notes without a tenant
		if err := os.Remove(filepath.Join(p.dir, "cmd/notes", test)); err != nil {
			t.Fatal(err)
		}
	}
	p.edit("cmd/notes/main.go", `service\.Generated\(migrate\.Files\)`, `service.Generated(migrate.Files), Open: open`)
	p.run("make", "generate", "migration", "NAME=initial")
	p.run("go", "test", "./...")
	p.run("make", "build")
	p.eachDatabase(func(own *ownProject) {
		s := own.serve(filepath.Join(p.dir, "bin", "notes"), "serve")
		s.hasTenants()
		s.end(syscall.SIGTERM)
	})
}

// hasTenants makes two tenants, with a user in each: neither hears of the other.
func (s *serving) hasTenants() {
	s.Helper()
	password, err := os.ReadFile(filepath.Join(s.data, "admin-password"))
	if err != nil {
		s.Fatal(err)
	}
	s.enters("/api/v1/auth/login", fmt.Sprintf(`{"email":"admin@example.com","password":%q}`, strings.TrimSpace(string(password))))
	s.asks([]asked{{"/api/v1/orgs", `{"name":"Acme"}`, `"id":1`}, {"/api/v1/orgs", `{"name":"Other"}`, `"id":2`}})
	ada := s.joins("Ada Lovelace", 1)
	grace := s.joins("Grace Hopper", 2)
	s.header.Set("Authorization", ada)
	heard := s.hears("noteWritten { title }")
	write := func(who, title, slug, want string) {
		s.Helper()
		s.header.Set("Authorization", who)
		s.asks([]asked{{"/api/v1/notes", fmt.Sprintf(`{"title":%q,"text":"x","slug":%q}`, title, slug), want}})
	}
	write(grace, "Theirs", "one", `"org_id":2`)
	write(ada, "Ours", "one", `"org_id":1`)
	write(ada, "Ours, too", "two", `"org_id":1`)
	for _, want := range []string{`"title":"Ours"`, `"title":"Ours, too"`} {
		if got := heard(); !strings.Contains(got, want) {
			s.Errorf("heard %s, want %s", got, want)
		}
	}
	s.asks([]asked{{"/api/v1/notes/2/finish", "{}", `"done":true`}})
	s.said("of=2 tenant=1") // by the job
	program := filepath.Join(s.dir, "bin", "notes")
	if said, err := s.try(program, "user", "set-tenant", "ada.lovelace@example.com", "2"); err == nil {
		s.Errorf("a user becomes another tenant's: %s", said)
	}
}

// joins signs a user up who belongs to the tenant, and returns what they prove it by.
func (s *serving) joins(name string, tenant int) string {
	s.Helper()
	s.signsUp(name)
	s.run(filepath.Join(s.dir, "bin", "notes"), "user", "set-tenant", strings.ToLower(strings.ReplaceAll(name, " ", "."))+"@example.com", fmt.Sprint(tenant))
	return s.header.Get("Authorization")
}
