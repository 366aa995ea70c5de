package bench

import (
	"encoding/json"
	"fmt"
	"net/url"
	"testing"
)

// scenario has the requests to the floor, and to entwine in one or both APIs.
type scenario struct {
	name  string
	floor call
	rest  *call
	gql   *call
	// alike says that REST answers the rows that the floor answers.
	alike bool
	// aims are the multiples of the floor that are aimed for, by database.
	aims map[string]aim
	// bare is a floor that does less than is promised, with aims of its own.
	bare     *call
	bareAims map[string]aim
}

// aim is a multiple of the floor in REST and in GraphQL.
type aim struct{ rest, gql float64 }

const (
	userFields    = "id name email role age is_active:isActive followers_count:followersCount following_count:followingCount created_at:createdAt updated_at:updatedAt version deleted_at:deletedAt"
	postFields    = "id title content published published_at:publishedAt archived_at:archivedAt likes_count:likesCount shares_count:sharesCount author_id:authorId category_id:categoryId created_at:createdAt updated_at:updatedAt version deleted_at:deletedAt"
	productFields = "id name description category price currency stock inStock tags reviews_count:reviewsCount rating createdAt updated_at:updatedAt version deleted_at:deletedAt"
	commentFields = "id text post_id:postId author_id:authorId created_at:createdAt updated_at:updatedAt version deleted_at:deletedAt"
)

func aims(postgresREST, postgresGraphQL, sqliteREST, sqliteGraphQL float64) map[string]aim {
	return map[string]aim{"postgres": {postgresREST, postgresGraphQL}, "sqlite3": {sqliteREST, sqliteGraphQL}}
}

func (w *world) scenarios(b *testing.B) []scenario {
	b.Helper()
	get := func(path string) call { return call{method: "GET", path: path, token: w.token, status: 200} }
	rest := func(path string) *call { c := get("/api/v1" + path); return &c }
	graphql := func(query string) *call {
		body, err := json.Marshal(map[string]string{"query": query})
		if err != nil {
			b.Fatal(err)
		}
		return &call{method: "POST", path: "/graphql", body: string(body), token: w.token, status: 200}
	}
	next := w.cursor(b)
	const remark = "I could not agree more."
	comment := func(path string) call {
		return call{method: "POST", path: fmt.Sprintf(path, w.posts-1), body: `{"text":"` + remark + `"}`, token: w.token, status: 201}
	}
	restComment, bareComment := comment("/api/v1/posts/%d/comments"), comment("/posts/%d/comments")
	return []scenario{
		{
			name: "one user", alike: true, aims: aims(1.2, 1.2, 1.4, 1.4),
			floor: get("/users/77"), rest: rest("/users/77"),
			gql: graphql(`{ user(id: "77") { ` + userFields + ` } }`),
		},
		{
			name: "users of a role with total", alike: true, aims: aims(1.2, 1.2, 1.4, 1.4),
			floor: get("/users?role=editor"), rest: rest("/users?role=editor&limit=20&page=1"),
			gql: graphql(`{ usersConnection(first: 20, where: {role: editor}) { totalCount edges { node { ` + userFields + ` } } } }`),
		},
		{
			name: "posts by keyset", alike: true, aims: aims(1.3, 1.3, 1.3, 1.3),
			floor: get(fmt.Sprintf("/posts?after=%s&after_id=%d", url.QueryEscape(w.middle), w.posts/2+1)), rest: rest("/posts?limit=20&cursor=" + next),
			gql: graphql(`{ postsConnection(first: 20, after: "` + next + `") { pageInfo { hasNextPage endCursor } edges { node { ` + postFields + ` } } } }`),
		},
		{
			name: "posts with comments", aims: aims(0, 1.2, 0, 1.3),
			floor: get("/feed"),
			gql:   graphql(`{ postsConnection(first: 20) { edges { node { id title author { id name } commentsConnection(first: 5) { edges { node { id text author { id name } } } } } } } }`),
		},
		{
			name: "a comment", aims: aims(1.5, 1.5, 2, 2), bareAims: aims(1.8, 1.8, 0, 0),
			floor: comment("/posts/%d/comments?event"), bare: &bareComment, rest: &restComment,
			gql: graphql(fmt.Sprintf(`mutation { createComment(input: {text: "%s", postId: "%d"}) { `+commentFields+` } }`, remark, w.posts-1)),
		},
		{
			name: "products by part and tag", alike: true, aims: aims(0.5, 0.5, 0.5, 0.5),
			floor: get("/products?search=lantern&min=2000&max=7000&tag=red"), rest: rest("/products?search=lantern&minPrice=20&maxPrice=70&tags=red&limit=20"),
			gql: graphql(`{ productsConnection(first: 20, where: {or: [{nameContainsFold: "lantern"}, {descriptionContainsFold: "lantern"}], priceGTE: 20, priceLTE: 70, tagsHas: "red"}) { edges { node { ` + productFields + ` } } } }`),
		},
	}
}

// cursor returns the cursor of the post in the middle, which both APIs share.
func (w *world) cursor(b *testing.B) string {
	b.Helper()
	var page struct {
		Pagination struct {
			Next string `json:"next_cursor"`
		} `json:"pagination"`
	}
	for range w.posts / 2 / 100 {
		body := w.entwine.fetch(b, call{method: "GET", path: "/api/v1/posts?fields=id&limit=100&cursor=" + page.Pagination.Next, status: 200})
		if err := json.Unmarshal(body, &page); err != nil {
			b.Fatal(err)
		}
	}
	return page.Pagination.Next
}
