package fuzz_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/trial/land"
	kitentity "github.com/entwine-go/entwine/kit/entity"
)

// matrix is the tables of permissions, to which every answer is held: what they
// refuse is not given, whatever the question looks like.
type matrix struct {
	*land.Land
	cells    map[string]map[string]string // by question and caller
	canaries []canary
}

// canary is a text of the owner's rows that only those may read for whom the
// tables say so.
type canary struct {
	of   string
	text []byte
	may  map[string]bool
}

// newMatrix reads the tables, and puts a canary into every text that they tell of.
func newMatrix(l *land.Land) *matrix {
	m := &matrix{Land: l, cells: map[string]map[string]string{}}
	for _, table := range []string{"rest", "graphql", "types"} {
		text, err := os.ReadFile(filepath.Join("../permissions/testdata", table+".txt"))
		l.Must(err)
		for line := range strings.Lines(string(text)) {
			cells := strings.Fields(line)
			at := len(cells) - len(land.Callers)
			row := map[string]string{}
			for i, who := range land.Callers {
				row[who] = cells[at+i]
			}
			m.cells[strings.Join(cells[:at], " ")] = row
		}
	}
	for _, e := range entity.All {
		for _, f := range e.Fields {
			m.plant(e, f)
		}
	}
	m.hide("title of a draft", "posts", "title", "posts@draft", "query post @draft")
	m.secret("SELECT password_hash FROM users WHERE password_hash IS NOT NULL")
	m.secret("SELECT hash FROM api_keys")
	if len(m.canaries) < 10 {
		l.Errorf("there are %d canaries only", len(m.canaries))
	}
	return m
}

// fixed are the texts that mean something to the service.
var fixed = []string{"email", "currency", "kind", "gateway", "gateway_reference", "message_id", "sid", "prefix", "role", "status", "slug", "client_name", "api_version", "day"}

// shown are the types whose rows every caller reads, or reads through others of
// that sort: the name and the profile of an author (doc/api/permissions.md).
var shown = []string{"Category", "Product", "Profile"}

// plant puts a canary into a field of the owner's row.
func (m *matrix) plant(e *kitentity.Entity, f *kitentity.Field) {
	if len(f.GraphQL) == 0 || slices.Contains(fixed, f.Column) || slices.Contains(shown, e.Name) || e.Name+"."+f.Name == "User.name" {
		return
	}
	row := e.Path
	if m.Rows[row] == "" {
		row = e.Name
	}
	question := e.Name + "." + f.GraphQL[0]
	switch {
	case m.cells[question] == nil || m.Rows[row] == "":
	case f.Kind == kitentity.String:
		m.hide(question, e.Table, f.Column, row, question)
	case f.Column == "salary":
		if _, err := m.DB.ExecContext(m.System, "UPDATE users SET salary = $1 WHERE id = "+m.Rows[row], 73197319); err == nil {
			m.watch(question, []byte("731973.19"), m.cells[question])
		}
	}
}

// hide writes a canary into a column of a row, where the database takes it.
func (m *matrix) hide(of, table, column, row, question string) {
	text := "canary" + strings.ToLower(strings.NewReplacer("_", "", "@", "").Replace(table+column+row)) + "sings"
	_, err := m.DB.ExecContext(m.System, fmt.Sprintf("UPDATE %q SET %q = $1 WHERE id = %s", table, column, m.Rows[row]), text)
	if err == nil {
		m.watch(of, []byte(text), m.cells[question])
	}
}

func (m *matrix) watch(of string, text []byte, cells map[string]string) {
	c := canary{of: of, text: text, may: map[string]bool{}}
	for who, cell := range cells {
		c.may[who] = cell == "ok"
	}
	m.canaries = append(m.canaries, c)
}

// secret watches what no caller may read.
func (m *matrix) secret(query string) {
	rows, err := m.DB.QueryContext(m.System, query)
	if err != nil {
		return // there is no such column by now
	}
	defer rows.Close()
	for rows.Next() {
		var text []byte
		if rows.Scan(&text) == nil && len(text) > 0 {
			m.watch(query, text, nil)
		}
	}
	m.Must(rows.Err())
}

// leaks returns the members of an answer that the permission tables do not allow its caller.
func (m *matrix) leaks(s *shot, body []byte) (wrong []string) {
	for _, c := range m.canaries {
		if !c.may[s.who] && bytes.Contains(body, c.text) && !bytes.Contains(s.body, c.text) && !strings.Contains(s.target, string(c.text)) {
			wrong = append(wrong, fmt.Sprintf("%s is told %s", s.who, c.of))
		}
	}
	return wrong
}

// rest returns what is wrong with a REST answer that the tables refuse.
func (m *matrix) rest(s *shot, op *operation, w *httptest.ResponseRecorder) []string {
	if w.Code >= 300 {
		return nil
	}
	u, err := url.ParseRequestURI(s.target)
	if err != nil {
		return nil
	}
	question := op.method + " " + op.path
	for _, state := range []string{"@draft", "@paid", ""} {
		if u.EscapedPath() != "/api/v1"+m.Path(op.path, state) {
			continue
		}
		cells := m.cells[question+" "+state]
		if cells == nil {
			cells = m.cells[question]
		}
		switch cell := cells[s.who]; {
		case cell == "401", cell == "403" && !dependsOnBody[op.OperationID], cell == "404" && !op.hasBody():
			return []string{fmt.Sprintf("%s may not, by the tables: %s", s.who, cell)}
		}
		return nil
	}
	if cells := m.cells[question]; cells[s.who] == "401" {
		return []string{s.who + " may not, by the tables: 401"}
	}
	return nil
}

func (op *operation) hasBody() bool { return op.RequestBody != nil }

// dependsOnBody are operations whose example says something that its caller may
// not, while another body would be taken.
var dependsOnBody = map[string]bool{}

// graphQL returns which root fields answer that the tables refuse.
func (m *matrix) graphQL(s *shot, data map[string]json.RawMessage) (wrong []string) {
	for alias, value := range data {
		root, ok := s.roots[alias]
		if !ok || string(value) == "null" || string(value) == "[]" {
			continue // it says nothing
		}
		switch cell := m.cells[root.kind+" "+root.name][s.who]; {
		case cell == "UNAUTH", cell == "EXPIRED", cell == "FORBIDDEN" && root.kind == "query":
			wrong = append(wrong, fmt.Sprintf("%s may not have %s, by the tables: %s", s.who, root.name, cell))
		}
	}
	return wrong
}
