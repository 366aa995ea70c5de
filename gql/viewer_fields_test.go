package gql_test

import "testing"

func TestWhatTheViewerHasDone(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "Liked", 1)
		w.post(1, "Other", 2)
		w.as("bob", `mutation { likePost(postId: 1) { post { viewerHasLiked } } followUser(userId: 1) { user { viewerIsFollowing } } }`).
			wants(w.T, `{"likePost":{"post":{"viewerHasLiked":true}},"followUser":{"user":{"viewerIsFollowing":true}}}`)
		const query = `{ postsConnection { edges { node { title viewerHasLiked author { name viewerIsFollowing posts(first: 2) { viewerHasLiked } } } } } }`
		w.as("bob", query).wants(w.T, `{"postsConnection":{"edges":[
			{"node":{"title":"Other","viewerHasLiked":false,"author":{"name":"Ada","viewerIsFollowing":true,"posts":[{"viewerHasLiked":false},{"viewerHasLiked":true}]}}},
			{"node":{"title":"Liked","viewerHasLiked":true,"author":{"name":"Ada","viewerIsFollowing":true,"posts":[{"viewerHasLiked":false},{"viewerHasLiked":true}]}}}]}}`)
		if len(w.statements) != 2 {
			t.Errorf("%d statements: %q", len(w.statements), w.statements)
		}
		w.as("nobody", `{ post(id: 1) { viewerHasLiked author { viewerIsFollowing } } }`).wants(w.T, `{"post":{"viewerHasLiked":false,"author":{"viewerIsFollowing":false}}}`)
		w.as("ada", `{ user(id: 2) { viewerIsFollowing following { name viewerIsFollowing } } }`).wants(w.T, `{"user":{"viewerIsFollowing":false,"following":[{"name":"Ada","viewerIsFollowing":false}]}}`)
	})
}

func TestContentAsHTML(t *testing.T) {
	each(t, func(w *world) {
		p := w.post(1, "Marked up", 1)
		w.client.Post.UpdateOne(p).SetContent("*A*<script>x</script>").ExecX(w.system())
		w.as("nobody", `{ post(id: 1) { content html: contentHtml } }`).wants(w.T, `{"post":{"content":"*A*<script>x</script>","html":"<p><em>A</em>x</p>\n"}}`)
	})
}
