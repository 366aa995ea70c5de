package rest_test

import (
	"bytes"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/entwine-go/entwine/kit/manifest"
	"github.com/entwine-go/entwine/kit/viewer"
)

// manifest is that of the viewer in a version, which keeps to the schema of the format.
func (w *world) manifest(v *viewer.Viewer, version string) *manifest.Manifest {
	w.t.Helper()
	a := w.send(v, "GET", "/api/"+version+"/manifest", "").want(200)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(a.Raw))
	if err != nil {
		w.t.Fatal(err)
	}
	if err := manifestSchema(w.t).Validate(document); err != nil {
		w.t.Errorf("%s for %+v breaks the schema of the format: %v", version, v, err)
	}
	m, err := manifest.Decode([]byte(a.Raw))
	if err != nil {
		w.t.Fatal(err)
	}
	return m
}

// manifestSchema is the schema of the format, which allows no members but those that it
// describes: a member that is added is described, too.
func manifestSchema(t testing.TB) *jsonschema.Schema {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(manifest.Schema))
	if err != nil {
		t.Fatal(err)
	}
	visitJSON(document, "", func(_ string, o map[string]any) {
		if o["properties"] != nil && o["type"] == "object" {
			o["additionalProperties"] = false
		}
	})
	const at = "test:///manifest.json"
	c := jsonschema.NewCompiler()
	if err := c.AddResource(at, document); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(at)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

// Filters, sorts and search of lists work verbatim as the manifest writes them, for each
// caller and in each version.
func TestListsAreAsTheManifestSays(t *testing.T) {
	each(t, func(w *world) {
		for _, version := range []string{"v1", "v2", "v3"} {
			for _, v := range []*viewer.Viewer{w.nobody, w.ada, w.admin} {
				m := w.manifest(v, version)
				if len(m.Entities) == 0 {
					t.Fatalf("%s for %+v has no entities", version, v)
				}
				for _, e := range m.Entities {
					for _, c := range e.Verbs {
						if c.Name == "list" && c.Of == "" {
							w.send(v, "GET", m.Base+c.Path+"?"+askedOf(e).Encode(), "").want(200)
						}
					}
				}
			}
		}
	})
}

// askedOf are parameters that use all that the manifest says of an entity's lists.
func askedOf(e *manifest.Entity) url.Values {
	asked, shown, orders := url.Values{}, []string{}, []string{}
	for _, f := range e.Fields {
		if !f.Secret {
			shown = append(shown, f.Name)
		}
		if f.Sort && len(orders) < 3 {
			orders = append(orders, f.Name)
		}
		for _, operator := range f.Filters {
			name := f.Name
			if operator != "eq" {
				name += "[" + operator + "]"
			}
			asked.Set(name, valueOf(f))
		}
	}
	asked.Set("fields", strings.Join(shown, ","))
	if len(orders) > 0 {
		asked.Set("sort", strings.Join(orders, ","))
	}
	if e.Sort != "" {
		asked.Set("sort", e.Sort)
	}
	for _, g := range e.Edges {
		if g.Expand && !g.Many {
			asked.Set("expand", g.Name)
		}
	}
	return asked
}

// valueOf is a value that lists can be filtered by.
func valueOf(f *manifest.Field) string {
	switch f.Kind {
	case "time", "date":
		return "2026-01-31"
	case "bool":
		return "true"
	case "enum":
		return f.Values[0].Name
	case "string", "strings":
		return "x"
	case "uuid":
		return "0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d"
	}
	return "1"
}

// The manifest has what the API admits the caller to, and nothing else.
func TestTheManifestHasWhatTheCallerMayDo(t *testing.T) {
	each(t, func(w *world) {
		key := &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Read}}
		all := calls(w.manifest(w.admin, "v1"))
		for name, v := range map[string]*viewer.Viewer{"anonymous": w.nobody, "user": w.ada, "moderator": w.moderator, "read-key": key} {
			told := calls(w.manifest(v, "v1"))
			for id, c := range all {
				if told[id] == nil && c.Method != "GET" { // lists of what may be hidden are empty
					if a := w.send(v, c.Method, "/api/v1"+filledIn(c.Path), body(c.Method)); a.Status != 401 && a.Status != 403 {
						t.Errorf("%s: %s is not in the manifest, and %s %s answers %d", name, id, c.Method, c.Path, a.Status)
					}
				}
			}
			for id, c := range told {
				if a := w.send(v, c.Method, "/api/v1"+filledIn(c.Path), body(c.Method)); (a.Status == 401 || a.Status == 403) && c.Of == "" {
					t.Errorf("%s: %s is in the manifest, and %s %s answers %d: %s", name, id, c.Method, c.Path, a.Status, a.Raw)
				}
			}
		}
	})
}

// calls are the operations on entities by their ids.
func calls(m *manifest.Manifest) map[string]*manifest.Call {
	all := map[string]*manifest.Call{}
	for _, e := range m.Entities {
		for _, c := range e.Verbs {
			all[c.ID] = c
		}
		for _, a := range e.Actions {
			all[a.ID] = &a.Call
		}
	}
	return all
}

var parameter = regexp.MustCompile(`\{[^}]*\}`)

// filledIn is the path of a row that is not there.
func filledIn(path string) string { return parameter.ReplaceAllString(path, "999999") }

func body(method string) string {
	if method == "GET" || method == "DELETE" {
		return ""
	}
	return "{}"
}

func TestTheManifestHidesWhatTheCallerNeverSees(t *testing.T) {
	each(t, func(w *world) {
		nobody, ada, admin := w.manifest(w.nobody, "v1"), w.manifest(w.ada, "v1"), w.manifest(w.admin, "v1")
		for _, name := range []string{"APIKey", "Email", "Order", "DeprecatedUse"} {
			if nobody.Entity(name) != nil {
				t.Errorf("anonymous callers are told of %s", name)
			}
			if admin.Entity(name) == nil {
				t.Errorf("admins are not told of %s", name)
			}
		}
		fields := func(m *manifest.Manifest) (names []string) {
			for _, f := range m.Entity("User").Fields {
				names = append(names, f.Name)
			}
			return names
		}
		if got := fields(nobody); slices.Contains(got, "email") || slices.Contains(got, "status") {
			t.Errorf("anonymous callers are told of the fields %v of users", got)
		}
		if !slices.Contains(fields(admin), "email") {
			t.Errorf("admins are told of the fields %v of users", fields(admin))
		}
		if slices.Contains(ada.Callers, "admin") || !slices.Contains(admin.Callers, "anonymous") || nobody.Digest != admin.Digest {
			t.Errorf("callers %v for a user, %v for an admin, digests %s and %s", ada.Callers, admin.Callers, nobody.Digest, admin.Digest)
		}
		if v2 := w.manifest(w.admin, "v2"); v2.Entity("Post").Field("likesCount") == nil || v2.Entity("Post").Field("likes_count") != nil || v2.Digest == admin.Digest {
			t.Error("version 2 has not the names of version 2")
		}
	})
}

// A generated manifest survives being read and written: weave check compares the two.
func TestTheManifestIsReadWithoutLoss(t *testing.T) {
	t.Parallel()
	m, err := manifest.Decode(generated.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	e := json.NewEncoder(&again)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(m); err != nil || again.String() != string(generated.Manifest) {
		t.Errorf("it reads otherwise than it is written: %v", err)
	}
}

func TestTheManifestIsKeptByCaches(t *testing.T) {
	each(t, func(w *world) {
		first := w.send(w.ada, "GET", "/api/v1/manifest", "").want(200)
		tag := first.Header.Get("ETag")
		if again := w.send(w.bob, "GET", "/api/v1/manifest", "").want(200); tag == "" || again.Header.Get("ETag") != tag || again.Raw != first.Raw {
			t.Errorf("two users of a role have the tags %s and %s", tag, again.Header.Get("ETag"))
		}
		if a := w.send(w.ada, "GET", "/api/v1/manifest", "", "If-None-Match", tag).want(304); a.Raw != "" {
			t.Errorf("a 304 has the body %q", a.Raw)
		}
		w.send(w.admin, "GET", "/api/v1/manifest", "", "If-None-Match", tag).want(200)
		w.send(w.ada, "HEAD", "/api/v1/manifest", "").want(200)
		w.send(w.ada, "GET", "/api/v1/manifest?nonsense=1", "").want(400)
		if cached := first.Header.Get("Cache-Control"); cached != "private, no-cache" {
			t.Errorf("Cache-Control is %q", cached)
		}
	})
}

// The words of the service are in the language that a request accepts, and its labels
// have German ones, but for a few that are new.
func TestTheManifestSpeaksLanguages(t *testing.T) {
	all, err := manifest.Decode(generated.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	missing, labels := all.Untranslated(all.Catalogs["de"]), all.Untranslated(nil)
	if t.Logf("schema/texts/de.json has no words for %q", missing); 20*len(missing) > len(labels) {
		t.Errorf("schema/texts/de.json lacks %d of %d labels", len(missing), len(labels))
	}
	each(t, func(w *world) {
		for _, c := range []struct{ accepted, language, posts string }{{"", "", "Posts"}, {"fr", "", "Posts"}, {"de-AT, en;q=0.5", "de", "Beiträge"}} {
			for _, version := range []string{"v1", "v2"} {
				a := w.send(w.ada, "GET", "/api/"+version+"/manifest", "", "Accept-Language", c.accepted).want(200)
				m, err := manifest.Decode([]byte(a.Raw))
				if err != nil {
					t.Fatal(err)
				}
				if m.Entity("Post").Labels != c.posts || a.Header.Get("Content-Language") != c.language || !strings.Contains(strings.Join(a.Header.Values("Vary"), ","), "Accept-Language") {
					t.Errorf("%s for %q calls posts %q, with %v", version, c.accepted, m.Entity("Post").Labels, a.Header)
				}
				if again := w.send(w.ada, "GET", "/api/"+version+"/manifest", "", "Accept-Language", c.accepted, "If-None-Match", a.Header.Get("ETag")); again.Status != 304 {
					t.Errorf("%s for %q asked again with its ETag answers %d", version, c.accepted, again.Status)
				}
			}
		}
	})
}
