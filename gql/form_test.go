package gql_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// keeping has the API keep files, as package app does in the program.
func (w *world) keeping() *files.Keeper {
	c := w.config()
	k := &files.Keeper{
		DB: w.db, Store: &files.Folder{Path: w.TempDir()}, Reader: c.Engine.Reader, Engine: c.Engine, Targets: files.Targets(api.Entities), Secrets: [][]byte{make([]byte, 32)},
	}
	around := k.Around()
	for name, own := range c.Engine.Around {
		around[name] = write.Both(own, around[name])
	}
	maps.Copy(c.Engine.Around, around)
	c.Files = k
	w.Handler = serve(w.T, c)
	return k
}

// form sends an operation with files: each pair of parts is a name and a content.
func (w *world) form(name string, parts [][2]string, header ...string) answer {
	w.Helper()
	var b bytes.Buffer
	m := multipart.NewWriter(&b)
	for _, p := range parts {
		create := m.CreateFormField
		if p[0] != "operations" && p[0] != "map" {
			create = func(name string) (io.Writer, error) { return m.CreateFormFile(name, "note "+name+".txt") }
		}
		to, err := create(p[0])
		if err == nil {
			_, err = to.Write([]byte(p[1]))
		}
		if err != nil {
			w.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		w.Fatal(err)
	}
	r := httptest.NewRequest("POST", "/graphql", &b)
	r.Header.Set("Content-Type", m.FormDataContentType())
	r.Header.Set("GraphQL-Require-Preflight", "true")
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	return w.send(name, r)
}

// read decodes the data of an answer without errors.
func (a answer) read(t *testing.T, to any) {
	t.Helper()
	if err := json.Unmarshal(a.Data, to); err != nil || len(a.Errors) > 0 {
		t.Fatalf("%d %s %v: %v", a.Status, a.Data, a.Errors, err)
	}
}

const attach = `{"query": "mutation($c: ID!, $f: String, $g: String) { a: createCommentAttachment(input: {commentId: $c, file: $f}) { file } b: createCommentAttachment(input: {commentId: $c, file: $g}) { file } }", "variables": {"c": %q, "f": null, "g": null}}`

func TestAFormHasTheFilesOfItsVariables(t *testing.T) {
	each(t, func(w *world) {
		k := w.keeping()
		p := w.post(w.viewers["ada"].UserID, "Notes", 1)
		comment := gid.Encode("Comment", int64(w.comment(w.viewers["bob"].UserID, p, "See the notes.").ID))
		content := func(who, address string) string {
			f, err := k.Find(viewer.With(w.Context(), w.viewers[who]), strings.TrimPrefix(address, expose.FilePath))
			if err != nil {
				return err.Error()
			}
			return fmt.Sprintf("%s: %d bytes of %s", f.Name, f.Size, f.MediaType)
		}

		// Two files in variables of their own, and one within an input.
		a := w.form("bob", [][2]string{
			{"operations", fmt.Sprintf(attach, comment)}, {"map", `{"0": ["variables.f"], "1": ["variables.g"]}`}, {"0", "one"}, {"1", "three"},
		}, "Accept", "application/graphql-response+json, application/json, text/event-stream, multipart/mixed") // as urql does
		var made struct{ A, B struct{ File string } }
		a.read(w.T, &made)
		for address, want := range map[string]string{made.A.File: "note 0.txt: 3 bytes of text/plain; charset=utf-8", made.B.File: "note 1.txt: 5 bytes of text/plain; charset=utf-8"} {
			if got := content("nobody", address); got != want { // a reader of the post
				t.Errorf("%s is %q, want %q", address, got, want)
			}
		}
		within := fmt.Sprintf(`{"query": "mutation($in: CreateCommentAttachmentInput!) { createCommentAttachment(input: $in) { file } }", "variables": {"in": {"commentId": %q, "file": null}}}`, comment)
		once := func() answer {
			return w.form("bob", [][2]string{{"operations", within}, {"map", `{"x": ["variables.in.file"]}`}, {"x", "within"}}, "Idempotency-Key", "k1")
		}
		var first, second struct{ CreateCommentAttachment struct{ File string } }
		once().read(w.T, &first)
		once().read(w.T, &second)
		if n := storetest.Count(t, w.db, "comment_attachments"); n != 3 || first != second || content("bob", first.CreateCommentAttachment.File) != "note x.txt: 6 bytes of text/plain; charset=utf-8" {
			t.Errorf("with a key: %v, %v, %d attachments", first, second, n)
		}
		if again := w.form("bob", [][2]string{{"operations", within}, {"map", `{"x": ["variables.in.file"]}`}, {"x", "another"}}, "Idempotency-Key", "k1"); again.Status != 422 {
			t.Errorf("another file with the key: %d %v", again.Status, again.Errors)
		}
		// The policy of the row is in force, and a file that no row has got is gone at once.
		before := storetest.Count(t, w.db, "files WHERE released_at IS NULL")
		if a := w.form("mia", [][2]string{{"operations", fmt.Sprintf(attach, comment)}, {"map", `{"0": ["variables.f"], "1": ["variables.g"]}`}, {"0", "one"}, {"1", "three"}}); strings.Join(a.codes(), " ") != "a FORBIDDEN input.commentId b FORBIDDEN input.commentId" {
			t.Errorf("to another's comment: %q", a.codes())
		}
		if n := storetest.Count(t, w.db, "files WHERE released_at IS NULL"); n != before {
			t.Errorf("%d files are left, want %d", n, before)
		}
	})
}

func TestFormsThatAreRefused(t *testing.T) {
	each(t, func(w *world) {
		w.keeping()
		ops, one := fmt.Sprintf(attach, "1"), `{"0": ["variables.f"]}`
		file := [2]string{"0", "one"}
		form := func(ops, list string, files ...[2]string) [][2]string {
			return append([][2]string{{"operations", ops}, {"map", list}}, files...)
		}
		picture := `{"query": "mutation($f: String) { setProfile(userId: 2, input: {avatar: $f}) { avatar } }", "variables": {"f": null}}`
		for story, c := range map[string]struct {
			who    string
			parts  [][2]string
			status int
			want   string
		}{
			"no operations":              {"bob", nil, 400, `no part "operations"`},
			"the map first":              {"bob", [][2]string{{"map", one}, {"operations", ops}, file}, 400, `"map" where "operations" must be`},
			"a file before the map":      {"bob", [][2]string{{"operations", ops}, file, {"map", one}}, 400, `"0" where "map" must be`},
			"a batch":                    {"bob", form("["+ops+"]", one, file), 400, "not an object"},
			"operations that are large":  {"bob", form(strings.Repeat(" ", 1<<20+1), one, file), 413, "more than 1048576 bytes"},
			"a map that is a list":       {"bob", form(ops, `[]`, file), 400, "map must be a JSON object"},
			"a path that is none":        {"bob", form(ops, `{"0": "variables.f"}`, file), 400, "list of one path"},
			"two places of a file":       {"bob", form(ops, `{"0": ["variables.f", "variables.g"]}`, file), 400, "a file is for one row"},
			"a variable that is missing": {"bob", form(ops, `{"0": ["variables.x"]}`, file), 400, "variables.x must be a variable that is null"},
			"a variable with a value":    {"bob", form(ops, `{"0": ["variables.c"]}`, file), 400, "variables.c must be a variable that is null"},
			"a place that is none":       {"bob", form(ops, `{"0": ["variables.f.0"]}`, file), 400, "variables.f.0 must be"},
			"the query":                  {"bob", form(ops, `{"0": ["query"]}`, file), 400, "query must be a variable"},
			"a file that is missing":     {"bob", form(ops, one), 400, `no part "0"`},
			"files in another order":     {"bob", form(ops, `{"0": ["variables.f"], "1": ["variables.g"]}`, [2]string{"1", "x"}, file), 400, `"1" where "0" must be`},
			"a file too many":            {"bob", form(ops, one, file, [2]string{"1", "x"}), 400, `"1" that map has no place for`},
			"many files":                 {"bob", form(ops, `{`+strings.Repeat(`"a": [], `, 20)+`"b": []}`), 400, "map"},
			"a variable without a file":  {"bob", form(`{"query": "mutation($t: String) { createCommentAttachment(input: {commentId: 1, caption: $t}) { file } }", "variables": {"t": null}}`, `{"0": ["variables.t"]}`, file), 400, "variables.t takes no file"},
			"a query":                    {"bob", form(`{"query": "query($id: ID!) { user(id: $id) { id } }", "variables": {"id": null}}`, `{"0": ["variables.id"]}`, file), 400, "files are for mutations"},
			"no credentials":             {"nobody", form(ops, one, file), 401, "token required"},
			"a text as a picture":        {"bob", form(picture, one, file), 415, "image/png"},
		} {
			a := w.form(c.who, c.parts)
			if said := fmt.Sprint(a.Errors); a.Status != c.status || !strings.Contains(said, c.want) {
				t.Errorf("%s: %d %s, want %d %s", story, a.Status, said, c.status, c.want)
			}
		}
		if a := w.form("bob", form(ops, one, file), "GraphQL-Require-Preflight", ""); a.Status != 400 || !strings.Contains(fmt.Sprint(a.Errors), "GraphQL-Require-Preflight") {
			t.Errorf("without a preflight: %d %v", a.Status, a.Errors)
		}
		if n := storetest.Count(t, w.db, "files WHERE released_at IS NULL"); n != 0 {
			t.Errorf("%d files are left", n)
		}
	})
}
