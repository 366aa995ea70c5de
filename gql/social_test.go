package gql_test

import (
	"encoding/json"
	"slices"
	"testing"
)

func TestPublishingAndTheSocialMutations(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "Shown", 1)
		w.client.Post.Create().SetAuthorID(2).SetTitle("Draft").SetContent("…").SaveX(w.system())
		for _, c := range []struct{ who, mutation, data, code string }{
			{"nobody", `publishPost(id: "x") { id }`, `{"publishPost":null}`, "publishPost UNAUTHENTICATED"},
			{"bob", `publishPost(id: "x") { id }`, `{"publishPost":null}`, "publishPost BAD_USER_INPUT id"},
			{"mia", `publishPost(id: 2) { id }`, `{"publishPost":null}`, "publishPost NOT_FOUND"},
			{"mia", `archivePost(id: 1) { id }`, `{"archivePost":null}`, "archivePost FORBIDDEN"},
			{"bob", `publishPost(id: 2) { published title author { name } version }`, `{"publishPost":{"published":true,"title":"Draft","author":{"name":"Bob"},"version":2}}`, ""},
			{"bob", `publishPost(id: 2) { id }`, `{"publishPost":null}`, "publishPost CONFLICT"},
			{"bob", `archivePost(id: 2) { version }`, `{"archivePost":{"version":3}}`, ""},
			{"ada", `archivePost(id: 2) { id }`, `{"archivePost":null}`, "archivePost CONFLICT"},
			{"mia", `likePost(postId: 2) { liked }`, `{"likePost":null}`, "likePost NOT_FOUND"},
			{"ada", `publishPost(id: "` + id("Post", 2) + `") { archivedAt }`, `{"publishPost":{"archivedAt":null}}`, ""},

			{"nobody", `likePost(postId: 1) { liked }`, `{"likePost":null}`, "likePost UNAUTHENTICATED"},
			{"bob", `likePost(postId: 1) { liked post { title likesCount } }`, `{"likePost":{"liked":true,"post":{"title":"Shown","likesCount":1}}}`, ""},
			{"bob", `likePost(postId: 1) { post { likesCount } }`, `{"likePost":{"post":{"likesCount":1}}}`, ""},
			{"bob", `likePost(postId: "x", userId: "y") { liked }`, `{"likePost":null}`, "likePost BAD_USER_INPUT postId"},
			{"bob", `likePost(postId: 1, userId: 3) { liked }`, `{"likePost":null}`, "likePost FORBIDDEN userId"},
			{"ada", `likePost(postId: 1, userId: 3) { post { likesCount } }`, `{"likePost":{"post":{"likesCount":2}}}`, ""},
			{"ada", `likePost(postId: 1, userId: 9) { liked }`, `{"likePost":null}`, "likePost BAD_USER_INPUT userId"},
			{"bob", `unlikePost(postId: 1) { liked post { likesCount } }`, `{"unlikePost":{"liked":false,"post":{"likesCount":1}}}`, ""},
			{"bob", `unlikePost(postId: 1) { liked }`, `{"unlikePost":{"liked":false}}`, ""},
			{"bob", `unlikePost(postId: 9) { liked }`, `{"unlikePost":null}`, "unlikePost NOT_FOUND"},
			{"bob", `sharePost(postId: 1) { sharesCount url post { sharesCount } }`, `{"sharePost":{"sharesCount":1,"url":"/api/v1/posts/1","post":{"sharesCount":1}}}`, ""},
			{"bob", `followUser(userId: 1) { following user { name followersCount } }`, `{"followUser":{"following":true,"user":{"name":"Ada","followersCount":1}}}`, ""},
			{"bob", `followUser(userId: 2) { following }`, `{"followUser":null}`, "followUser BAD_USER_INPUT userId"},
			{"bob", `followUser(userId: 9) { following }`, `{"followUser":null}`, "followUser NOT_FOUND"},
			{"ada", `followUser(userId: 1, followerId: "` + id("User", 3) + `") { user { followersCount } }`, `{"followUser":{"user":{"followersCount":2}}}`, ""},
			{"bob", `unfollowUser(userId: 1) { following user { followersCount followers { name } } }`, `{"unfollowUser":{"following":false,"user":{"followersCount":1,"followers":[{"name":"Mia"}]}}}`, ""},
		} {
			a := w.as(c.who, `mutation { `+c.mutation+` }`)
			want := []string{c.code}
			if c.code == "" {
				want = nil
			}
			if got := a.codes(); compact(w.T, a.Data) != c.data || !slices.Equal(got, want) {
				w.Errorf("%s: %s: %s %q, want %s %q", c.who, c.mutation, a.Data, got, c.data, want)
			}
		}
	})
}

func TestNewPostTellsOfPostsThatAreVisibleAgain(t *testing.T) {
	onStage(t, func(s *stage) {
		draft := s.client.Post.Create().SetAuthorID(2).SetTitle("Later").SetContent("…").SaveX(s.system())
		posts := s.hear("nobody", "newPost { title }").accepted()
		act := func(mutation string) {
			a := s.as("bob", `mutation($id: ID!) { `+mutation+`(id: $id) { id } }`, "id", id("Post", int64(draft.ID)))
			if codes := a.codes(); len(codes) > 0 {
				s.Errorf("%s: %q", mutation, codes)
			}
		}
		for range 2 {
			act("publishPost")
			posts.told(`{"newPost":{"title":"Later"}}`)
			act("archivePost")
		}
	})
}

func TestTheFeed(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "Ada's first", 1)
		w.post(2, "Bob's own", 2)
		w.post(3, "Of a stranger", 3)
		w.post(1, "Ada's last", 4)
		w.as("bob", `mutation { followUser(userId: 1) { following } }`)
		var page struct {
			Feed struct {
				PageInfo struct{ EndCursor string }
			}
		}
		a := w.as("bob", `{ feed(first: 2) { totalCount pageInfo { hasNextPage endCursor } edges { node { title author { name } } } } }`)
		if err := json.Unmarshal(a.Data, &page); err != nil {
			t.Fatal(err)
		}
		cursor := page.Feed.PageInfo.EndCursor
		a.wants(w.T, `{"feed":{"totalCount":3,"pageInfo":{"hasNextPage":true,"endCursor":"`+cursor+`"},"edges":[{"node":{"title":"Ada's last","author":{"name":"Ada"}}},{"node":{"title":"Bob's own","author":{"name":"Bob"}}}]}}`)
		w.as("bob", `query($c: Cursor) { feed(after: $c) { edges { node { title } } } }`, "c", cursor).wants(w.T, `{"feed":{"edges":[{"node":{"title":"Ada's first"}}]}}`)
		w.as("bob", `{ feed(last: 1) { pageInfo { hasPreviousPage } edges { node { title } } } }`).wants(w.T, `{"feed":{"pageInfo":{"hasPreviousPage":true},"edges":[{"node":{"title":"Ada's first"}}]}}`)
		w.as("mia", `query($c: Cursor) { feed(after: $c) { totalCount } }`, "c", cursor).wants(w.T, `{"feed":null}`, "feed BAD_USER_INPUT")
		w.as("nobody", `{ feed { totalCount } }`).wants(w.T, `{"feed":null}`, "feed UNAUTHENTICATED")
	})
}

// Likes, shares and follows can be reached from users and posts, for those who
// may read both ends.
func TestWhoLikedSharedAndFollowed(t *testing.T) {
	each(t, func(w *world) {
		w.post(1, "Shown", 1)
		for _, who := range []string{"ada", "bob"} {
			w.as(who, `mutation { likePost(postId: 1) { liked } sharePost(postId: 1) { url } }`)
		}
		w.as("bob", `mutation { a: followUser(userId: 1) { following } b: followUser(userId: 3) { following } }`)
		w.as("mia", `mutation { followUser(userId: 1) { following } }`)
		for _, c := range []struct{ who, query, data, code string }{
			{"bob", `{ me { likesConnection { totalCount nodes { post { title } } } sharesConnection(where: {postId: 1}) { totalCount } likes { user { name } } } }`,
				`{"me":{"likesConnection":{"totalCount":1,"nodes":[{"post":{"title":"Shown"}}]},"sharesConnection":{"totalCount":1},"likes":[{"user":{"name":"Bob"}}]}}`, ""},
			{"bob", `{ me { followsConnection(orderBy: {field: ID, direction: DESC}) { nodes { followee { name } } } followedByConnection { totalCount } } }`,
				`{"me":{"followsConnection":{"nodes":[{"followee":{"name":"Mia"}},{"followee":{"name":"Ada"}}]},"followedByConnection":{"totalCount":0}}}`, ""},
			{"bob", `{ user(id: 1) { followedByConnection(where: {followerIdNEQ: 2}) { totalCount nodes { follower { name } createdAt } } } }`, ``, ""},
			{"bob", `{ post(id: 1) { likesConnection(where: {userId: 1}) { nodes { user { name } } } sharesConnection { totalCount } } }`,
				`{"post":{"likesConnection":{"nodes":[{"user":{"name":"Ada"}}]},"sharesConnection":{"totalCount":2}}}`, ""},
			{"nobody", `{ post(id: 1) { likesConnection { totalCount } author { name likesConnection { totalCount } followsConnection { totalCount } } } }`,
				`{"post":{"likesConnection":{"totalCount":2},"author":{"name":"Ada","likesConnection":{"totalCount":1},"followsConnection":{"totalCount":0}}}}`, ""},
		} {
			a := w.as(c.who, c.query)
			if c.data != "" && compact(w.T, a.Data) != c.data || a.Errors != nil {
				w.Errorf("%s: %s: %s %+v, want %s", c.who, c.query, a.Data, a.Errors, c.data)
			}
		}
		w.client.User.UpdateOneID(3).SetDeletedAt(day(9)).ExecX(w.system())
		w.as("bob", `{ me { followsConnection { totalCount nodes { followee { name } } } } user(id: 1) { followedByConnection { nodes { follower { name } } } } }`).
			wants(w.T, `{"me":{"followsConnection":{"totalCount":1,"nodes":[{"followee":{"name":"Ada"}}]}},"user":{"followedByConnection":{"nodes":[{"follower":{"name":"Bob"}}]}}}`)
	})
}
