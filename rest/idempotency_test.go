package rest_test

import (
	"flag"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/rest"
)

var (
	keys     = flag.Int("keys", 12, "how many Idempotency-Keys are used at once")
	requests = flag.Int("requests", 25, "how many requests there are with each key")
)

const keyHeader = "Idempotency-Key"

func postBody(title string) string { return `{"title": "` + title + `", "content": "It is so."}` }

func (w *world) posts() int {
	w.t.Helper()
	n, err := w.ent.Post.Query().Count(w.system)
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func TestARepetitionHasTheFirstAnswer(t *testing.T) {
	each(t, func(w *world) {
		first := w.do(w.ada, "POST", "/api/v1/posts", postBody("One"), keyHeader, "k1").want(201)
		if first.Header.Get("Idempotency-Replayed") != "" {
			t.Error("the first answer says that it is a repetition")
		}
		for name, c := range map[string]struct{ path, key, body string }{
			"the same":                 {"/api/v1/posts", "k1", postBody("One")},
			"a quoted key":             {"/api/v1/posts", `"k1"`, postBody("One")},
			"other blanks and order":   {"/api/v1/posts", "k1", `{ "content":"It is so.","title":"One" }`},
			"a path without a version": {"/api/posts", "k1", postBody("One")},
		} {
			again := w.do(w.ada, "POST", c.path, c.body, keyHeader, c.key).want(201)
			if again.Raw != first.Raw || again.Header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("%s: answered %s (%v), want %s", name, again.Raw, again.Header, first.Raw)
			}
			for _, header := range []string{"Location", "Etag", "Last-Modified", "Content-Type", "Cache-Control", "Vary"} {
				if got, want := again.Header.Get(header), first.Header.Get(header); got != want {
					t.Errorf("%s: %s is %q, want %q", name, header, got, want)
				}
			}
		}
		if got := w.posts(); got != 1 {
			t.Errorf("there are %d posts, want 1", got)
		}
	})
}

// What is accepted says when to ask for it, and is there to be asked for.
func TestWhatIsAcceptedIsKept(t *testing.T) {
	each(t, func(w *world) {
		for path, body := range map[string]string{
			"/api/v1/emails/send":      `{"to": "ada@example.com", "subject": "Hi", "text": "!"}`,
			"/api/v1/reports/generate": `{"type": "users", "format": "csv"}`,
		} {
			first := w.do(w.admin, "POST", path, body, keyHeader, "k1").want(202)
			again := w.do(w.admin, "POST", path, body, keyHeader, "k1").want(202)
			if again.Raw != first.Raw || again.Header.Get("Retry-After") == "" || again.Header.Get("Idempotency-Replayed") != "true" {
				t.Errorf("%s: answered %s (%v), want %s", path, again.Raw, again.Header, first.Raw)
			}
			w.do(w.admin, "GET", first.Header.Get("Location"), "").want(200)
		}
	})
}

func TestKeysThatAreOtherKeys(t *testing.T) {
	each(t, func(w *world) {
		w.do(w.ada, "POST", "/api/v1/posts", postBody("One"), keyHeader, "k1").want(201)
		// Another caller, another route.
		w.do(w.bob, "POST", "/api/v1/posts", postBody("One"), keyHeader, "k1").want(201)
		w.do(w.ada, "POST", fmt.Sprintf("/api/v1/users/%d/posts", w.ada.UserID), postBody("One"), keyHeader, "k1").want(201)
		if got := w.posts(); got != 3 {
			t.Errorf("there are %d posts, want 3", got)
		}
	})
}

func TestKeysThatAreRefused(t *testing.T) {
	each(t, func(w *world) {
		id := w.post(w.ada, "Commented", true)
		other := w.post(w.ada, "Other", true)
		w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", id), `{"text": "Yes."}`, keyHeader, "k").want(201)
		reused := w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", id), `{"text": "No."}`, keyHeader, "k").want(422)
		if code := reused.at("error", "code"); code != "IDEMPOTENCY_KEY_REUSED" {
			t.Errorf("another body: code %v", code)
		}
		w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", other), `{"text": "Yes."}`, keyHeader, "k").want(422)
		for name, key := range map[string]string{
			"empty": "", "an empty string": `""`, "too long": strings.Repeat("k", 256), "a control character": "a\tb\x01", "half quoted": `"k`,
		} {
			bad := w.do(w.ada, "POST", "/api/v1/posts", postBody("Never"), keyHeader, key).want(400)
			if bad.details()[keyHeader] == "" {
				t.Errorf("%s: %s", name, bad.Raw)
			}
		}
		w.do(w.ada, "POST", "/api/v1/posts", postBody("Longest"), keyHeader, strings.Repeat("k", 255)).want(201)
	})
}

func TestFailuresThatAreNotKept(t *testing.T) {
	each(t, func(w *world) {
		w.do(w.ada, "POST", "/api/v1/posts", `{"title": "", "content": "x"}`, keyHeader, "k").want(422)
		w.do(w.ada, "POST", "/api/v1/posts", `{"content": "x"}`, keyHeader, "k").want(400)
		w.do(w.ada, "POST", "/api/v1/posts", postBody("Mended"), keyHeader, "k").want(201)
		if got := w.posts(); got != 1 {
			t.Errorf("there are %d posts, want 1", got)
		}
	})
}

func TestFailuresThatAreKept(t *testing.T) {
	each(t, func(w *world) {
		user := `{"name": "Twin", "email": "ada@example.com"}`
		first := w.do(w.admin, "POST", "/api/v1/users", user, keyHeader, "k").want(409)
		if err := w.ent.User.UpdateOneID(userID(w.ada)).SetEmail("ada.l@example.com").Exec(w.system); err != nil {
			t.Fatal(err)
		}
		again := w.do(w.admin, "POST", "/api/v1/users", user, keyHeader, "k").want(409)
		if again.Raw != first.Raw || again.Header.Get("Idempotency-Replayed") != "true" {
			t.Errorf("answered %s, want %s", again.Raw, first.Raw)
		}
		w.do(w.admin, "POST", "/api/v1/users", user, keyHeader, "another").want(201)
	})
}

func TestOtherMethodsHaveNoKeys(t *testing.T) {
	each(t, func(w *world) {
		id := w.post(w.ada, "Kept", true)
		for _, title := range []string{"A", "B"} {
			got := w.do(w.ada, "PATCH", fmt.Sprintf("/api/v1/posts/%d", id), `{"title": "`+title+`"}`, keyHeader, "k").want(200)
			if got.data()["title"] != title || got.Header.Get("Idempotency-Replayed") != "" {
				t.Errorf("PATCH to %s: %s", title, got.Raw)
			}
		}
	})
}

func TestAKeyCanBeRequired(t *testing.T) {
	each(t, func(w *world) {
		w.handler = rest.New(rest.Config{DB: w.db, KeyRequired: []string{"createPost"}, Log: quiet(t)})
		refused := w.do(w.ada, "POST", "/api/v1/posts", postBody("Keyless")).want(400)
		if refused.details()[keyHeader] != "is required" {
			t.Error(refused.Raw)
		}
		w.do(w.ada, "POST", "/api/v1/posts", postBody("Keyed"), keyHeader, "k").want(201)
	})
}

// TestManyAtOnce sends each key many times at once. One request has an
// effect; whoever is told that it runs gets its answer later. At full size:
// go test ./rest -run ManyAtOnce -args -keys 500 -requests 200.
func TestManyAtOnce(t *testing.T) {
	each(t, func(w *world) {
		var all sync.WaitGroup
		answers := make([][]*answer, *keys)
		send := func(key, i int) {
			title := fmt.Sprintf("Key %d", key)
			answers[key][i] = w.send(w.ada, "POST", "/api/v1/posts", postBody(title), keyHeader, title)
		}
		for key := range answers {
			answers[key] = make([]*answer, *requests)
			for i := range *requests {
				all.Go(func() { send(key, i) })
			}
		}
		all.Wait()
		for key := range answers {
			made, text := 0, ""
			for i := range answers[key] {
				a := answers[key][i]
				if a.Status == http.StatusConflict || a.Status == http.StatusServiceUnavailable { // it ran, or the database was busy
					if a.Header.Get("Retry-After") == "" {
						t.Fatalf("%d does not say when to come again: %s", a.Status, a.Raw)
					}
					send(key, i)
					a = answers[key][i]
				}
				if a.want(201); a.Header.Get("Idempotency-Replayed") == "" {
					made++
				}
				if text == "" {
					text = a.Raw
				}
				if a.Raw != text {
					t.Errorf("key %d: answered %s, want %s", key, a.Raw, text)
				}
			}
			if made != 1 {
				t.Errorf("key %d was executed %d times", key, made)
			}
		}
		if got := w.posts(); got != *keys {
			t.Errorf("there are %d posts, want %d", got, *keys)
		}
	})
}
