package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A deleted user takes along what belongs to them, a restored one brings back
// exactly that, and one who is removed leaves nothing.
func TestWhatBelongsToADeletedUser(t *testing.T) {
	each(t, func(w *world) {
		user := fmt.Sprintf("/api/v1/users/%d", w.ada.UserID)
		kept, early, others := w.post(w.ada, "Kept", true), w.post(w.ada, "Deleted before", true), w.post(w.bob, "Bob's", true)
		path := func(id int64) string { return fmt.Sprintf("/api/v1/posts/%d", id) }
		comment := fmt.Sprintf("/api/v1/comments/%v", w.do(w.ada, "POST", path(others)+"/comments", `{"text":"Mine."}`).want(201).at("data", "id"))
		w.do(w.ada, "DELETE", path(early), "").want(204)

		reads := func(post, said int) {
			t.Helper()
			w.do(w.bob, "GET", path(kept), "").want(post)
			w.do(w.bob, "GET", comment, "").want(said)
			w.do(w.bob, "GET", path(early), "").want(404)
			w.do(w.bob, "GET", path(others), "").want(200)
		}
		reads(200, 200)
		w.do(w.admin, "DELETE", user, "").want(204)
		reads(404, 404)
		w.do(w.admin, "GET", path(kept)+"?include_deleted=true", "").want(200)
		w.do(w.admin, "POST", user+"/restore", "").want(200)
		reads(200, 200)
		w.do(w.admin, "DELETE", user+"?hard=true", "").want(204)
		reads(404, 404)
		w.do(w.admin, "GET", path(kept)+"?include_deleted=true", "").want(404)
		w.do(w.admin, "GET", path(early)+"?include_deleted=true", "").want(404)
	})
}

// The rows of a deleted user are hidden at once, however many there are, and a restoration
// brings all of them back; meanwhile the deletion and the restoration are answered as any.
func TestMuchBelongsToADeletedUser(t *testing.T) {
	each(t, func(w *world) {
		const many = 600 // more than the deletion takes along itself
		user, others := fmt.Sprintf("/api/v1/users/%d", w.ada.UserID), w.post(w.bob, "Bob's", true)
		hidden := w.post(w.ada, "Ada's", true)
		var all []*ent.CommentCreate
		for range many {
			all = append(all, w.ent.Comment.Create().SetText("Ada's").SetPostID(typedid.PostID(others)).SetAuthorID(typedid.UserID(w.ada.UserID)))
		}
		w.ent.Comment.CreateBulk(all...).ExecX(w.system)
		last := fmt.Sprint(int64(w.ent.Comment.Query().Order(ent.Desc("id")).FirstIDX(w.system)))
		reads := func(total float64, one int) {
			t.Helper()
			for _, path := range []string{fmt.Sprintf("/api/v1/posts/%d/comments", others), "/api/v1/comments"} {
				if got := w.do(w.bob, "GET", path, "").want(200).at("pagination", "total"); got != total {
					t.Errorf("%s has %v comments, want %v", path, got, total)
				}
			}
			if got := w.do(w.bob, "GET", "/api/v2/comments", "").want(200).at("pagination", "total"); got != total {
				t.Errorf("version 2 has %v comments, want %v", got, total)
			}
			w.do(w.bob, "GET", "/api/v1/comments/"+last, "").want(one)
		}
		reads(many, 200)
		w.do(w.admin, "DELETE", user, "").want(204)
		reads(0, 404)
		w.do(w.bob, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", hidden), `{"text":"Bob's"}`).want(404)
		said := w.do(w.bob, "POST", fmt.Sprintf("/api/v1/posts/%d/comments", others), `{"text":"Bob's"}`).want(201).at("data", "id")
		w.do(w.bob, "DELETE", fmt.Sprintf("/api/v1/comments/%v", said), "").want(204)
		w.do(w.admin, "DELETE", user, "").want(404)
		w.do(w.admin, "DELETE", "/api/v1/comments/"+last, "").want(404)
		w.do(w.admin, "POST", user+"/restore", "").want(200)
		w.recount()
		reads(many, 200)
	})
}

// A user who is removed for good with much is gone at once for all who read, with all that
// belongs to them, and their e-mail address is free; a job removes it.
func TestMuchBelongsToARemovedUser(t *testing.T) {
	each(t, func(w *world) {
		const many = 1100 // more than goes in the request
		user, others := fmt.Sprintf("/api/v1/users/%d", w.ada.UserID), w.post(w.bob, "Bob's", true)
		adas, email := w.post(w.ada, "Ada's", true), w.do(w.admin, "GET", user, "").want(200).at("data", "email")
		var all []*ent.CommentCreate
		for range many {
			all = append(all, w.ent.Comment.Create().SetText("Ada's").SetPostID(typedid.PostID(others)).SetAuthorID(typedid.UserID(w.ada.UserID)))
		}
		w.ent.Comment.CreateBulk(all...).ExecX(w.system)
		w.do(w.ada, "POST", fmt.Sprintf("/api/v1/posts/%d/like", others), "").want(201)
		w.do(w.bob, "POST", user+"/follow", "").want(201)
		ofBob := fmt.Sprintf("/api/v1/users/%d", w.bob.UserID)
		w.do(w.ada, "POST", ofBob+"/follow", "").want(201)
		last := fmt.Sprint(int64(w.ent.Comment.Query().Order(ent.Desc("id")).FirstIDX(w.system)))
		gone := func(when string) {
			t.Helper()
			for _, who := range []*viewer.Viewer{w.bob, w.admin} {
				for _, deleted := range []string{"", "include_deleted=true"} {
					for _, path := range []string{user, fmt.Sprintf("/api/v1/posts/%d", adas), "/api/v1/comments/" + last, "/api/v2" + strings.TrimPrefix(user, "/api/v1")} {
						if deleted == "" || who == w.admin {
							w.do(who, "GET", path+"?"+deleted, "").want(404)
						}
					}
				}
			}
			for _, path := range []string{fmt.Sprintf("/api/v1/posts/%d/comments?", others), "/api/v1/comments?", "/api/v1/comments?include_deleted=true&"} {
				if got := w.do(w.admin, "GET", path, "").want(200).at("pagination", "total"); got != 0.0 {
					t.Errorf("%s: %s has %v comments", when, path, got)
				}
			}
			for _, path := range []string{user, user + "?hard=true"} {
				w.do(w.admin, "DELETE", path, "").want(404)
			}
			w.do(w.admin, "POST", user+"/restore", "").want(404)
			if n := w.do(w.bob, "GET", fmt.Sprintf("/api/v1/posts/%d", others), "").want(200).at("data", "likes_count"); n != 0.0 {
				t.Errorf("%s: %v likes are shown", when, n)
			}
			bob := w.do(w.bob, "GET", ofBob, "").want(200)
			if bob.at("data", "followers_count") != 0.0 || bob.at("data", "following_count") != 0.0 {
				t.Errorf("%s: %s follows or is followed", when, bob.Raw)
			}
			if got := w.do(w.admin, "GET", "/api/v1/users?include_deleted=true&search=ada", "").want(200).at("pagination", "total"); got != 0.0 {
				t.Errorf("%s: %v users are found", when, got)
			}
		}
		w.do(w.admin, "DELETE", user+"?hard=true", "").want(204)
		if n := storetest.Count(t, w.db, "comments"); n != many {
			t.Errorf("the request left %d comments, want all %d", n, many)
		}
		gone("before the job")
		w.recount()
		gone("after the job")
		w.do(w.admin, "POST", "/api/v1/users", fmt.Sprintf(`{"name":"Another","email":%q}`, email)).want(201)
	})
}

// recount does the job that a deletion or a restoration has left, as a worker would.
func (w *world) recount() {
	w.t.Helper()
	all := w.ent.Job.Query().Where(job.Kind("recount"), job.FinishedAtIsNil()).IDsX(w.system)
	if len(all) != 1 {
		w.t.Fatalf("%d jobs count, want 1", len(all))
	}
	runner := jobs.NewRunner(w.db, w.work.Bus, w.work.Log, jobs.NewRecount(w.db))
	defer runner.Stop(w.system)
	if err := runner.Run(w.system, int64(all[0])); err != nil {
		w.t.Fatal(err)
	}
	if j := w.ent.Job.GetX(w.system, all[0]); j.Status != job.StatusSucceeded {
		w.t.Errorf("the job is %s", j.Status)
	}
}

// Readers see at once that a deleted user likes and follows nothing, and a restored one does,
// before anything is counted.
func TestCountsFollowADeletionAtOnce(t *testing.T) {
	each(t, func(w *world) {
		post := fmt.Sprintf("/api/v1/posts/%d", w.post(w.ada, "Liked", true))
		user, followed := fmt.Sprintf("/api/v1/users/%d", w.bob.UserID), fmt.Sprintf("/api/v1/users/%d", w.ada.UserID)
		for _, who := range []*viewer.Viewer{w.bob, w.moderator} {
			w.do(who, "POST", post+"/like", "").want(201)
			w.do(who, "POST", followed+"/follow", "").want(201)
		}
		w.do(w.ada, "POST", user+"/follow", "").want(201)
		counts := func(want, following float64) {
			t.Helper()
			if n := w.do(w.nobody, "GET", post, "").want(200).at("data", "likes_count"); n != want {
				t.Errorf("%v likes are shown, want %v", n, want)
			}
			if n := w.do(w.nobody, "GET", "/api/v1/posts?likes_count[gte]=2", "").want(200).list(); len(n) != int(want)-1 {
				t.Errorf("a filter finds %v of %v likes", n, want)
			}
			a := w.do(w.moderator, "GET", followed, "").want(200)
			if a.at("data", "followers_count") != want || a.at("data", "following_count") != following {
				t.Errorf("%s, want %v followers and %v following", a.Raw, want, following)
			}
		}
		counts(2, 1)
		w.do(w.admin, "DELETE", user, "").want(204)
		counts(1, 0)
		w.do(w.admin, "DELETE", user, "").want(404)
		w.do(w.moderator, "DELETE", post+"/like", "").want(204)
		if again := w.do(w.moderator, "POST", post+"/like", "").want(201); again.at("likes_count") != 1.0 {
			t.Errorf("who likes again is answered %s, want 1", again.Raw)
		}
		w.do(w.admin, "POST", user+"/restore", "").want(200)
		counts(2, 1)
		w.do(w.admin, "POST", user+"/restore", "").want(409)
		w.do(w.admin, "DELETE", user, "").want(204)
		w.recount()
		counts(1, 0)
		w.do(w.admin, "POST", user+"/restore", "").want(200)
		counts(2, 1)
	})
}
