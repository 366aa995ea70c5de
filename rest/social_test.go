package rest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestPublishingAndArchiving(t *testing.T) {
	each(t, func(w *world) {
		draft, key := w.post(w.ada, "Draft", false), &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Read, viewer.Write}}
		path := fmt.Sprintf("/api/v1/posts/%d", draft)
		for _, c := range []struct {
			who    *viewer.Viewer
			what   string
			status int
		}{
			{w.nobody, "/publish", 401}, {key, "/publish", 403},
			{w.bob, "/publish", 404}, {w.moderator, "/publish", 404},
			{w.ada, "/publish", 200}, {w.ada, "/publish", 409}, {w.admin, "/publish", 409},
			{w.bob, "/publish", 403}, {w.moderator, "/archive", 403},
			{w.admin, "/archive", 200}, {w.ada, "/archive", 409},
			{w.bob, "/archive", 404},
			{w.ada, "/publish", 200}, {w.ada, "/archive", 200},
		} {
			w.do(c.who, "POST", path+c.what, "").want(c.status)
		}
		w.do(w.ada, "POST", "/api/v1/posts/999/publish", "").want(404)
		w.do(w.ada, "POST", "/api/v1/posts/x/publish", "").want(400)

		archived := w.do(w.ada, "GET", path, "").want(200)
		first := archived.at("data", "published_at")
		if archived.at("data", "published") != true || archived.at("data", "archived_at") == nil || archived.at("data", "version") != 5.0 {
			t.Fatalf("archived: %s", archived.Raw)
		}
		w.do(w.ada, "POST", path+"/publish", "", "If-Match", `"4"`).want(412)
		again := w.do(w.ada, "POST", path+"/publish?fields=published_at,archived_at&expand=author", "", "If-Match", `"5"`).want(200)
		if again.at("data", "published_at") != first || again.at("data", "archived_at") != nil || again.at("data", "author", "name") != "Ada Lovelace" {
			t.Fatalf("published again: %s, first %v", again.Raw, first)
		}
		hidden := fmt.Sprintf("/api/v1/posts/%d", w.post(w.ada, "Never shown", false))
		w.do(w.ada, "POST", hidden+"/archive", "").want(200)
		if p := w.do(w.ada, "POST", hidden+"/publish", "").want(200); p.at("data", "published_at") == nil || p.at("data", "archived_at") != nil {
			t.Fatalf("an archived draft, published: %s", p.Raw)
		}
	})
}

func TestLikingSharingAndFollowing(t *testing.T) {
	each(t, func(w *world) {
		shown, draft, gone := w.post(w.ada, "Shown", true), w.post(w.ada, "Draft", false), w.post(w.ada, "Gone", true)
		w.do(w.ada, "DELETE", fmt.Sprintf("/api/v1/posts/%d", gone), "").want(204)
		leaver := w.user("Leaver", "user")
		w.do(w.admin, "DELETE", fmt.Sprintf("/api/v1/users/%d", leaver.UserID), "").want(204)
		key := &viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Read, viewer.Write}}
		post := func(id int64, verb string) string { return fmt.Sprintf("/api/v1/posts/%d/%s", id, verb) }
		follow := func(v *viewer.Viewer) string { return fmt.Sprintf("/api/v1/users/%d/follow", v.UserID) }
		for _, c := range []struct {
			who                *viewer.Viewer
			method, path, body string
			status             int
			member             string
			value              float64
		}{
			{w.nobody, "POST", post(shown, "like"), "", 401, "", 0},
			{key, "POST", post(shown, "like"), "", 403, "", 0},
			{w.bob, "POST", post(shown, "like"), "", 201, "likes_count", 1},
			{w.bob, "POST", post(shown, "like"), "", 200, "likes_count", 1},
			{w.ada, "POST", post(shown, "like"), `{}`, 201, "likes_count", 2},
			{w.bob, "POST", post(shown, "like"), fmt.Sprintf(`{"user_id":%d}`, w.moderator.UserID), 403, "", 0},
			{w.admin, "POST", post(shown, "like"), fmt.Sprintf(`{"user_id":%d}`, w.moderator.UserID), 201, "likes_count", 3},
			{w.admin, "POST", post(shown, "like"), `{"user_id":999}`, 422, "", 0},
			{w.bob, "POST", post(shown, "like"), `{"who":1}`, 400, "", 0},
			{w.bob, "POST", post(draft, "like"), "", 404, "", 0},
			{w.ada, "POST", post(draft, "like"), "", 201, "likes_count", 1},
			{w.bob, "POST", post(gone, "like"), "", 404, "", 0},
			{w.bob, "POST", post(999, "like"), "", 404, "", 0},
			{w.bob, "DELETE", post(shown, "like"), "", 204, "", 0},
			{w.bob, "DELETE", post(shown, "like"), "", 204, "", 0},
			{w.bob, "DELETE", post(draft, "like"), "", 404, "", 0},
			{w.bob, "DELETE", post(999, "like"), "", 404, "", 0},
			{w.nobody, "DELETE", post(shown, "like"), "", 401, "", 0},
			{w.bob, "POST", post(shown, "share"), "", 201, "shares_count", 1},
			{w.bob, "POST", post(shown, "share"), "", 201, "shares_count", 2},
			{w.bob, "POST", post(draft, "share"), "", 404, "", 0},
			{w.bob, "POST", follow(w.ada), "", 201, "followers_count", 1},
			{w.bob, "POST", follow(w.ada), "", 200, "followers_count", 1},
			{w.admin, "POST", follow(w.ada), fmt.Sprintf(`{"follower_id":%d}`, w.moderator.UserID), 201, "followers_count", 2},
			{w.bob, "POST", follow(w.bob), "", 422, "", 0},
			{w.admin, "POST", follow(w.bob), fmt.Sprintf(`{"follower_id":%d}`, w.bob.UserID), 422, "", 0},
			{w.bob, "POST", follow(leaver), "", 404, "", 0},
			{w.bob, "POST", "/api/v1/users/999/follow", "", 404, "", 0},
			{w.bob, "DELETE", follow(w.ada), "", 204, "", 0},
			{w.bob, "DELETE", follow(w.ada), "", 204, "", 0},
			{w.bob, "DELETE", follow(w.bob), "", 204, "", 0},
			{w.bob, "DELETE", follow(leaver), "", 404, "", 0},
		} {
			a := w.do(c.who, c.method, c.path, c.body).want(c.status)
			if c.member != "" && (a.at(c.member) != c.value || a.at("status") != "success") {
				t.Errorf("%s: %s, want %s %v", a.asked, a.Raw, c.member, c.value)
			}
		}
		if url := w.do(w.ada, "POST", post(shown, "share"), "").want(201).at("url"); url != fmt.Sprintf("/api/v1/posts/%d", shown) {
			t.Errorf("url %v", url)
		}
		likes := w.do(w.nobody, "GET", post(shown, "likes")+"?expand=user", "").want(200).list()
		if len(likes) != 2 {
			t.Errorf("likes: %v", likes)
		}
		if names := w.do(w.bob, "GET", fmt.Sprintf("/api/v1/users/%d/followers", w.ada.UserID), "").want(200).all("name"); len(names) != 1 || names[0] != "Mary Moderator" {
			t.Errorf("followers: %v", names)
		}
		if names := w.do(w.bob, "GET", fmt.Sprintf("/api/v1/users/%d/following", w.moderator.UserID), "").want(200).all("name"); len(names) != 1 || names[0] != "Ada Lovelace" {
			t.Errorf("following: %v", names)
		}
	})
}

// A hundred callers who like, unlike, follow and unfollow the same few at once
// are answered nothing but what is decided, and the counts are those of the rows.
func TestACrowd(t *testing.T) {
	const callers, rounds = 100, 4
	each(t, func(w *world) {
		var people []*viewer.Viewer
		for i := range callers {
			people = append(people, w.user(fmt.Sprintf("P%d Person", i), "user"))
		}
		posts := []int64{w.post(w.ada, "One", true), w.post(w.bob, "Two", true)}
		var all sync.WaitGroup
		for i, who := range append(people, people...) { // each of them twice at once
			all.Go(func() {
				for round := range rounds {
					// Each follows their neighbours, so that callers follow each other.
					for _, path := range []string{
						fmt.Sprintf("/api/v1/posts/%d/like", posts[(i+round)%2]),
						fmt.Sprintf("/api/v1/users/%d/follow", w.ada.UserID),
						fmt.Sprintf("/api/v1/users/%d/follow", people[(i+1)%callers].UserID),
						fmt.Sprintf("/api/v1/users/%d/follow", people[(i+callers-1)%callers].UserID),
					} {
						method, allowed := "POST", []int{200, 201}
						if (i+round)%3 == 0 {
							method, allowed = "DELETE", []int{204, 204}
						}
						a := w.send(who, method, path, "")
						if a.Status != allowed[0] && a.Status != allowed[1] {
							t.Errorf("%s: %d %s", a.asked, a.Status, a.Raw)
						}
					}
				}
			})
		}
		all.Wait()
		for _, count := range []statement.Statement{
			statement.Of(`SELECT count(*) FROM posts p WHERE likes_count <> (SELECT count(*) FROM likes WHERE post_id = p.id)`),
			statement.Of(`SELECT count(*) FROM users u WHERE followers_count <> (SELECT count(*) FROM follows WHERE followee_id = u.id)`),
			statement.Of(`SELECT count(*) FROM users u WHERE following_count <> (SELECT count(*) FROM follows WHERE follower_id = u.id)`),
		} {
			var wrong int
			if _, err := count.Row(context.Background(), w.db, []any{&wrong}); err != nil || wrong > 0 {
				t.Errorf("%d counts are wrong (%v)", wrong, err)
			}
		}
	})
}
