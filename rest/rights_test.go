package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

// A softly deleted row lists the action restore, with or without other actions.
func TestDeletedRowsOfferToBeRestored(t *testing.T) {
	each(t, func(w *world) {
		post := fmt.Sprintf("/api/v1/posts/%d", w.post(w.ada, "Shown", true))
		product := w.do(w.admin, "POST", "/api/v1/products", `{"name":"Lamp","price":5,"stock":3}`).want(201).Header.Get("Location")
		category := w.do(w.admin, "POST", "/api/v1/categories", `{"name":"old-tools"}`).want(201).Header.Get("Location")
		comment := w.do(w.bob, "POST", post+"/comments", `{"text":"Nice."}`).want(201).Header.Get("Location")
		for _, path := range []string{post, product, category, comment} {
			if a := w.do(w.admin, "GET", path, "").want(200); strings.Contains(a.Raw, `"restore"`) {
				t.Errorf("%s: %s", a.asked, a.Raw)
			}
		}
		for _, path := range []string{comment, post, product, category} {
			w.send(w.admin, "DELETE", path, "").want(204)
			a := w.do(w.admin, "GET", path+"?include_deleted=true", "").want(200)
			actions, _ := a.data()["actions"].([]any)
			if len(actions) != 1 {
				t.Fatalf("%s: %s", a.asked, a.Raw)
			}
			offer := actions[0].(map[string]any)
			if offer["name"] != "restore" || offer["method"] != "POST" || offer["href"] != path+"/restore" {
				t.Errorf("%s: offers %v", a.asked, offer)
			}
		}
		for _, path := range []string{category, product, post, comment} {
			w.send(w.admin, "POST", path+"/restore", "").want(200)
		}
	})
}

// A row says what its reader may do to it, by the policies, without a statement for
// each row.
func TestRowsSayWhatTheViewerMayDo(t *testing.T) {
	each(t, func(w *world) {
		own, other := w.post(w.ada, "Hers", true), w.post(w.bob, "His", true)
		may := func(a *answer) string {
			return fmt.Sprint(a.data()["viewer_can_update"], " ", a.data()["viewer_can_delete"])
		}
		for _, c := range []struct {
			who  *viewer.Viewer
			id   int64
			want string
		}{
			{w.ada, own, "true true"}, {w.ada, other, "false false"}, {w.admin, own, "true true"},
			{w.moderator, own, "false true"}, {w.nobody, own, "false false"},
		} {
			path := fmt.Sprintf("/api/v1/posts/%d", c.id)
			a := w.do(c.who, "GET", path, "").want(200)
			if got := may(a); got != c.want {
				t.Errorf("%s: %s for %v, want %s", a.asked, got, c.who, c.want)
			}
			// The listed rights hold.
			status := map[string]int{"true": 200, "false": 403}[strings.Fields(c.want)[0]]
			if c.who == w.nobody {
				status = 401
			}
			w.send(c.who, "PATCH", path, `{"content":"New."}`).want(status)
		}
		if a := w.do(w.ada, "GET", "/api/v1/posts", "").want(200); strings.Contains(a.Raw, "viewer_can_") {
			t.Errorf("a list says it unasked: %s", a.Raw)
		}
		for range 8 {
			w.post(w.ada, "More", true)
		}
		a := w.do(w.ada, "GET", "/api/v1/posts?fields=id,viewer_can_update,viewer_can_delete&sort=id", "").want(200)
		statements := len(w.log.Statements())
		for _, item := range a.list() {
			if want := item["id"] != float64(other); item["viewer_can_update"] != want || item["viewer_can_delete"] != want {
				t.Errorf("%v, want %v", item, want)
			}
		}
		w.do(w.ada, "GET", "/api/v1/posts?fields=id&sort=id&limit=1", "").want(200)
		if n := len(w.log.Statements()); n != statements {
			t.Errorf("%d statements for ten rows, %d for one without", statements, n)
		}
		user := fmt.Sprintf("/api/v1/users/%d", w.ada.UserID)
		if got := may(w.do(w.ada, "GET", user, "").want(200)); got != "true false" {
			t.Errorf("her own account: %s", got)
		}
		if got := may(w.do(w.bob, "GET", user, "").want(200)); got != "false false" {
			t.Errorf("another's account: %s", got)
		}
		// A row that is sent back as it was read is taken.
		read := w.do(w.ada, "GET", fmt.Sprintf("/api/v2/posts/%d?fields=title,content,viewerCanUpdate", own), "").want(200)
		w.send(w.ada, "PATCH", fmt.Sprintf("/api/v2/posts/%d", own), strings.TrimSuffix(strings.SplitN(read.Raw, `"post":`, 2)[1], "}}")).want(200)
		w.send(w.ada, "PATCH", fmt.Sprintf("/api/v2/posts/%d", own), `{"viewerCanUpdate":false}`).want(400)
	})
}

// JSON is answered under the name of the API's own that was asked for.
func TestJSONIsAnsweredByTheNameAskedFor(t *testing.T) {
	each(t, func(w *world) {
		w.post(w.ada, "Shown", true)
		for accept, want := range map[string]string{
			"application/vnd.entwine.v1+json":                               "application/vnd.entwine.v1+json",
			"application/vnd.entwine.v2+json":                               "application/vnd.entwine.v2+json",
			"application/vnd.entwine+json":                                  "application/vnd.entwine+json",
			"application/json, application/vnd.entwine.v1+json;q=0.9":       "application/json",
			"application/json;q=0.5, application/vnd.entwine.v2+json;q=0.8": "application/vnd.entwine.v2+json",
			"text/html, application/vnd.entwine.v1+json;q=0.2":              "application/vnd.entwine.v1+json",
			"application/xml, application/vnd.entwine.v1+json;q=0.2":        "application/xml",
			"*/*": "application/json", "application/*": "application/json",
		} {
			for path, status := range map[string]int{"posts": 200, "posts/1": 200, "posts/99": 404, "search?q=shown": 200, "posts?x=1": 400} {
				a := w.send(w.ada, "GET", "/api/"+path, "", "Accept", accept).want(status)
				if got, _, _ := strings.Cut(a.Header.Get("Content-Type"), ";"); got != want {
					t.Errorf("%s with Accept: %s: %s, want %s", a.asked, accept, got, want)
				}
			}
			a := w.send(w.ada, "POST", "/api/posts", `{"title":"T","content":"c"}`, "Accept", accept).want(201)
			if got := a.Header.Get("Content-Type"); !strings.HasPrefix(got, want) {
				t.Errorf("%s with Accept: %s: %s, want %s", a.asked, accept, got, want)
			}
		}
	})
}
