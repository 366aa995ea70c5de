package rest_test

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// many makes posts of the viewer.
func (w *world) many(author *viewer.Viewer, n int) {
	w.t.Helper()
	made := make([]*ent.PostCreate, 0, n)
	for i := range n {
		made = append(made, w.ent.Post.Create().SetTitle(fmt.Sprintf("Post %d", i)).SetContent("c").SetPublished(true).SetAuthorID(userID(author)))
	}
	for ; len(made) > 0; made = made[min(len(made), 200):] {
		if err := w.ent.Post.CreateBulk(made[:min(len(made), 200)]...).Exec(w.system); err != nil {
			w.t.Fatal(err)
		}
	}
}

// watched looks at the database each time when something is written.
type watched struct {
	*httptest.ResponseRecorder
	wrote func()
}

func (w watched) Write(b []byte) (int, error) {
	w.wrote()
	return w.ResponseRecorder.Write(b)
}

// A list as a whole has each row once, in statements that do not grow with it, and
// holds nothing of the database while the client reads.
func TestAListAsAWhole(t *testing.T) {
	each(t, func(w *world) {
		const n = 1234
		w.many(w.ada, n)
		w.post(w.bob, "A draft of another", false)
		for _, c := range []struct{ accept, query string }{
			{"text/csv", "?limit=all"}, {"text/csv; header=absent", "?limit=all&sort=title"}, {"application/x-ndjson", "?limit=all&fields=id,title"},
			{"application/x-ndjson", fmt.Sprintf("?limit=all&author=%d&sort=-id&expand=author", w.ada.UserID)},
		} {
			w.log.Reset()
			r := httptest.NewRequestWithContext(store.WithStatementLog(viewer.With(t.Context(), w.ada), w.log), "GET", "/api/v1/posts"+c.query, http.NoBody)
			r.Header.Set("Accept", c.accept)
			a, writes := watched{ResponseRecorder: httptest.NewRecorder()}, 0
			a.wrote = func() {
				writes++
				for pool, stats := range w.db.Pools() {
					if stats.InUse != 0 {
						t.Errorf("%s: %d connections of %s are in use while it is written", c.query, stats.InUse, pool)
					}
				}
			}
			w.handler.ServeHTTP(a, r)
			body := a.Body.String()
			if a.Code != 200 || !strings.Contains(a.Header().Get("Content-Disposition"), "attachment; filename=posts.") {
				t.Fatalf("%s: %d %v %.300s", c.query, a.Code, a.Header(), body)
			}
			ids := map[string]bool{}
			if strings.HasPrefix(c.accept, "text/csv") {
				rows, err := csv.NewReader(strings.NewReader(body)).ReadAll()
				if err != nil {
					t.Fatal(err)
				}
				if rows[0][0] == "id" != (c.accept == "text/csv") {
					t.Errorf("%s begins with %q", c.accept, rows[0])
				}
				for _, row := range rows {
					ids[row[0]] = true
				}
				delete(ids, "id")
			} else {
				for line := range strings.Lines(body) {
					var item map[string]any
					if err := json.Unmarshal([]byte(line), &item); err != nil || item["actions"] != nil {
						t.Fatalf("%q: %v", line, err)
					}
					ids[fmt.Sprint(item["id"])] = true
				}
			}
			if len(ids) != n {
				t.Errorf("%s %s: %d rows, want %d", c.accept, c.query, len(ids), n)
			}
			batches := 3
			if strings.Contains(c.query, "expand") {
				batches = 13 // of a hundred, each with its authors
			}
			if got := len(w.log.Statements()); got != batches || writes < 3 {
				t.Errorf("%s %s: %d statements in %d writes, want %d", c.accept, c.query, got, writes, batches)
			}
		}
		for query, accept := range map[string]string{"?limit=all": "application/json", "?limit=all&x=": "application/xml", "?limit=all&page=1": "text/csv", "?limit=all&cursor=": "text/csv", "?limit=ALL": "text/csv"} {
			w.do(w.ada, "GET", "/api/v1/posts"+query, "", "Accept", accept).want(400)
		}
		for version, allowed := range map[string]string{"v1": "created_at, updated_at", "v2": "createdAt, updatedAt"} {
			for _, accept := range []string{"text/csv", "application/x-ndjson"} {
				for _, query := range []string{"fields=actions", "fields=id,actions", "expand=author&fields=author.actions,id"} {
					a := w.do(w.ada, "GET", "/api/"+version+"/posts?limit=all&"+query, "", "Accept", accept).want(400)
					_, listed, ok := strings.Cut(a.Raw, "is not part of a list as a whole (limit=all); allowed: id, ")
					listed, _, _ = strings.Cut(listed, `"`)
					if !ok || strings.Contains(listed, "actions") || strings.HasPrefix(query, "fields") && !strings.Contains(listed, allowed) {
						t.Errorf("%s: %s", query, a.Raw)
					}
				}
			}
		}
		if a := w.send(w.ada, "HEAD", "/api/v1/posts?limit=all", "", "Accept", "text/csv").want(200); a.Raw != "" {
			t.Errorf("HEAD: %q", a.Raw)
		}
	})
}

// purse has room for so much.
type purse struct{ left, charged int }

func (a *purse) Left() int { return a.left }

func (a *purse) Charge(_ context.Context, n int) (ratelimit.Result, error) {
	if n > a.left {
		return ratelimit.Result{}, problem.New(problem.RateLimited, "too many requests")
	}
	a.left, a.charged = a.left-n, a.charged+n
	return ratelimit.Result{Taken: n}, nil
}

func (a *purse) Return(_ context.Context, _ ratelimit.Result, n int) {
	a.left, a.charged = a.left+n, a.charged-n
}

// A list as a whole is charged by its rows.
func TestAListAsAWholeIsCharged(t *testing.T) {
	each(t, func(w *world) {
		w.many(w.ada, 1001)
		a := &purse{left: 100}
		r := httptest.NewRequestWithContext(ratelimit.WithAccount(viewer.With(t.Context(), w.ada), a), "GET", "/api/v1/posts?limit=all", http.NoBody)
		r.Header.Set("Accept", "text/csv")
		answer := httptest.NewRecorder()
		w.handler.ServeHTTP(answer, r)
		if answer.Code != 200 || a.charged != 10 {
			t.Errorf("%d, charged %d, want 10: 1,001 rows, of which the last is alone in its batch", answer.Code, a.charged)
		}
		a.left = 4
		answer = httptest.NewRecorder()
		w.handler.ServeHTTP(answer, r)
		if answer.Code != 429 {
			t.Errorf("without room: %d %.200s", answer.Code, answer.Body)
		}
	})
}

// ended are callers whose rights end after some looks.
type ended struct {
	looks int
	then  *viewer.Viewer
}

func (e *ended) Still(_ context.Context, was *viewer.Viewer) (*viewer.Viewer, error) {
	if e.looks--; e.looks >= 0 {
		return was, nil
	}
	if e.then == nil {
		return nil, problem.New(problem.TokenInvalid, "the token is no longer valid")
	}
	return e.then, nil
}

// A list as a whole ends when the rights end by which it began.
func TestAListAsAWholeEndsWithTheRights(t *testing.T) {
	each(t, func(w *world) {
		w.many(w.ada, 1600)
		demoted := *w.ada
		demoted.Role = "editor"
		for name, callers := range map[string]*ended{"revoked": {looks: 1}, "another role": {looks: 1, then: &demoted}} {
			c := w.config()
			c.REST.Callers = callers
			api := serve(t, c)
			r := httptest.NewRequestWithContext(viewer.With(t.Context(), w.ada), "GET", "/api/v1/posts?limit=all&fields=id", http.NoBody)
			r.Header.Set("Accept", "application/x-ndjson")
			a := httptest.NewRecorder()
			cut := func() (cut error) {
				defer func() { cut, _ = recover().(error) }()
				api.ServeHTTP(a, r)
				return nil
			}()
			if rows := strings.Count(a.Body.String(), "\n"); !errors.Is(cut, http.ErrAbortHandler) || rows != 1000 {
				t.Errorf("%s: %d rows, and then %v: want two batches of 500, and the answer cut off", name, rows, cut)
			}
		}
	})
}
