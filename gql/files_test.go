package gql_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/files/s3/s3test"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestACallerSeesHowMuchIsStored(t *testing.T) {
	each(t, func(w *world) {
		if a := w.as("bob", `{ fileUsage { own { used } } }`); strings.Join(a.codes(), " ") != "fileUsage SERVICE_UNAVAILABLE" {
			w.Errorf("where no files are kept the usage is %s %q", a.Data, a.codes())
		}
		c := w.config()
		k := &files.Keeper{
			DB: w.db, Store: &files.Folder{Path: w.TempDir()}, Reader: c.Engine.Reader, Engine: c.Engine,
			Targets: files.Targets(api.Entities), Quotas: files.Quotas{Owner: 100, Tenant: 1000},
		}
		c.Files = k
		w.Handler = serve(w.T, c)
		target, _ := k.Target("comment_attachment.file")
		if _, err := k.Take(viewer.With(w.Context(), w.viewers["bob"]), files.Upload{Target: target, Body: strings.NewReader("a note")}); err != nil {
			w.Fatal(err)
		}
		for who, want := range map[string]string{
			"bob": `{"fileUsage":{"own":{"used":6,"quota":100},"tenant":null}}`,
			"mia": `{"fileUsage":{"own":{"used":0,"quota":100},"tenant":null}}`,
		} {
			if a := w.as(who, `{ fileUsage { own { used quota } tenant { used } } }`); compact(w.T, a.Data) != want || len(a.codes()) > 0 {
				w.Errorf("%s: %s %q, want %s", who, a.Data, a.codes(), want)
			}
		}
		if a := w.as("nobody", `{ fileUsage { own { used } } }`); strings.Join(a.codes(), " ") != "fileUsage UNAUTHENTICATED" {
			w.Errorf("a caller without credentials: %s %q", a.Data, a.codes())
		}
	})
}

// A file is sent as the answer of requestUpload says, and is one once that is complete.
func TestAFileIsSentWhereAMutationSays(t *testing.T) {
	each(t, func(w *world) {
		c := w.config()
		c.Files = &files.Keeper{
			DB: w.db, Store: s3test.Start(w.T).Direct(w.T, "files"), Reader: c.Engine.Reader, Engine: c.Engine, Targets: files.Targets(api.Entities),
			Secrets: [][]byte{[]byte("secret")},
		}
		w.Handler = serve(w.T, c)
		for input, code := range map[string]string{
			`for: "user.name", size: 6`:                               "requestUpload BAD_USER_INPUT for",
			`for: "comment_attachment.file", size: 0.5`:               "requestUpload BAD_USER_INPUT size",
			`for: "comment_attachment.file", size: 6, sha256: "abc"`:  "requestUpload BAD_USER_INPUT sha256",
			`for: "comment_attachment.file", size: 60000000`:          "requestUpload PAYLOAD_TOO_LARGE",
			`for: "profile.avatar", size: 6, mediaType: "text/plain"`: "requestUpload UNSUPPORTED_MEDIA_TYPE",
		} {
			if a := w.as("bob", `mutation { requestUpload(input: {`+input+`}) { id } }`); strings.Join(a.codes(), " ") != code {
				w.Errorf("%s: %s %q, want %s", input, a.Data, a.codes(), code)
			}
		}
		again := func(name string) answer {
			return w.as("bob", `mutation { requestUpload(input: {for: "comment_attachment.file", size: 6, name: "`+name+`"}, idempotencyKey: "k") { id } }`)
		}
		first := again("b.txt")
		if second := again("b.txt"); len(first.codes()) > 0 || string(second.Data) != string(first.Data) {
			w.Errorf("a repetition is %s %q, want %s", second.Data, second.codes(), first.Data)
		}
		if a := again("c.txt"); strings.Join(a.codes(), " ") != "requestUpload IDEMPOTENCY_KEY_REUSED" {
			w.Errorf("the key of another request is %s %q", a.Data, a.codes())
		}
		a := w.as("bob", `mutation { requestUpload(input: {for: "comment_attachment.file", size: 6, name: "a.txt"}) { id complete expiresAt parts { offset size method url headers { name } } } }`)
		var begun struct {
			RequestUpload struct {
				ID    string
				Parts []files.Send
			}
		}
		if err := json.Unmarshal(a.Data, &begun); err != nil || len(begun.RequestUpload.Parts) != 1 {
			w.Fatalf("the upload is %s %q (%v)", a.Data, a.codes(), err)
		}
		id, part := begun.RequestUpload.ID, begun.RequestUpload.Parts[0]
		complete, left := `mutation { completeUpload(id: "`+id+`") { url mediaType size } }`, `{ fileUpload(id: "`+id+`") { complete parts { offset } } }`
		if a := w.as("bob", complete); strings.Join(a.codes(), " ") != "completeUpload CONFLICT" {
			w.Errorf("an upload of which nothing was sent is %s %q", a.Data, a.codes())
		}
		for _, query := range []string{complete, left} {
			if a := w.as("mia", query); !strings.HasSuffix(strings.Join(a.codes(), " "), "NOT_FOUND") {
				w.Errorf("another's upload is %s %q", a.Data, a.codes())
			}
		}
		if a := w.as("bob", left); compact(w.T, a.Data) != `{"fileUpload":{"complete":false,"parts":[{"offset":0}]}}` {
			w.Errorf("what is missing is %s %q", a.Data, a.codes())
		}
		r, err := http.NewRequestWithContext(w.Context(), part.Method, part.URL, strings.NewReader("a note"))
		if err != nil {
			w.Fatal(err)
		}
		sent, err := http.DefaultClient.Do(r)
		if err != nil {
			w.Fatal(err)
		}
		sent.Body.Close()
		want := `{"completeUpload":{"url":"/api/files/` + id + `","mediaType":"text/plain; charset=utf-8","size":6}}`
		if a := w.as("bob", complete); compact(w.T, a.Data) != want {
			w.Errorf("the file is %s %q, want %s", a.Data, a.codes(), want)
		}
		if a := w.as("bob", left); compact(w.T, a.Data) != `{"fileUpload":{"complete":true,"parts":[]}}` {
			w.Errorf("what is missing is %s %q", a.Data, a.codes())
		}
	})
}
