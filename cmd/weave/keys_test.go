package main_test

import (
	"bufio"
	"database/sql"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// A project has entities whose ids are texts and UUIDs, with edges between them and
// those with integers, and a text that is searched in a column of another name. Its own tests (testdata/keys/keys_test.go) try both APIs and
// Ent's client over both databases; here its program serves them.
func TestIDsThatAreNoIntegers(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator and a service")
	}
	storetest.NeedPostgres(t)
	p := newNotes(t)
	for from, to := range map[string]string{
		"region.go": "schema", "site.go": "schema", "reading.go": "schema", "badge.go": "schema", "dock.go": "schema", "gauge.go": "schema", "keys.go": "cmd/notes", "keys_test.go": "cmd/notes",
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
	p.run("bin/weave", "migrate", "verify")
	p.run("bin/weave", "migrate", "lint")
	p.run("go", "vet", "./...") // generated code passes it, here with ids of every kind
	p.run("go", "test", "-vet=off", "./...")
	p.run("make", "build")
	p.eachDatabase(func(own *ownProject) {
		s := own.serve(filepath.Join(p.dir, "bin", "notes"), "serve")
		s.keyed()
		s.written(own)
		s.end(syscall.SIGTERM)
	})
}

// keyed hears of rows with ids that are texts and UUIDs: by subscriptions, live lists and
// jobs of topics.
func (s *serving) keyed() {
	s.Helper()
	s.signsUp("Ada Lovelace")
	s.asks([]asked{{"/api/v1/regions", `{"id":"eu-west","name":"Europe"}`, `"sites_count":0`}})
	renamed := s.hears(`regionRenamed(id: "eu-west") { name sitesCount }`)
	news := s.hears(`newSite { id name region { id } }`)
	lists := []*followed{s.follows("/api/v1/sites?region_id=eu-west&sort=name"), s.follows("/api/v2/regions?sort=name")}
	heard := func(next func() string, want string) {
		s.Helper()
		if got := next(); !strings.Contains(got, want) {
			s.Errorf("heard %s, want %s", got, want)
		}
	}
	_, said := s.ask("/api/v1/sites", `{"name":"Mill","region_id":"eu-west"}`)
	site := idOf.FindStringSubmatch(said)
	if site == nil {
		s.Fatalf("a site is %s", said)
	}
	id := site[1]
	heard(news, `"name":"Mill","region":{"id":"`+base64.RawURLEncoding.EncodeToString([]byte("Region:eu-west"))+`"`)
	lists[0].has(`"id":"` + id + `"`)
	lists[1].has(`"sitesCount":1`)
	s.said(`name=Mill region=eu-west`) // by the job

	readings := s.hears(fmt.Sprintf(`newReading(siteId: %q) { value site { id } }`, id))
	closed := s.hears(fmt.Sprintf(`siteClosed(id: %q) { closed }`, id))
	s.asks([]asked{{"/api/v1/sites", fmt.Sprintf(`{"name":"Dam","region_id":"eu-west","main_id":%q}`, id), id}})
	s.said(`name=Dam region=eu-west main=` + id)
	s.asks([]asked{
		{"/api/v1/scales", `{"name":"Metre"}`, `"id":"scale-1"`},
		{"/api/v1/readings", fmt.Sprintf(`{"value":7,"site_id":%q}`, id), `"value":7`},
	})
	heard(readings, `"value":7`)
	scaled := s.hears(`newOfScale(scaleId: "scale-1") { value }`)
	s.asks([]asked{
		{"/api/v1/readings", fmt.Sprintf(`{"value":8,"site_id":%q,"scale_id":"scale-1"}`, id), `"value":8`},
		{"/api/v1/sites/" + id + "/close", "{}", `"closed":true`},
	})
	heard(scaled, `"value":8`)
	heard(closed, `"closed":true`)
	lists[0].has(`"closed":true`)
	s.asks([]asked{{"/api/v1/sites/" + id + "/open", "{}", `"closed":false`}})
	lists[0].has(`"closed":false`)
	if code, said := s.send("PATCH", "/api/v1/regions/eu-west", `{"name":"Western Europe"}`); code != 200 {
		s.Errorf("a region is renamed: %d %s", code, said)
	}
	heard(renamed, `"name":"Western Europe","sitesCount":2`)
}

// written hears of rows whose key is of several columns, or in a column of another name, which
// another program writes.
func (s *serving) written(own *ownProject) {
	s.Helper()
	url, driver := "", "postgres"
	for _, setting := range own.env {
		if value, is := strings.CutPrefix(setting, "ENTWINE_DATABASE_URL="); is {
			url = value
		}
	}
	if file, is := strings.CutPrefix(url, "sqlite://"); is {
		url, driver = "file:"+file+"?_pragma=busy_timeout(10000)", "sqlite"
	}
	db, err := sql.Open(driver, url)
	if err != nil {
		s.Fatal(err)
	}
	defer db.Close()
	const now = `'2026-11-28 12:00:00.000000+00:00'`
	for _, of := range []struct{ path, one, id, row, where string }{
		{"gauges", "gauge", "eu-west~a!21", `gauges (region_id, code, name, name_fold, updated_at) VALUES ('eu-west', 'a/1', 'Tide', 'tide', ` + now + `)`, `gauges SET broken = true WHERE code = 'a/1'`},
		{"buoys", "buoy", "7", `buoys (buoy_nr, name, name_fold, updated_at) VALUES (7, 'Tide', 'tide', ` + now + `)`, `buoys SET broken = true WHERE buoy_nr = 7`},
	} {
		made := s.hears("new" + strings.ToUpper(of.one[:1]) + of.one[1:] + ` { name }`)
		list := s.follows("/api/v1/" + of.path + "?sort=name")
		writes := func(statement string) {
			s.Helper()
			if _, err := db.ExecContext(s.Context(), statement); err != nil {
				s.Fatal(err)
			}
		}
		writes("INSERT INTO " + of.row)
		if got := made(); !strings.Contains(got, `"name":"Tide"`) {
			s.Errorf("a new row is heard of as %s", got)
		}
		list.has(`"name":"Tide"`)
		broken := s.hears(fmt.Sprintf(`%sBroken(id: %q) { broken version }`, of.one, of.id))
		writes("UPDATE " + of.where)
		if got := broken(); !strings.Contains(got, `"broken":true,"version":2`) {
			s.Errorf("a row that was changed is heard of as %s", got)
		}
		list.has(`"broken":true`)
		s.answers("/api/v1/search?q=tide&type="+of.path, 200, of.id)
	}
	s.answers("/api/v1/regions/eu-west", 200, `"gauges_count":1`)
}

var idOf = regexp.MustCompile(`"id":"([^"]+)"`)

// followed is a live list, as server-sent events.
type followed struct {
	*serving
	path  string
	lines *bufio.Scanner
}

// follows asks for a live list. When it returns, the list is there.
func (s *serving) follows(path string) *followed {
	s.Helper()
	r, err := http.NewRequestWithContext(s.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		s.Fatal(err)
	}
	r.Header = s.header.Clone()
	r.Header.Set("Accept", "text/event-stream")
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = answer.Body.Close() })
	f := &followed{s, path, bufio.NewScanner(answer.Body)}
	f.has(`event: page`)
	return f
}

// has waits for an event with the text.
func (f *followed) has(text string) {
	f.Helper()
	for f.lines.Scan() {
		if strings.Contains(f.lines.Text(), text) {
			return
		}
	}
	f.Fatalf("the list %s has ended without %q: %v", f.path, text, f.lines.Err())
}
