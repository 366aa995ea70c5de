package manifest_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/manifest"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// described is a service with one entity, of which one field goes.
func described(now func() time.Time) *manifest.Texts {
	note := &entity.Entity{
		Name: "Note", Singular: "note", Path: "notes",
		Fields: []*entity.Field{
			{Name: "id", Column: "id", REST: "id", GraphQL: []string{"id"}},
			{Name: "author_id", Column: "author_id", REST: "author_id", GraphQL: []string{"authorId"}},
			{Name: "mark", Column: "mark", REST: "mark", GraphQL: []string{"mark"}, Roles: []viewer.Role{viewer.Admin}},
			{Name: "old", Column: "old", REST: "old", GraphQL: []string{"old"}, Ending: lifecycle.End("2020-01-01", "2021-01-01", "use id")},
		},
		Rules: policy.Rules{
			Read:  policy.Any(policy.Owner("author_id"), policy.Roles(viewer.Admin), policy.Key(viewer.Read)),
			Verbs: policy.Verbs{policy.Delete: policy.Roles(viewer.Admin)},
		},
	}
	text := `{"format":1,"service":{"name":"notes","version":"1.0.0"},"callers":["user","admin"],"entities":[{"name":"Note","singular":"note",
		"plural":"notes","path":"/notes","id":"id","key":"id","title":"id","fields":[{"name":"id","kind":"id"},{"name":"author_id","kind":"int"},
		{"name":"mark","kind":"string"},{"name":"old","kind":"string"}],"verbs":[
		{"name":"list","id":"listNotes","method":"GET","path":"/notes","rows":"","judge":{"entity":"Note"}},
		{"name":"delete","id":"deleteNote","method":"DELETE","path":"/notes/{id}","rows":"","judge":{"entity":"Note","verb":"delete"}}]}]}`
	return &manifest.Texts{Source: manifest.Source{Text: []byte(text), Entities: []*entity.Entity{note}, Versions: []string{"v1"}}, Now: now}
}

var names = manifest.Names{
	Version: "v1", Base: "/api/v1",
	Field: func(f *entity.Field) string { return f.REST },
	Edge:  func(g *entity.Edge) string { return g.Name },
	Input: func(rest, _ string) string { return rest },
	Word:  func(word string) string { return word },
}

func of(t *testing.T, texts *manifest.Texts, v *viewer.Viewer) []byte {
	t.Helper()
	text, err := texts.Of(v, names)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// All callers of a kind have one document, which is made once; those of another kind have
// another.
func TestADocumentIsMadeOncePerKindOfCaller(t *testing.T) {
	t.Parallel()
	texts := described(time.Now)
	ada := of(t, texts, &viewer.Viewer{UserID: 1, Role: "user"})
	for id := range int64(100) {
		if bob := of(t, texts, &viewer.Viewer{UserID: id + 2, Role: "user"}); &bob[0] != &ada[0] {
			t.Fatalf("user %d has a document of their own", id+2)
		}
	}
	if admin := of(t, texts, &viewer.Viewer{UserID: 1, Role: viewer.Admin}); string(admin) == string(ada) {
		t.Error("an admin has the document of a user")
	}
	one := of(t, texts, &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Read, viewer.Write}})
	two := of(t, texts, &viewer.Viewer{KeyID: 2, Permissions: []viewer.Permission{viewer.Write, viewer.Read}})
	for _, role := range []viewer.Role{"king", "queen", ""} {
		if guest := of(t, texts, &viewer.Viewer{UserID: 1, Role: role}); string(guest) == string(ada) || &guest[0] != &of(t, texts, &viewer.Viewer{UserID: 2})[0] {
			t.Errorf("a user with the role %q has not the document of users whose role no rule names", role)
		}
	}
	if &one[0] != &two[0] {
		t.Error("two keys with the same permissions have two documents")
	}
}

func TestWhatAKindOfCallerIsTold(t *testing.T) {
	t.Parallel()
	texts := described(time.Now)
	for _, c := range []struct {
		name                  string
		viewer                *viewer.Viewer
		entities, fields, ops int
		rows, says            string
	}{
		{"an anonymous caller", viewer.Anonymous(), 0, 0, 0, "", ""},
		{"a user", &viewer.Viewer{UserID: 7, Role: "user"}, 1, 2, 1, "some", "author_id is the caller"},
		{"an admin", &viewer.Viewer{UserID: 7, Role: viewer.Admin}, 1, 3, 2, "all", "every row"},
		{"a key", &viewer.Viewer{KeyID: 7, Permissions: []viewer.Permission{viewer.Read}}, 1, 2, 1, "all", "every row"},
		{"a key that reads nothing", &viewer.Viewer{KeyID: 7, Permissions: []viewer.Permission{viewer.Write}}, 0, 0, 0, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var m manifest.Manifest
			if err := json.Unmarshal(of(t, texts, c.viewer), &m); err != nil {
				t.Fatal(err)
			}
			if len(m.Entities) != c.entities {
				t.Fatalf("told of %d entities, want %d", len(m.Entities), c.entities)
			}
			if c.entities == 0 {
				return
			}
			e := m.Entities[0]
			if len(e.Fields) != c.fields || len(e.Verbs) != c.ops || e.Verbs[0].Rows != c.rows || e.Verbs[0].Says != c.says || e.Verbs[0].Judge != nil {
				t.Errorf("told of %d fields and %d operations, %q rows: %q; want %+v", len(e.Fields), len(e.Verbs), e.Verbs[0].Rows, e.Verbs[0].Says, c)
			}
		})
	}
}

func TestDocumentsAreMadeAnewEachDay(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 23, 59, 0, 0, time.UTC)
	texts := described(func() time.Time { return now })
	first := of(t, texts, viewer.Anonymous())
	now = now.Add(time.Minute)
	if second := of(t, texts, viewer.Anonymous()); &first[0] == &second[0] {
		t.Error("the next day has the document of the day before")
	}
}

func TestAnotherFormatIsRefused(t *testing.T) {
	t.Parallel()
	if _, err := manifest.Decode([]byte(`{"format":2}`)); err == nil || err.Error() != "the manifest has the format 2, and 1 is read" {
		t.Errorf("another format: %v", err)
	}
}

func TestDiffer(t *testing.T) {
	t.Parallel()
	a := &manifest.Manifest{Entities: []*manifest.Entity{{Name: "A"}, {Name: "B", Label: "Bee"}, {Name: "C"}}}
	b := &manifest.Manifest{Entities: []*manifest.Entity{{Name: "B"}, {Name: "C"}, {Name: "D"}}}
	if got, _ := json.Marshal(manifest.Differ(a, b)); string(got) != `["A","B","D"]` {
		t.Errorf("they differ in %s", got)
	}
	if got := manifest.Differ(a, a); len(got) != 0 {
		t.Errorf("a document differs from itself in %v", got)
	}
}
