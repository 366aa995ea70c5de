package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/kittest/apptest"
	"github.com/entwine-go/entwine/kit/viewer"
)

// world is the service over one database.
type world struct {
	*testing.T
	*apptest.Server
	name    string
	host    *app.Host
	runner  *jobs.Runner
	tokens  map[string]http.Header
	viewers map[string]*viewer.Viewer
}

// people are those who write, by their names, with their roles.
var people = [][2]string{{"Ada", "user"}, {"Bob", "user"}, {"Carl", "clerk"}, {"Root", "admin"}}

func serve(t *testing.T, name, url string) *world {
	w := &world{T: t, name: name, tokens: map[string]http.Header{}, viewers: map[string]*viewer.Viewer{}}
	s := program()
	var parts *app.Parts
	s.Open = func(h *app.Host) (_ *app.Parts, err error) {
		w.host = h
		parts, err = open(h)
		return parts, err
	}
	w.Server = apptest.Serve(t, s, "ENTWINE_DATABASE_URL="+url, "ENTWINE_LOG_LEVEL=error", "ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_LOGIN_LIMIT=off", "ENTWINE_GRAPHQL_BUDGET=off", "ENTWINE_ACCESS_TOKEN_TIME=24h")
	w.runner = jobs.NewRunner(w.host.DB, w.host.Bus, slog.New(slog.DiscardHandler), parts.Kinds...)
	w.runner.Caller = parts.Caller
	t.Cleanup(func() { w.runner.Stop(context.Background()) })
	for _, p := range people {
		w.SignUp(p[0])
		w.exec(`UPDATE users SET role = '` + p[1] + `' WHERE email = '` + strings.ToLower(p[0]) + `@example.com'`)
		id := w.one(`SELECT id FROM users WHERE email = '` + strings.ToLower(p[0]) + `@example.com'`)
		w.viewers[p[0]] = &viewer.Viewer{UserID: id, Role: viewer.Role(p[1])}
		answer := w.Ask("POST", "/api/auth/login", `{"email":"`+strings.ToLower(p[0])+`@example.com","password":"correct horse 1"}`, `"token"`)
		var in struct{ Token string }
		if err := json.Unmarshal([]byte(answer), &in); err != nil {
			t.Fatal(err)
		}
		w.tokens[p[0]] = http.Header{"Authorization": {"Bearer " + in.Token}}
	}
	return w
}

func (w *world) exec(text string) {
	w.Helper()
	if _, err := w.host.DB.ExecContext(w.Context(), text); err != nil {
		w.Fatal(err)
	}
}

// lines are the rows of a query, each in one.
func (w *world) lines(text string) (all []string) {
	w.Helper()
	rows, err := w.host.DB.QueryContext(w.Context(), text)
	if err != nil {
		w.Fatal(w.name, text, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		w.Fatal(err)
	}
	for rows.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			w.Fatal(err)
		}
		var b strings.Builder
		for i, v := range values {
			switch known := v.(type) {
			case []byte:
				v = string(known)
			case bool:
				v = map[bool]int64{true: 1}[known]
			}
			if i > 0 {
				b.WriteString("|")
			}
			fmt.Fprint(&b, v)
		}
		all = append(all, b.String())
	}
	if err := rows.Err(); err != nil {
		w.Fatal(err)
	}
	return all
}

func (w *world) one(text string) int64 {
	w.Helper()
	n, err := strconv.ParseInt(w.lines(text)[0], 10, 64)
	if err != nil {
		w.Fatal(err)
	}
	return n
}

// dumped are the queries whose results have to be equal in all worlds: each has the rows by
// their tags.
var dumped = []string{
	`SELECT 'box', b.tag, b.name, b.name_fold, b.note, b.box_code, b.secret, b.shout, b.status, b.items_count, b.fragile_count, b.weight, b.mean IS NULL, b.version, b.deleted_at IS NOT NULL, u.name FROM boxes b JOIN users u ON u.id = b.owner_id ORDER BY b.tag`,
	`SELECT 'item', i.tag, i.weight, i.fragile, i.version, b.tag FROM items i JOIN boxes b ON b.id = i.box_id ORDER BY i.tag`,
	`SELECT 'label', tag, version FROM labels ORDER BY tag`,
	`SELECT 'labelled', i.tag, l.tag FROM item_labels il JOIN items i ON i.id = il.item_id JOIN labels l ON l.id = il.label_id ORDER BY i.tag, l.tag`,
	`SELECT 'tally', b.tag, t.kind, t.quantity, t.version FROM tallies t JOIN boxes b ON b.id = t.box_id ORDER BY b.tag, t.kind`,
	`SELECT 'event', topic, count(*) FROM events WHERE topic LIKE 'box.%' OR topic LIKE 'item.%' GROUP BY topic ORDER BY topic`,
	`SELECT 'change', kind, count(*) FROM changes GROUP BY kind ORDER BY kind`,
}

func (w *world) dump() (all []string) {
	w.Helper()
	for _, text := range dumped {
		all = append(all, w.lines(text)...)
	}
	return all
}

// finds are the boxes that a search finds for the caller.
func (w *world) finds(who, word string) string {
	w.Helper()
	var answer struct {
		Data []struct{ Name string }
	}
	status, body := w.send(who, "GET", "/api/v1/boxes?limit=100&fields=name&search="+word, nil)
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		w.Fatalf("%d %s", status, body)
	}
	var names []string
	for _, row := range answer.Data {
		names = append(names, row.Name)
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

func (w *world) send(who, method, path string, body any) (status int, answer []byte) {
	w.Helper()
	text := []byte(nil)
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			w.Fatal(err)
		}
	}
	r := httptest.NewRequestWithContext(w.Context(), method, path, bytes.NewReader(text))
	r.Header = w.tokens[who].Clone()
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	out := httptest.NewRecorder()
	w.ServeHTTP(out, r)
	return out.Code, out.Body.Bytes()
}
