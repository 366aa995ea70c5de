package doors_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/trial/land"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// scenario is one write, as a client of each API sends it. Both are answered
// with the same outcome: writes are decided once (doc/api/errors.md).
type scenario struct {
	name string
	as   string // one of callers
	of   *kitentity.Entity
	// rest is a method, a path below /api/v1, and a body: "POST /posts {}".
	// Names of rows are filled in: ${posts}. A header stands before, in brackets.
	rest string
	// graphql is a root field of a mutation, empty for what GraphQL's grammar
	// does not let a client say.
	graphql string
	// want is "ok", or the status, the message, and each failing field by the
	// name that it has in the schema.
	want string
	// restNow is the answer of REST today, where another one is wanted. A difference that
	// is gone fails the test, so that the list gets shorter and never longer. GraphQL has
	// none.
	restNow string
}

func TestWritesHaveOneOutcome(t *testing.T) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		l := land.New(t, db)
		for _, s := range scenarios() {
			play(l, s, "REST", sent(l, s.rest), s.restNow, restOutcome)
			if s.graphql == "" {
				continue // it cannot be said in GraphQL
			}
			play(l, s, "GraphQL", land.Post(l, "mutation { answer: "+globals(l, s.graphql)+" }"), "", graphQLOutcome)
		}
	})
}

// play sends the request of a scenario, and undoes what it did.
func play(l *land.Land, s scenario, api string, r *http.Request, now string, outcome func(*land.Land, *kitentity.Entity, *httptest.ResponseRecorder) string) {
	l.Helper()
	if header, ok := l.Headers[s.as]; ok {
		r.Header.Set(header[0], header[1])
	}
	undo := errors.New("undo")
	var got string
	err := l.DB.InTx(l.Context(), func(ctx context.Context) error {
		w := httptest.NewRecorder()
		l.Site.ServeHTTP(w, r.WithContext(ctx))
		got = outcome(l, s.of, w)
		return undo
	})
	if !errors.Is(err, undo) {
		l.Fatalf("%s: %v", s.name, err)
	}
	switch {
	case now == "" && got != s.want:
		l.Errorf("%s, %s: answered\n\t%s\nwant\n\t%s", s.name, api, got, s.want)
	case now != "" && got == s.want:
		l.Errorf("%s: %s answers as it should by now: take its difference out of the list", s.name, api)
	case now != "" && got != now:
		l.Errorf("%s, %s: answered\n\t%s\nand not as it did\n\t%s", s.name, api, got, now)
	}
}

// sent is the request of a scenario: [header: value] METHOD /path body.
func sent(l *land.Land, text string) *http.Request {
	l.Helper()
	text = l.Filled(text)
	var name, value string
	if header, rest, ok := strings.Cut(text, "] "); ok && strings.HasPrefix(text, "[") {
		name, value, _ = strings.Cut(header[1:], ": ")
		text = rest
	}
	method, text, _ := strings.Cut(text, " ")
	path, body, _ := strings.Cut(text, " ")
	r := httptest.NewRequest(method, "/api/v1"+path, strings.NewReader(body))
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if method == http.MethodPatch {
		r.Header.Set("Content-Type", "application/merge-patch+json")
	}
	if name != "" {
		r.Header.Set(name, value)
	}
	return r
}

// globals fills global ids into a document: ${Post} is that of the owner's post.
func globals(l *land.Land, text string) string {
	l.Helper()
	for _, e := range entity.All {
		if hole := "${" + e.Name + "}"; strings.Contains(text, hole) {
			text = strings.ReplaceAll(text, hole, l.Global(e.Name, ""))
		}
	}
	return l.Filled(text)
}

// failing is an input that is refused.
type failing struct{ Field, Message string }

// told is an outcome in words.
func told(of *kitentity.Entity, status int, message string, fields []failing, named func(*kitentity.Field) []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s", status, message)
	for _, f := range fields {
		name := strings.TrimPrefix(f.Field, "input.")
		within := "" // an object in a list
		if i := strings.LastIndex(name, "."); i >= 0 {
			within, name = name[:i+1], name[i+1:]
		}
		for _, known := range of.Fields {
			if slices.Contains(named(known), name) {
				name = known.Name
				break
			}
		}
		fmt.Fprintf(&b, "; %s%s %s", within, name, f.Message)
	}
	return b.String()
}

func restOutcome(l *land.Land, of *kitentity.Entity, w *httptest.ResponseRecorder) string {
	if w.Code < http.StatusBadRequest {
		return "ok"
	}
	var answer struct {
		Error struct {
			Message string
			Details []failing
		}
	}
	l.Must(json.Unmarshal(w.Body.Bytes(), &answer))
	return told(of, w.Code, answer.Error.Message, answer.Error.Details, func(f *kitentity.Field) []string { return []string{f.REST} })
}

func graphQLOutcome(l *land.Land, of *kitentity.Entity, w *httptest.ResponseRecorder) string {
	var answer struct {
		Errors []struct {
			Message    string
			Extensions struct {
				Status int
				Fields []failing
			}
		}
	}
	d := json.NewDecoder(bytes.NewReader(w.Body.Bytes()))
	l.Must(d.Decode(&answer))
	if len(answer.Errors) == 0 {
		return "ok"
	}
	e := answer.Errors[0]
	if len(e.Extensions.Fields) > 0 && (e.Extensions.Status == http.StatusBadRequest || e.Extensions.Status == http.StatusUnprocessableEntity) {
		e.Message = badInput // it repeats the first of the fields
	}
	return told(of, e.Extensions.Status, e.Message, e.Extensions.Fields, func(f *kitentity.Field) []string { return f.GraphQL })
}
