// Package permissions asks everything that both APIs have as every kind of caller, and
// compares the answers with the reviewed tables in testdata.
package permissions_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial/land"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// The tables in testdata say what every caller is answered who
// asks for anything that either API has. They are to be read against
// doc/api/permissions.md: -permissions writes down what the service does, and
// the author of a commit with a difference says that it is right.
var rewrite = flag.Bool("permissions", false, "write what callers are answered into the tables of permissions")

// question is one row of a table: something that any caller can ask.
type question struct {
	name string
	ask  func(l *land.Land) *http.Request
	// told names an answer in one word.
	told func(answer *httptest.ResponseRecorder) string
	// happens makes happen what is waited for, where the answer is a stream.
	happens func(l *land.Land)
}

// Everybody is answered what the tables say, whatever they ask for, through
// both APIs and on both databases; what either API has and no table mentions
// fails the test.
func TestPermissions(t *testing.T) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		l := land.New(t, db)
		compare(l, "rest", restQuestions(l))
		compare(l, "graphql", append(graphQLQuestions(l), streamQuestions(l)...))
		compare(l, "types", typeQuestions(l))
	})
}

// unaligned has two blanks between columns: how wide they are depends on the
// longest question.
func unaligned(table string) string { return gaps.ReplaceAllString(table, "  ") }

var gaps = regexp.MustCompile(` {2,}`)

// compare asks the questions and compares the answers with a table.
func compare(l *land.Land, table string, questions []question) {
	l.Helper()
	file := filepath.Join("testdata", table+".txt")
	width := len("# question")
	for _, q := range questions {
		width = max(width, len(q.name))
	}
	var got bytes.Buffer
	fmt.Fprintf(&got, "%-*s", width, "# question")
	for _, who := range land.Callers {
		fmt.Fprintf(&got, "  %-11s", who)
	}
	for _, q := range questions {
		fmt.Fprintf(&got, "\n%-*s", width, q.name)
		for _, who := range land.Callers {
			fmt.Fprintf(&got, "  %-11s", answer(l, q, who))
		}
	}
	got.WriteByte('\n')
	text := trimLines(got.String())
	if *rewrite {
		l.Must(os.WriteFile(file, []byte(text), 0o600))
	}
	want, err := os.ReadFile(file)
	l.Must(err)
	differ(l.T, file, unaligned(string(want)), unaligned(text))
}

// answer asks a question as the caller, and undoes what it changed.
func answer(l *land.Land, q question, who string) (told string) {
	r := q.ask(l)
	if header, ok := l.Headers[who]; ok {
		r.Header.Set(header[0], header[1])
	}
	if q.happens != nil {
		return q.told(listen(l, q, r))
	}
	undo := errors.New("undo")
	err := l.DB.InTx(l.Context(), func(ctx context.Context) error {
		w := httptest.NewRecorder()
		l.Site.ServeHTTP(w, r.WithContext(ctx))
		told = q.told(w)
		if w.Code >= 500 {
			l.Errorf("%s, %s: %d %s", q.name, who, w.Code, w.Body)
		}
		return undo
	})
	if !errors.Is(err, undo) {
		l.Fatalf("%s: %v", q.name, err)
	}
	return told
}

// differ reports the rows in which two tables differ.
func differ(t *testing.T, file, want, got string) {
	t.Helper()
	rows := func(text string) map[string]string {
		all := map[string]string{}
		for line := range strings.Lines(text) {
			name, _, _ := strings.Cut(line, "  ")
			all[name] = line
		}
		return all
	}
	before, after := rows(want), rows(got)
	for name, row := range after {
		switch {
		case before[name] == "":
			t.Errorf("%s has no row for %s, which answers\n%s", file, name, row)
		case before[name] != row:
			t.Errorf("%s: %s answers\n%swant\n%s", file, name, row, before[name])
		}
	}
	for name := range before {
		if after[name] == "" {
			t.Errorf("%s has a row for %s, which neither API has", file, name)
		}
	}
}

func trimLines(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return b.String()
}
