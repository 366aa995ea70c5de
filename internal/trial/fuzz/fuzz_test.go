// Package fuzz sends what the document of REST and the schema of GraphQL let be sent,
// and worse, as every kind of caller. Each answer is held to the document, to the tables
// of permissions and to what a caller may know.
package fuzz_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/vektah/gqlparser/v2/ast"

	generated "github.com/entwine-go/entwine/internal/service"
	"github.com/entwine-go/entwine/internal/trial/land"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate"
	"github.com/entwine-go/entwine/migrate/migratetest"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

// The fuzzer asks the assembled service what its document lets be asked, and
// then worse. Request n of a seed is always the same, so that one that failed
// can be asked again alone: -fuzz-seed 7 -fuzz-only 1234.
var (
	fuzzSeed     = flag.Uint64("fuzz-seed", 1, "what the requests of the fuzzer follow from")
	fuzzRequests = flag.Uint64("fuzz-requests", 4000, "how many requests the fuzzer sends to each database")
	fuzzOnly     = flag.Int64("fuzz-only", -1, "send this request only, and show it")
)

// TestFuzz sends random requests, well-formed and not, to both APIs on both databases as
// every kind of caller. The service answers no 5xx, its answers fit its document and the
// permission tables, and PostgreSQL reports no error of class 42 (syntax) or 22 (data).
func TestFuzz(t *testing.T) {
	t.Parallel()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		newFuzzer(t, migratetest.Schema(t).SQLite(t)).run(func() string { return "" })
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		db, complaints := loggedPostgres(t)
		newFuzzer(t, db).run(complaints)
	})
}

// loggedPostgres returns a database on a server of its own, and a function
// that returns what the server's log has had to say of statements since it
// was asked last.
func loggedPostgres(t *testing.T) (*store.DB, func() string) {
	server := storetest.PostgresServer(t)
	db, err := store.Open(t.Context(), store.Config{URL: server.URL("postgres"), Conns: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	if err := migration.Up(t.Context(), db, migrate.Files); err != nil {
		t.Fatal(err)
	}
	showCodes(t, server)
	log, err := os.Open(filepath.Join(server.Dir, "log"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = log.Close() })
	lines := bufio.NewReader(log)
	return db, func() string {
		var found strings.Builder
		for {
			line, err := lines.ReadString('\n')
			if err != nil {
				return found.String()
			}
			if code, _, _ := strings.Cut(line, " "); len(code) == 5 && (code[:2] == "22" || code[:2] == "42") {
				found.WriteString(line)
			}
		}
	}
}

// showCodes has every line of the server's log begin with its SQLSTATE.
func showCodes(t *testing.T, server *pgserver.Server) {
	admin, err := sql.Open("postgres", server.URL("postgres"))
	if err != nil {
		t.Fatal(err)
	}
	defer admin.Close()
	for _, statement := range []string{`ALTER SYSTEM SET log_line_prefix = '%e '`, `SELECT pg_reload_conf()`} {
		if _, err := admin.ExecContext(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
}

// fuzzer asks a land what its document has.
type fuzzer struct {
	*land.Land
	document   *openapi3.T
	operations []operation
	judge      *judge
	schema     *ast.Schema
	gids       map[string]string // the owner's rows by their types
	address    string            // where bytes are sent
	// cursors and tags are those that the service has handed out, by operationId.
	cursors, tags map[string]string
}

// operation is one of the document, with its method and path.
type operation struct {
	method, path string
	*openapi3.Operation
	parameters openapi3.Parameters
}

func newFuzzer(t *testing.T, db *store.DB) *fuzzer {
	document, err := openapi3.NewLoader().LoadFromData(spec.Document())
	if err != nil {
		t.Fatal(err)
	}
	f := &fuzzer{Land: land.New(t, db), document: document, schema: generated.Generated(nil).GraphQL(), cursors: map[string]string{}, tags: map[string]string{}}
	f.gids = globalIDs(f.Land)
	for _, path := range document.Paths.InMatchingOrder() {
		item := document.Paths.Value(path)
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"} {
			if op := item.GetOperation(method); op != nil {
				parameters := append(append(openapi3.Parameters{}, item.Parameters...), op.Parameters...)
				f.operations = append(f.operations, operation{method, path, op, parameters})
			}
		}
	}
	f.judge = newJudge(t, document, f.operations)
	f.judge.matrix = newMatrix(f.Land)
	f.collect()
	f.listen()
	return f
}

// collect asks for what only the service can make: cursors and tags.
func (f *fuzzer) collect() {
	for _, op := range f.operations {
		if op.method != http.MethodGet {
			continue
		}
		r := httptest.NewRequest(http.MethodGet, "/api/v1"+f.Path(op.path, "")+"?limit=1&cursor=", nil)
		header := f.Headers["admin"]
		r.Header.Set(header[0], header[1])
		w := httptest.NewRecorder()
		f.Site.ServeHTTP(w, r)
		if _, rest, ok := strings.Cut(w.Body.String(), `"next_cursor":"`); ok {
			f.cursors[op.OperationID], _, _ = strings.Cut(rest, `"`)
		}
		r = httptest.NewRequest(http.MethodGet, "/api/v1"+f.Path(op.path, ""), nil)
		r.Header.Set(header[0], header[1])
		w = httptest.NewRecorder()
		f.Site.ServeHTTP(w, r)
		f.tags[op.path] = w.Header().Get("ETag")
	}
}

// run sends the requests and judges the answers.
func (f *fuzzer) run(complaints func() string) {
	f.Logf("the seed is %d", *fuzzSeed)
	complaints()
	first, last := uint64(0), *fuzzRequests
	if *fuzzOnly >= 0 {
		first, last = uint64(*fuzzOnly), uint64(*fuzzOnly)+1
	}
	statuses := map[int]int{}
	for n := first; n < last; n++ {
		if f.Context().Err() != nil {
			break
		}
		if n > first && n%20_000 == 0 {
			f.Logf("%d requests so far", n-first)
		}
		if n%20 == 0 {
			text := f.gun(n).wire()
			answer, wrong := f.send(text)
			if len(wrong) > 0 || *fuzzOnly >= 0 {
				f.Logf("request %d of seed %d: %q\n%s", n, *fuzzSeed, text, short(string(answer)))
			}
			for _, text := range wrong {
				f.Errorf("request %d: %s", n, text)
			}
			continue
		}
		s := f.shot(n)
		w := f.fire(s)
		statuses[w.Code]++
		wrong := append(f.judge.of(s, w), f.judge.matrix.leaks(s, w.Body.Bytes())...)
		if text := complaints(); text != "" {
			wrong = append(wrong, "PostgreSQL says: "+text)
		}
		if len(wrong) > 0 || *fuzzOnly >= 0 {
			f.Logf("request %d of seed %d, by %s: %s\n%d %v\n%s", n, *fuzzSeed, s.who, s.text(), w.Code, w.Header(), short(w.Body.String()))
		}
		for _, text := range wrong {
			f.Errorf("request %d: %s", n, text)
		}
	}
	f.Logf("%d requests were answered %v", last-first, statuses)
}

// shot is a request that is about to be sent.
type shot struct {
	who    string
	method string
	target string
	header http.Header
	body   []byte
	roots  map[string]rootField // of GraphQL, where they are known
	reads  bool                 // whether it is a query
}

func (s *shot) text() string {
	return fmt.Sprintf("%s %s\n%v\n%q", s.method, short(s.target), s.header, short(string(s.body)))
}

func short(text string) string {
	if len(text) > 2000 {
		return text[:2000] + "…"
	}
	return text
}

func (f *fuzzer) gun(n uint64) *gun {
	g := &gun{fuzzer: f, Rand: rand.New(rand.NewPCG(*fuzzSeed, n))}
	g.op = &f.operations[g.IntN(len(f.operations))]
	return g
}

// shot makes request n: three of ten are GraphQL's.
func (f *fuzzer) shot(n uint64) *shot {
	g := f.gun(n)
	for {
		load := g.load
		if n%10 > 6 {
			load = g.graphQL
		}
		s := load()
		if _, err := s.request(); err == nil { // what net/http refuses never arrives
			return s
		}
	}
}

func (s *shot) request() (*http.Request, error) {
	r, err := http.NewRequest(s.method, s.target, bytes.NewReader(s.body))
	if err != nil {
		return nil, err
	}
	r.Host, r.RequestURI, r.RemoteAddr, r.Header = "example.com", s.target, "192.0.2.1:1234", s.header.Clone()
	if len(s.body) == 0 {
		r.Body = http.NoBody
	}
	return r, nil
}

// fire sends the request and undoes what it changed. Root fields of a query are
// read at the same time, which a transaction can't: they change nothing.
func (f *fuzzer) fire(s *shot) *httptest.ResponseRecorder {
	undo, w := errors.New("undo"), httptest.NewRecorder()
	if s.reads {
		r, err := s.request()
		f.Must(err)
		f.Site.ServeHTTP(w, r.WithContext(f.Context()))
		return w
	}
	err := f.DB.InTx(f.Context(), func(ctx context.Context) error {
		r, err := s.request()
		if err != nil {
			return err
		}
		f.Site.ServeHTTP(w, r.WithContext(ctx))
		return undo
	})
	if !errors.Is(err, undo) {
		f.Fatalf("%s: %v", s.text(), err)
	}
	return w
}
