package documents_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/documents"
	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/store"
)

func TestManifests(t *testing.T) {
	for manifest, want := range map[string]string{
		`{"b":"{ b }","a":"{ a }"}`: "a={ a } b={ b }",
		`{"sha256:a":"{ a }"}`:      "a={ a }",
		`{"format":"apollo-persisted-query-manifest","version":1,"operations":[{"id":"a","name":"A","type":"query","body":"{ a }"}]}`: "a={ a }",
		`{}`:                        "",
		`[]`:                        "not a JSON object",
		`{"a":1}`:                   "neither Relay's nor Apollo's",
		`{"operations":[{"id":1}]}`: "operations of the manifest",
		`{"a":""}`:                  "a text are needed",
	} {
		all, err := documents.ParseManifest(strings.NewReader(manifest))
		var got []string
		for _, d := range all {
			got = append(got, d.Key+"="+d.Text)
		}
		if text := strings.Join(got, " "); err == nil && text != want || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q, %v; want %q", manifest, text, err, want)
		}
	}
}

func TestRegistry(t *testing.T) {
	notes.Each(t, func(t *testing.T, db *store.DB) {
		r := &documents.Registry{DB: db}
		ctx := t.Context()
		if _, err := r.Text(ctx, "a"); !errors.Is(err, documents.ErrUnknown) {
			t.Errorf("before it was added: %v", err)
		}
		all := []documents.Document{{Key: "a", Text: "{ a }"}, {Key: "b", Text: "{ b }"}}
		for _, want := range []int{2, 0} {
			if n, err := r.Add(ctx, all); n != want || err != nil {
				t.Errorf("added %d, want %d: %v", n, want, err)
			}
		}
		if _, err := r.Add(ctx, []documents.Document{{Key: "c", Text: "{ c }"}, {Key: "a", Text: "{ other }"}}); err == nil {
			t.Error("a key was given another text")
		}
		if text, err := r.Text(ctx, "a"); text != "{ a }" || err != nil {
			t.Errorf("a is %q: %v", text, err)
		}
		if err := r.Trusts(ctx, "{ b }"); err != nil {
			t.Error(err)
		}
		if err := r.Trusts(ctx, "{ c }"); !errors.Is(err, documents.ErrUnknown) {
			t.Errorf("what came with a refused one is trusted: %v", err)
		}
		if n, err := r.Remove(ctx, []string{"a", "x"}); n != 1 || err != nil {
			t.Errorf("removed %d: %v", n, err)
		}
		fresh := &documents.Registry{DB: db}
		if left, err := fresh.List(ctx); err != nil || len(left) != 1 || left[0].Key != "b" {
			t.Errorf("left are %v: %v", left, err)
		}
	})
}
