package rest_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/viewer"
)

func userPath(v *viewer.Viewer, more ...string) string {
	return fmt.Sprintf("/api/v1/users/%d", v.UserID) + strings.Join(more, "")
}

func TestWhoMayChangeTheStandingOfUsers(t *testing.T) {
	each(t, func(w *world) {
		reader := &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Read, viewer.Write}}
		for _, action := range []string{"/activate", "/deactivate", "/restore"} {
			for _, c := range []struct {
				who    *viewer.Viewer
				path   string
				status int
			}{
				{w.nobody, userPath(w.ada), 401},
				{w.nobody, "/api/v1/users/x", 401},
				{w.ada, userPath(w.ada), 403},
				{w.bob, userPath(w.ada), 403},
				{w.moderator, "/api/v1/users/x", 403},
				{reader, userPath(w.ada), 403},
				{w.admin, "/api/v1/users/99999", 404},
				{w.admin, "/api/v1/users/x", 400},
			} {
				w.do(c.who, "POST", c.path+action, "").want(c.status)
			}
			w.do(w.admin, "GET", userPath(w.ada, action), "").want(405)
		}
	})
}

func TestActivation(t *testing.T) {
	each(t, func(w *world) {
		for _, step := range []struct {
			action string
			status int
			active bool
		}{
			{"/activate", 409, true}, {"/deactivate", 200, false}, {"/deactivate", 409, false}, {"/activate", 200, true},
		} {
			a := w.do(w.admin, "POST", userPath(w.ada, step.action), "").want(step.status)
			if step.status == 409 && a.at("error", "code") != "CONFLICT" {
				t.Errorf("%s: %s", step.action, a.Raw)
			}
			user := w.do(w.admin, "GET", userPath(w.ada), "").want(200)
			if user.data()["is_active"] != step.active || step.status == 200 && (user.Raw != a.Raw || a.Header.Get("ETag") == "") {
				t.Errorf("%s: %s, then %s", step.action, a.Raw, user.Raw)
			}
		}
		if v := w.do(w.admin, "GET", userPath(w.ada), "").data()["version"]; v != 3. {
			t.Errorf("version %v after two changes, want 3", v)
		}
		n := storetest.Count(t, w.db, "events WHERE topic = 'user.status' AND entity_id = $1", w.ada.UserID)
		if n != 2 {
			t.Errorf("%d events, want 2", n)
		}
		if a := w.do(w.admin, "POST", userPath(w.ada, "/deactivate?fields=id,is_active"), "").want(200); len(a.data()) != 2 {
			t.Errorf("shaped: %s", a.Raw)
		}
		w.do(w.admin, "POST", userPath(w.ada, "/activate?nonsense=1"), "").want(400)
		w.do(w.admin, "POST", userPath(w.ada, "/activate"), "", "If-Match", `"stale"`).want(412)
	})
}

func TestARestoreBringsBackWhatTheDeletionTook(t *testing.T) {
	each(t, func(w *world) {
		kept, gone := w.post(w.ada, "Kept", true), w.post(w.ada, "Gone before", true)
		w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", kept), `{"text":"Mine."}`).want(201)
		w.do(w.ada, "DELETE", fmt.Sprintf("/api/v1/posts/%d", gone), "").want(204)
		w.do(w.admin, "POST", userPath(w.ada, "/restore"), "").want(409)
		w.do(w.admin, "DELETE", userPath(w.ada), "").want(204)
		w.do(w.nobody, "GET", fmt.Sprintf("/api/v1/posts/%d", kept), "").want(404)
		for _, action := range []string{"/activate", "/deactivate"} {
			w.do(w.admin, "POST", userPath(w.ada, action), "").want(404)
		}
		for _, body := range []string{`{"name":"Eve"}`, `null`, `[]`} {
			w.do(w.admin, "POST", userPath(w.ada, "/restore"), body).want(400)
		}
		w.do(w.admin, "POST", userPath(w.ada, "/restore"), `{"name":"Eve"}`).want(400).has(`"field":"name","message":"is unknown: this action takes no input"`)
		a := w.do(w.admin, "POST", userPath(w.ada, "/restore"), `{}`).want(200)
		if a.data()["deleted_at"] != nil || a.data()["is_active"] != true {
			t.Errorf("restored %s", a.Raw)
		}
		w.do(w.admin, "POST", userPath(w.ada, "/restore"), "").want(409)
		comments := w.do(w.nobody, "GET", fmt.Sprintf("/api/v1/posts/%d/comments", kept), "").want(200).list()
		if len(comments) != 1 {
			t.Errorf("comments %v", comments)
		}
		w.do(w.nobody, "GET", fmt.Sprintf("/api/v1/posts/%d", gone), "").want(404)
	})
}

func TestDeactivationEndsEverySignIn(t *testing.T) {
	receive(t, func(t *testing.T, r *reception) {
		ada, admin := r.signUp("Ada", "ada@example.com"), r.signUp("Grace", "grace@example.com")
		me := ada.do("GET", "/api/v1/auth/me", "").want(200).data()
		session := r.visitor()
		session.do("POST", "/api/v1/auth/login?mode=session", `{"email":"ada@example.com","password":"correct horse 1"}`).want(200)
		r.promote("grace@example.com")
		r.pass(2e9)
		path := fmt.Sprintf("/api/v1/users/%v", me["id"])
		admin.do("POST", path+"/deactivate", "").want(200)
		r.pass(2e9)
		ada.do("GET", "/api/v1/auth/me", "").want(401)
		ada.do("POST", "/api/v1/auth/refresh", "").want(401)
		session.do("GET", "/api/v1/auth/me", "").want(401)
		r.visitor().do("POST", "/api/v1/auth/login", `{"email":"ada@example.com","password":"correct horse 1"}`).want(401)
		admin.do("POST", path+"/activate", "").want(200)
		r.pass(2e9)
		ada.do("GET", "/api/v1/auth/me", "").want(401) // what has ended stays so
		r.visitor().do("POST", "/api/v1/auth/login", `{"email":"ada@example.com","password":"correct horse 1"}`).want(200)
	})
}

func TestAnIDIsWrittenInOneWay(t *testing.T) {
	each(t, func(w *world) {
		for _, id := range []string{"01", "+1", "%2B1", "1.0", "-1", "0", "1e0", "0x1", "x", "%201", "9223372036854775808", "１"} {
			for _, method := range []string{"GET", "HEAD", "DELETE"} {
				a := w.do(w.admin, method, "/api/v1/users/"+id, "").want(http.StatusBadRequest)
				if method != "HEAD" && a.details()["id"] == "" {
					t.Errorf("%s: %s", id, a.Raw)
				}
			}
			w.do(w.nobody, "GET", "/api/v1/users/"+id, "").want(401)
		}
		a := w.do(w.admin, "GET", "/api/v1/users/01/posts/+2", "").want(400)
		if len(a.details()) != 2 {
			t.Errorf("two ids: %s", a.Raw)
		}
		w.do(w.admin, "GET", "/api/v1/users/9223372036854775807", "").want(404)
	})
}
