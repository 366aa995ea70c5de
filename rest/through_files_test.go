package rest_test

import "testing"

// A caller who is shown an author's profile by a post sees the picture that it has.
func TestTheFileOfAProfileIsReadThroughAPost(t *testing.T) {
	each(t, func(w *world) {
		address := w.upload(w.ada, snapshot(300, 200))
		w.avatar(w.ada, w.ada, address).want(200)
		w.send(w.nobody, "GET", address, "").want(404)
		w.post(w.ada, "Not yet", false)
		w.send(w.nobody, "GET", address, "").want(404)

		w.post(w.ada, "On the Analytical Engine", true)
		shown := w.send(w.nobody, "GET", "/api/v1/posts?expand=author.profile", "").want(200)
		author := shown.Body["data"].([]any)[0].(map[string]any)["author"].(map[string]any)
		if got := author["profile"].(map[string]any)["avatar"]; got != address {
			w.t.Fatalf("the post shows the avatar %v", got)
		}
		w.send(w.nobody, "GET", address, "").want(200)
		w.send(w.nobody, "GET", address+"?variant=small", "").want(200)

		// The one of a user who has published nothing stays theirs to show.
		other := w.upload(w.bob, snapshot(300, 200))
		w.avatar(w.bob, w.bob, other).want(200)
		w.send(w.nobody, "GET", other, "").want(404)
		w.send(w.nobody, "DELETE", address, "").want(401)
		w.send(w.bob, "DELETE", address, "").want(403)
	})
}
