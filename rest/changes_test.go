package rest_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

// follower is a program that keeps a copy of rows.
type follower struct {
	*world
	viewer       *viewer.Viewer
	base, entity string
	token        string
}

// follow begins.
func (w *world) follow(v *viewer.Viewer, base, entity string) *follower {
	w.t.Helper()
	f := &follower{world: w, viewer: v, base: base, entity: entity}
	if got := f.next(""); len(got) != 0 {
		w.t.Fatalf("the first answer has %v, want a token alone", got)
	}
	return f
}

// next asks for what has happened since, as "created 1 Title".
func (f *follower) next(query string) (all []string) {
	f.t.Helper()
	for {
		a := f.ask(query).want(200)
		for _, item := range a.changes() {
			c := item.(map[string]any)
			line := fmt.Sprintf("%v %v", c["type"], c["id"])
			if row, ok := c["row"].(map[string]any); ok {
				line += fmt.Sprintf(" %v", row["title"])
			}
			all = append(all, line)
		}
		f.token, _ = a.at("token").(string)
		more := a.at("has_more")
		if more == nil {
			more = a.at("hasMore")
		}
		if more != true {
			return all
		}
	}
}

// changes are the items, in the envelope of either version.
func (a *answer) changes() []any {
	if items, ok := a.at("data").([]any); ok {
		return items
	}
	items, _ := a.at("data", "changes").([]any)
	return items
}

func (f *follower) ask(query string) *answer {
	f.t.Helper()
	path := f.base + "/changes?entity=" + f.entity + query
	if f.token != "" {
		path += "&since=" + url.QueryEscape(f.token)
	}
	a := f.send(f.viewer, "GET", path, "")
	a.keepsContract("GET", path)
	return a
}

func (f *follower) want(want ...string) {
	f.t.Helper()
	if got := f.next(""); !slices.Equal(got, want) {
		f.t.Errorf("%s: %v, want %v", f.base, got, want)
	}
}

func TestProgramsFollowWhatBecomesOfRows(t *testing.T) {
	each(t, func(w *world) {
		w.post(w.ada, "Before", true)
		reader, author, anyone := w.follow(w.bob, "/api/v1", "posts"), w.follow(w.ada, "/api/v1", "posts"), w.follow(viewer.Anonymous(), "/api/v1", "posts")
		draft := w.post(w.ada, "Draft", false)
		path := fmt.Sprintf("/api/v1/posts/%d", draft)
		line := func(kind, title string) string {
			return strings.TrimSuffix(fmt.Sprintf("%s %d %s", kind, draft, title), " ")
		}
		reader.want()
		author.want(line("created", "Draft"))

		w.do(w.ada, "PATCH", path, `{"title":"Nearly"}`).want(200)
		reader.want()
		author.want(line("changed", "Nearly"))

		w.do(w.ada, "POST", path+"/publish", "").want(200)
		w.do(w.ada, "PATCH", path, `{"title":"Done"}`).want(200)
		reader.want(line("created", "Done"))
		author.want(line("changed", "Done"))

		w.do(w.bob, "POST", path+"/like", "").want(201)
		reader.want(line("changed", "Done"))

		w.do(w.ada, "POST", path+"/archive", "").want(200)
		reader.want(line("gone", ""))
		author.want(line("changed", "Done"))

		w.do(w.ada, "POST", path+"/publish", "").want(200)
		reader.want(line("created", "Done"))
		w.do(w.ada, "DELETE", path, "").want(204)
		w.do(w.admin, "POST", path+"/restore", "").want(200)
		reader.want(line("changed", "Done"))
		w.do(w.ada, "DELETE", path, "").want(204)
		reader.want(line("deleted", ""))
		w.do(w.admin, "POST", path+"/restore", "").want(200)
		reader.want(line("created", "Done"))

		other := w.post(w.ada, "Other", true)
		w.do(w.admin, "DELETE", path+"?hard=true", "").want(204)
		reader.want(fmt.Sprintf("created %d Other", other), line("deleted", ""))
		anyone.want(fmt.Sprintf("created %d Other", other), line("deleted", "")) // all at once
		reader.want()
		author.next("")

		// A row that was hidden for all of its life leaves no trace for others, and its
		// author sees it.
		hidden := w.post(w.ada, "Hidden", false)
		w.do(w.admin, "DELETE", fmt.Sprintf("/api/v1/posts/%d?hard=true", hidden), "").want(204)
		reader.want()
		author.want(fmt.Sprintf("deleted %d", hidden))
	})
}

func TestAFeedOfChangesInEachVersion(t *testing.T) {
	each(t, func(w *world) {
		v2 := w.follow(w.bob, "/api/v2", "posts")
		id := w.post(w.ada, "One", true)
		a := v2.ask("&fields=title,authorId").want(200)
		c := a.changes()[0].(map[string]any)
		global, _ := c["id"].(string)
		if row := c["row"].(map[string]any); global == "" || row["title"] != "One" || row["authorId"] == nil || len(row) != 2 {
			t.Errorf("v2: %s", a.Raw)
		}
		w.do(w.bob, "GET", "/api/v2/posts/"+global, "").want(200)
		if a.at("hasMore") != false || a.at("has_more") != nil {
			t.Errorf("v2: %s", a.Raw)
		}

		v1 := w.follow(w.bob, "/api/v1", "posts")
		for i := range 5 {
			w.post(w.ada, fmt.Sprint(i), true)
		}
		a = v1.ask("&limit=2").want(200)
		if len(a.changes()) != 2 || a.at("has_more") != true {
			t.Errorf("limit=2: %s", a.Raw)
		}
		if got := v1.next("&limit=2"); len(got) != 5 {
			t.Errorf("in pages of two: %v", got)
		}
		w.post(w.ada, "As a table", true)
		if a := w.do(w.bob, "GET", "/api/v1/changes?entity=posts&fields=id,title&since="+v1.token, "", "Accept", "text/csv").want(200); !strings.HasPrefix(a.Raw, "entity,type,id,at,row\r\nposts,created,") {
			t.Errorf("CSV: %s", a.Raw)
		}
		for _, media := range []string{"text/csv", "application/x-ndjson"} {
			a := w.send(w.bob, "GET", "/api/v1/changes?entity=posts&since="+v1.token, "", "Accept", media).want(200)
			next := strings.TrimSuffix(strings.TrimPrefix(a.Header.Get("Link"), "<"), `>; rel="next"`)
			w.post(w.ada, "After "+media, true)
			if b := w.send(w.bob, "GET", next, "", "Accept", media).want(200); strings.Count(b.Raw, "Content of ") != 1 || !strings.Contains(b.Raw, "After "+media) {
				t.Errorf("%s: after %q: %s", media, next, b.Raw)
			}
		}
		_ = id
	})
}

// The changes of one row are listed from the newest on, as far as the caller could read it
// at each time.
func TestWhatBecameOfARow(t *testing.T) {
	each(t, func(w *world) {
		draft := w.post(w.ada, "Draft", false)
		path := fmt.Sprintf("/api/v1/posts/%d", draft)
		w.do(w.ada, "PATCH", path, `{"title":"Nearly"}`).want(200)
		w.do(w.ada, "POST", path+"/publish", "").want(200)
		w.do(w.ada, "PATCH", path, `{"title":"Done"}`).want(200)
		w.post(w.ada, "Other", true)

		became := func(v *viewer.Viewer, base, query string) (kinds []string, a *answer) {
			t.Helper()
			ask := base + "/changes?entity=posts" + query
			a = w.do(v, "GET", ask, "").want(200)
			a.keepsContract("GET", ask)
			for i, item := range a.changes() {
				c := item.(map[string]any)
				kinds = append(kinds, c["type"].(string))
				if (c["row"] != nil) != (i == 0) {
					t.Errorf("change %d has the row %v", i, c["row"])
				}
			}
			return kinds, a
		}
		id := fmt.Sprintf("&id=%d", draft)
		want := func(kinds []string, want ...string) {
			t.Helper()
			if !slices.Equal(kinds, want) {
				t.Errorf("%v, want %v", kinds, want)
			}
		}
		all, a := became(w.ada, "/api/v1", id)
		want(all, "changed", "changed", "changed", "created")
		if a.at("has_more") != false || a.at("token") != "" {
			t.Errorf("the author's: %s", a.Raw)
		}
		seen, _ := became(w.bob, "/api/v1", id)
		want(seen, "changed", "created") // since it was published
		first, a := became(w.ada, "/api/v1", id+"&limit=1")
		want(first, "changed")
		if a.at("has_more") != true {
			t.Errorf("of four, one: %s", a.Raw)
		}
		global := w.do(w.bob, "GET", "/api/v2/changes?entity=posts"+id, "").want(200).changes()[0].(map[string]any)["id"].(string)
		seen, _ = became(w.bob, "/api/v2", "&id="+global)
		want(seen, "changed", "created")

		hidden := w.post(w.ada, "Hidden", false)
		w.do(w.bob, "GET", fmt.Sprintf("/api/v1/changes?entity=posts&id=%d", hidden), "").want(404)
		w.do(w.bob, "GET", "/api/v1/changes?entity=posts&id=99999", "").want(404)
		if a := w.do(w.bob, "GET", "/api/v1/changes?entity=posts&since=x"+id, "").want(400); !strings.Contains(a.Raw, "cannot be given with id") {
			t.Errorf("with since: %s", a.Raw)
		}
		w.do(w.bob, "GET", "/api/v1/changes?entity=posts&id=none", "").want(400)
		w.do(viewer.Anonymous(), "GET", "/api/v1/changes?entity=orders&id=1", "").want(401)

		w.do(w.admin, "DELETE", path+"?hard=true", "").want(204)
		gone := w.do(w.bob, "GET", "/api/v1/changes?entity=posts"+id, "").want(200).changes()
		if len(gone) != 3 || gone[0].(map[string]any)["type"] != "deleted" {
			t.Errorf("of a row that is gone: %v", gone)
		}
	})
}

func TestTokensOfAFeedThatLeadNoFurther(t *testing.T) {
	each(t, func(w *world) {
		f := w.follow(w.bob, "/api/v1", "posts")
		refused := func(status int, code, part string, a *answer) {
			t.Helper()
			if a.Status != status || a.at("error", "code") != code || !strings.Contains(a.Raw, part) {
				t.Errorf("%d %s, want %d %s %q", a.Status, a.Raw, status, code, part)
			}
		}
		refused(410, "RESYNC_REQUIRED", "ask without since", w.do(w.ada, "GET", "/api/v1/changes?entity=posts&since="+f.token, ""))
		refused(410, "RESYNC_REQUIRED", "ask without since", w.do(w.bob, "GET", "/api/v1/changes?entity=products&since="+f.token, ""))
		refused(400, "VALIDATION_ERROR", "since", w.do(w.bob, "GET", "/api/v1/changes?entity=posts&since=junk", ""))
		refused(400, "VALIDATION_ERROR", "categories, orders, posts, products, users", w.do(w.bob, "GET", "/api/v1/changes?entity=comments", ""))
		refused(400, "VALIDATION_ERROR", "limit", w.do(w.bob, "GET", "/api/v1/changes?entity=posts&limit=0", ""))
		refused(400, "VALIDATION_ERROR", "offset", w.do(w.bob, "GET", "/api/v1/changes?entity=posts&offset=2", ""))
		refused(401, "AUTH_REQUIRED", "", w.do(viewer.Anonymous(), "GET", "/api/v1/changes?entity=orders", ""))

		// The database is at an earlier state.
		w.post(w.ada, "One", true)
		f.next("")
		if _, err := w.db.ExecContext(w.system, "DELETE FROM changes"); err != nil {
			t.Fatal(err)
		}
		refused(410, "RESYNC_REQUIRED", "restored", f.ask(""))
	})
}

// Writers at once, and a transaction that takes long: each change comes once.
func TestNoChangeIsMissedOrComesTwice(t *testing.T) {
	each(t, func(w *world) {
		f := w.follow(w.bob, "/api/v1", "posts")
		const writers, each = 4, 15
		var all sync.WaitGroup
		stop := make(chan struct{})
		for range writers {
			all.Go(func() {
				for i := range each {
					w.post(w.ada, fmt.Sprint(i), true)
				}
			})
		}
		go func() { all.Wait(); close(stop) }()
		seen := map[string]int{}
		look := func() {
			for _, line := range f.next("&limit=7") {
				seen[line]++
			}
		}
		for done := false; !done; look() {
			select {
			case <-stop:
				done = true
			default:
			}
		}
		if len(seen) != writers*each {
			t.Errorf("%d of %d rows came", len(seen), writers*each)
		}
		for line, n := range seen {
			if n != 1 || !strings.HasPrefix(line, "created ") {
				t.Errorf("%s came %d times", line, n)
			}
		}
		if !w.db.Postgres() { // which has one writer
			return
		}
		began, finish, ended := make(chan int64), make(chan struct{}), make(chan error)
		go func() {
			ended <- w.db.InTx(w.system, func(ctx context.Context) error {
				p, err := w.ent.Post.Create().SetTitle("Slow").SetContent("c").SetPublished(true).SetAuthorID(userID(w.ada)).Save(ctx)
				if err != nil {
					close(began)
					return err
				}
				began <- int64(p.ID)
				<-finish
				return nil
			})
		}()
		slow := <-began
		quick := w.post(w.ada, "Quick", true)
		f.want(fmt.Sprintf("created %d Quick", quick))
		close(finish)
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		f.want(fmt.Sprintf("created %d Slow", slow))
	})
}
