package permissions_test

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial/land"
	"github.com/entwine-go/entwine/kit/manifest"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// The console shows buttons and fields by the manifest of the caller and by what a row says
// of itself. The API agrees: it refuses no offered button for the caller's rights, and does
// nothing that is not offered.
func TestTheConsoleOffersWhatTheAPIAllows(t *testing.T) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		l := land.New(t, db)
		questions := map[string]question{}
		for _, q := range restQuestions(l) {
			questions[q.name] = q
		}
		cells := 0
		for _, who := range land.Callers {
			if who == "deactivated" || who == "expired" {
				continue
			}
			m := manifestOf(l, who)
			cells += compareCalls(l, who, m, questions) + compareRows(l, who, m, questions) + compareFields(l, who, m)
		}
		t.Logf("%d cells", cells)
		if cells < 800 {
			t.Errorf("%d cells were compared: the manifest or the rows are not what they were", cells)
		}
	})
}

// manifestOf is that of the caller.
func manifestOf(l *land.Land, who string) *manifest.Manifest {
	l.Helper()
	w := send(l, who, "GET", "/manifest", "")
	m, err := manifest.Decode(w.Body.Bytes())
	if err != nil {
		l.Fatalf("%s: the manifest is answered %d: %v", who, w.Code, err)
	}
	return m
}

// send asks the API as the caller, and undoes what it changed.
func send(l *land.Land, who, method, path, body string) (w *httptest.ResponseRecorder) {
	l.Helper()
	answer(l, question{
		name: method + " " + path,
		ask: func(*land.Land) *http.Request {
			r := httptest.NewRequest(method, "/api/v1"+path, strings.NewReader(body))
			if body != "" {
				r.Header.Set("Content-Type", "application/json")
			}
			return r
		},
		told: func(answer *httptest.ResponseRecorder) string { w = answer; return "" },
	}, who)
	return w
}

// offeredCalls are the operations of entities that a manifest has, by what is asked for them.
func offeredCalls(m *manifest.Manifest) map[string]*manifest.Call {
	calls := map[string]*manifest.Call{}
	for _, e := range m.Entities {
		for _, c := range e.Verbs {
			calls[c.Method+" "+c.Path] = c
		}
		for _, a := range e.Actions {
			calls[a.Method+" "+a.Path] = &a.Call
		}
	}
	return calls
}

// refused reports whether an answer says that the caller has not the right.
func refused(status string) bool { return status == "401" || status == "403" }

// compareCalls asks for every operation of an entity: one that the manifest has for all
// rows is not refused, and one that it has not is not done.
func compareCalls(l *land.Land, who string, m *manifest.Manifest, questions map[string]question) (cells int) {
	mine := offeredCalls(m)
	known := offeredCalls(manifestOf(l, "admin"))
	for _, name := range slices.Sorted(maps.Keys(known)) {
		q, asked := questions[name]
		if !asked {
			continue // it is asked in states alone, or with queries
		}
		cells++
		status := answer(l, q, who)
		switch c := mine[name]; {
		case c == nil && strings.HasPrefix(status, "2"):
			l.Errorf("%s is not offered %s, which answers %s", who, name, status)
		case c != nil && c.Rows == "all" && refused(status):
			l.Errorf("%s is offered %s (%s), which answers %s", who, name, c.Says, status)
		}
	}
	return cells
}

// compareRows compares the buttons of a row: to edit and to delete it, and its actions.
func compareRows(l *land.Land, who string, m *manifest.Manifest, questions map[string]question) (cells int) {
	for _, e := range m.Entities {
		if e.Under != "" || l.Rows[strings.TrimPrefix(e.Path, "/")] == "" {
			continue
		}
		path := l.Path(e.Path+"/{id}", "")
		w := send(l, who, "GET", path, "")
		var row struct {
			Data struct {
				Actions   []struct{ Name string }
				CanUpdate *bool `json:"viewer_can_update"`
				CanDelete *bool `json:"viewer_can_delete"`
			}
		}
		if w.Code != http.StatusOK || json.Unmarshal(w.Body.Bytes(), &row) != nil {
			continue
		}
		calls := offeredCalls(m)
		shown := map[string]bool{}
		for _, a := range row.Data.Actions {
			shown[a.Name] = true
		}
		button := func(asked string, is bool) {
			q, known := questions[asked]
			if !known {
				return
			}
			cells++
			if status := answer(l, q, who); is && refused(status) || !is && strings.HasPrefix(status, "2") {
				l.Errorf("%s, %s: the button for %s is shown: %v, and it answers %s", who, path, asked, is, status)
			}
		}
		patch, remove := "PATCH "+e.Path+"/{id}", "DELETE "+e.Path+"/{id}"
		button(patch, calls[patch] != nil && (row.Data.CanUpdate == nil || *row.Data.CanUpdate))
		button(remove, calls[remove] != nil && (row.Data.CanDelete == nil || *row.Data.CanDelete))
		for _, a := range e.Actions {
			if a.Offered {
				button(a.Method+" "+a.Path, shown[a.Name])
			}
		}
	}
	return cells
}

// compareFields sends each field that a form to change a row has, with the value that the
// row has: it is not refused.
func compareFields(l *land.Land, who string, m *manifest.Manifest) (cells int) {
	for _, e := range m.Entities {
		if e.Under != "" || l.Rows[strings.TrimPrefix(e.Path, "/")] == "" || offeredCalls(m)["PATCH "+e.Path+"/{id}"] == nil {
			continue
		}
		path := l.Path(e.Path+"/{id}", "")
		var row struct{ Data map[string]json.RawMessage }
		if w := send(l, who, "GET", path, ""); w.Code != http.StatusOK || json.Unmarshal(w.Body.Bytes(), &row) != nil || string(row.Data["viewer_can_update"]) == "false" {
			continue
		}
		for _, f := range e.Fields {
			value, has := row.Data[f.Name]
			if !f.Update || !has || f.Secret {
				continue
			}
			cells++
			body := "{" + strconv.Quote(f.Name) + ":" + string(value) + "}"
			if w := send(l, who, "PATCH", path, body); w.Code == http.StatusUnauthorized || w.Code == http.StatusForbidden || strings.Contains(w.Body.String(), "is unknown") {
				l.Errorf("%s, %s: the form has the field %s, and %s answers %d: %s", who, path, f.Name, body, w.Code, w.Body)
			}
		}
	}
	return cells
}
