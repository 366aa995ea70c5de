package gql_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/typedid"
)

// names are the names in an answer, in order.
func names(a answer) string {
	var all []string
	for _, part := range strings.Split(string(a.Data), `"name":"`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		all = append(all, name)
	}
	return strings.Join(all, " ")
}

// crowd adds people with ages that are tied or null.
func (w *world) crowd() {
	for i, age := range []int{36, 0, 20, 51, 36, 0} {
		create := w.client.User.Create().SetName(fmt.Sprintf("U%d", i)).SetEmail(fmt.Sprintf("u%d@example.com", i)).SetCreatedAt(day(10 + i))
		if age > 0 {
			create.SetAge(age)
		}
		create.SaveX(w.system())
	}
}

func TestOrder(t *testing.T) {
	each(t, func(w *world) {
		w.crowd() // Ada 36, Bob –, Mia 51, U0 36, U1 –, U2 20, U3 51, U4 36, U5 –
		for order, want := range map[string]string{
			`[{field: NAME}]`:                                      "Ada Bob Mia U0 U1 U2 U3 U4 U5",
			`{field: NAME, direction: DESC}`:                       "U5 U4 U3 U2 U1 U0 Mia Bob Ada",
			`[{field: AGE}]`:                                       "U2 Ada U0 U4 Mia U3 Bob U1 U5",
			`[{field: AGE, direction: DESC}]`:                      "U3 Mia U4 U0 Ada U2 U5 U1 Bob",
			`[{field: AGE}, {field: CREATED_AT, direction: DESC}]`: "U2 U4 U0 Ada U3 Mia U5 U1 Bob",
			`[{field: AGE, direction: DESC}, {field: ID}]`:         "Mia U3 Ada U0 U4 U2 Bob U1 U5",
			`[]`: "U5 U4 U3 U2 U1 U0 Mia Bob Ada",
		} {
			a := w.as("bob", `{ usersConnection(orderBy: `+order+`) { nodes { name } } }`)
			if got := names(a); got != want {
				w.Errorf("%s: %s (%v), want %s", order, got, a.codes(), want)
			}
		}
		w.as("bob", `{ usersConnection(orderBy: [{field: AGE}, {field: AGE}]) { nodes { name } } }`).
			wants(w.T, `{"usersConnection":null}`, "usersConnection BAD_USER_INPUT orderBy[1].field")
	})
}

func TestWhere(t *testing.T) {
	each(t, func(w *world) {
		w.crowd()
		w.post(2, "On Engines", 1)
		w.post(1, "On engines, again", 2)
		for where, want := range map[string]string{
			`{name: "Ada"}`:                               "Ada",
			`{nameNEQ: "Ada", nameHasPrefix: "A"}`:        "",
			`{nameIn: ["Ada", "U1"]}`:                     "Ada U1",
			`{nameIn: []}`:                                "",
			`{nameIn: "U1"}`:                              "U1",
			`{nameNotIn: ["Ada", "U1"], nameLT: "U2"}`:    "Bob Mia U0",
			`{nameContainsFold: "AD"}`:                    "Ada",
			`{nameContains: "AD"}`:                        "",
			`{nameEqualFold: "aDa"}`:                      "Ada",
			`{nameHasSuffix: "a", nameGTE: "B"}`:          "Mia",
			`{ageIsNil: true}`:                            "Bob U1 U5",
			`{ageIsNil: false, ageLTE: 36}`:               "Ada U0 U2 U4",
			`{ageNotNil: true, ageGT: 36}`:                "Mia U3",
			`{ageNEQ: 36}`:                                "Bob Mia U1 U2 U3 U5",
			`{not: {age: 36}}`:                            "Bob Mia U1 U2 U3 U5",
			`{or: [{age: 20}, {age: 51, name: "Mia"}]}`:   "Mia U2",
			`{and: [{ageGTE: 36}, {nameHasPrefix: "U"}]}`: "U0 U3 U4",
			`{role: admin}`:                               "Ada",
			`{roleIn: [admin, moderator]}`:                "Ada Mia",
			`{isActive: false}`:                           "",
			`{createdAtGTE: "2026-01-12"}`:                "U2 U3 U4 U5",
			`{createdAtIn: ["2026-01-01T12:00:00Z", "2026-01-02T13:00:00+01:00"]}`: "Ada Bob",
			`{id: 2}`:     "Bob",
			`{idGT: "8"}`: "U5",
		} {
			a := w.as("bob", `{ usersConnection(orderBy: {field: NAME}, where: `+where+`) { nodes { name } } }`)
			if got := names(a); got != want || a.Errors != nil {
				w.Errorf("%s: %q (%v), want %q", where, got, a.codes(), want)
			}
		}
		for where, want := range map[string]int{
			`{hasAuthor: true}`: 2, `{hasAuthor: false}`: 0,
			`{hasAuthorWith: [{name: "Ada"}]}`: 1, `{hasAuthorWith: [{nameHasPrefix: "A"}, {role: user}]}`: 0,
			`{authorId: "2"}`: 1, `{titleContainsFold: "ENGINES"}`: 2, `{contentContainsFold: "…"}`: 2,
		} {
			a := w.as("bob", `{ postsConnection(where: `+where+`) { totalCount } }`)
			a.wants(w.T, fmt.Sprintf(`{"postsConnection":{"totalCount":%d}}`, want))
		}
		w.post(1, "Ünïcode", 3)
		w.as("bob", `{ postsConnection(where: {titleContainsFold: "üNÏ"}) { totalCount } }`).wants(w.T, `{"postsConnection":{"totalCount":1}}`)
		w.as("bob", `{ postsConnection(where: {titleContainsFold: "ü"}) { exact: totalCountExact totalCount nodes { title } } }`).
			wants(w.T, `{"postsConnection":{"exact":true,"totalCount":1,"nodes":[{"title":"Ünïcode"}]}}`)
		w.as("bob", `{ postsConnection { totalCountExact } }`).wants(w.T, `{"postsConnection":{"totalCountExact":true}}`)
	})
}

// Totals count 10,000 items, at the root and of each parent.
func TestTotalsAreBounded(t *testing.T) {
	each(t, func(w *world) {
		many, few := w.post(1, "Many", 3), w.post(1, "Few", 3)
		w.comment(2, few, "Indeed")
		series := `generate_series(1, 10001) AS s(n)`
		if !w.db.Postgres() {
			series = `(WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 10001) SELECT n FROM c)`
		}
		if _, err := w.db.ExecContext(w.Context(), fmt.Sprintf(`INSERT INTO comments (text, post_id, author_id, created_at, updated_at)
			SELECT 'Indeed ' || n, %d, 1, '2026-01-01 00:00:00.000000+00:00', '2026-01-01 00:00:00.000000+00:00' FROM `, many.ID)+series); err != nil {
			w.Fatal(err)
		}
		w.as("bob", `{ commentsConnection(first: 0) { totalCount totalCountExact pageInfo { hasNextPage } } }`).
			wants(w.T, `{"commentsConnection":{"totalCount":10000,"totalCountExact":false,"pageInfo":{"hasNextPage":true}}}`)
		w.as("bob", fmt.Sprintf(`{ many: post(id: "%d") { ...total } few: post(id: "%d") { ...total } }
			fragment total on Post { commentsConnection { totalCount totalCountExact } }`, many.ID, few.ID)).
			wants(w.T, `{"many":{"commentsConnection":{"totalCount":10000,"totalCountExact":false}},"few":{"commentsConnection":{"totalCount":1,"totalCountExact":true}}}`)
	})
}

func TestWhereIsBounded(t *testing.T) {
	each(t, func(w *world) {
		deep := func(n int) string { return strings.Repeat(`{not: `, n-1) + `{age: 1}` + strings.Repeat(`}`, n-1) }
		wide := func(n int) string { return `{or: [` + strings.Repeat(`{age: 1} `, n) + `]}` }
		ask := func(where string) []string {
			return w.as("bob", `{ usersConnection(where: `+where+`) { totalCount } }`).codes()
		}
		if got := append(ask(deep(5)), ask(wide(50))...); len(got) > 0 {
			w.Errorf("what is allowed is refused: %q", got)
		}
		if got, want := ask(deep(6)), "usersConnection BAD_USER_INPUT where.not.not.not.not.not"; !slices.Equal(got, []string{want}) {
			w.Errorf("too deep: %q, want %q", got, want)
		}
		if got, want := ask(wide(51)), "usersConnection BAD_USER_INPUT where.or[50].age"; !slices.Equal(got, []string{want}) {
			w.Errorf("too wide: %q, want %q", got, want)
		}
		for where, field := range map[string]string{
			`{createdAt: "soon"}`: "where.createdAt", `{nameIn: ["a", "\u0000"]}`: "where.nameIn[1]", `{or: [{id: "x"}]}`: "where.or[0].id",
		} {
			if got, want := ask(where), "usersConnection BAD_USER_INPUT "+field; !slices.Equal(got, []string{want}) {
				w.Errorf("%s: %q, want %q", where, got, want)
			}
		}
	})
}

// A list of values is refused by its length, in a document and in a variable.
func TestListsAreBounded(t *testing.T) {
	each(t, func(w *world) {
		list := func(n int) []int {
			all := make([]int, n)
			for i := range all {
				all[i] = i + 1
			}
			return all
		}
		const query = `query($ids: [ID!]) { usersConnection(where: {idIn: $ids}) { totalCount } }`
		w.as("bob", query, "ids", list(100)).wants(w.T, `{"usersConnection":{"totalCount":3}}`)
		for _, c := range []struct {
			got     answer
			message string
		}{
			{w.as("bob", query, "ids", list(101)), "where.idIn has 101 values: 100 are allowed"},
			{w.as("bob", `{ usersConnection(where: {ageIn: `+fmt.Sprint(list(101))+`}) { totalCount } }`), "where.ageIn has 101 values: 100 are allowed"},
			{w.as("bob", query, "ids", list(100_000)), "variable $ids has 100000 values: 1000 are allowed"},
			{w.as("bob", `query($w: UserWhereInput) { usersConnection(where: $w) { totalCount } }`, "w", map[string]any{"or": []any{map[string]any{"idNotIn": list(1001)}}}), "variable $w.or[0].idNotIn has 1001 values: 1000 are allowed"},
			{w.as("bob", `query($w: UserWhereInput) { usersConnection(where: $w) { totalCount } }`, "w", map[string]any{"or": make([]struct{}, 101)}), "where.or has 101 filters: 100 are allowed"},
			{w.as("bob", `query($ids: [ID!]!) { nodes(ids: $ids) { id } }`, "ids", list(101)), "ids are 101: 100 are allowed"},
		} {
			said := ""
			if len(c.got.Errors) == 1 {
				said = fmt.Sprint(c.got.Errors[0].Message, c.got.Errors[0].Extensions["fields"])
			}
			if !strings.Contains(strings.ReplaceAll(said, " message:", " "), c.message) || c.got.Errors[0].Extensions["code"] != "BAD_USER_INPUT" || len(w.statements) > 0 {
				w.Errorf("%+v, want %q", c.got.Errors, c.message)
			}
		}
	})
}

// A cursor is a place in one connection: not in another of the same entity,
// nor in the same one of another viewer; by whatever name it is asked for.
func TestCursorsBelongToTheirConnection(t *testing.T) {
	each(t, func(w *world) {
		for i := range 3 {
			w.post(1, fmt.Sprint("Ada ", i), i+1)
			w.post(2, fmt.Sprint("Bob ", i), i+1)
		}
		cursor := func(query string) string {
			a := w.as("bob", query)
			_, rest, _ := strings.Cut(string(a.Data), `"endCursor":"`)
			c, _, _ := strings.Cut(rest, `"`)
			if c == "" {
				w.Fatalf("%s: %s %+v", query, a.Data, a.Errors)
			}
			return c
		}
		const end = `(first: 1) { pageInfo { endCursor } }`
		root, adas, bobs := cursor(`{ postsConnection`+end+` }`), cursor(`{ user(id: 1) { postsConnection`+end+` } }`), cursor(`{ me { postsConnection`+end+` } }`)
		for _, c := range []struct{ query, data string }{
			{`{ user(id: 1) { postsConnection(first: 1, after: "` + adas + `") { nodes { title } } } }`, `{"user":{"postsConnection":{"nodes":[{"title":"Ada 1"}]}}}`},
			{`{ user(id: 1) { other: postsConnection(first: 1, after: "` + adas + `") { nodes { title } } } }`, `{"user":{"other":{"nodes":[{"title":"Ada 1"}]}}}`},
			{`{ posts(author_id: 1) { author { postsConnection(first: 1, after: "` + adas + `") { nodes { title } } } } }`, ``},
			{`{ user(id: 2) { postsConnection(first: 1, after: "` + bobs + `") { nodes { title } } } }`, `{"user":{"postsConnection":{"nodes":[{"title":"Bob 1"}]}}}`},
			{`{ p: postsConnection(first: 1, after: "` + root + `") { nodes { title } } }`, `{"p":{"nodes":[{"title":"Ada 2"}]}}`},
			{`{ user(id: 1) { postsConnection(after: "` + root + `") { nodes { title } } } }`, `refused`},
			{`{ user(id: 1) { postsConnection(before: "` + bobs + `") { nodes { title } } } }`, `refused`},
			{`{ users { postsConnection(after: "` + adas + `") { nodes { title } } } }`, `refused`},
			{`{ postsConnection(after: "` + adas + `") { nodes { title } } }`, `refused`},
		} {
			a := w.as("bob", c.query)
			refused := len(a.Errors) > 0 && strings.Contains(a.Errors[0].Message, "the cursor does not belong to this listing")
			if refused != strings.HasPrefix(c.data, "refused") || refused && len(a.Errors) != 1 || !refused && (a.Errors != nil || c.data != "" && string(a.Data) != c.data) {
				w.Errorf("%s: %s %+v, want %s", c.query, a.Data, a.Errors, c.data)
			}
		}
	})
}

type page struct {
	Edges []struct {
		Cursor string
		Node   struct{ Name string }
	}
	PageInfo struct {
		HasNextPage, HasPreviousPage bool
		StartCursor, EndCursor       *string
	}
	TotalCount int
}

// TestWalk walks connections by their cursors, in both directions, and meets
// every row once.
func TestWalk(t *testing.T) {
	each(t, func(w *world) {
		w.crowd()
		const parts = `{ edges { cursor node { name } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount }`
		for _, order := range []string{`[]`, `[{field: AGE}]`, `[{field: AGE, direction: DESC}, {field: NAME}]`, `[{field: ROLE, direction: DESC}]`} {
			var whole []string
			for _, e := range w.page(`{ usersConnection(first: 100, orderBy: ` + order + `) ` + parts + ` }`).Edges {
				whole = append(whole, e.Node.Name)
			}
			for size := 1; size < 5; size++ {
				var forward, backward []string
				after := "null"
				for more := true; more; {
					p := w.page(fmt.Sprintf(`{ usersConnection(first: %d, after: %s, orderBy: %s) %s }`, size, after, order, parts))
					for _, e := range p.Edges {
						forward = append(forward, e.Node.Name)
					}
					if p.TotalCount != 9 || p.PageInfo.HasPreviousPage != (after != "null") {
						w.Errorf("forward: %+v after %s", p.PageInfo, after)
					}
					after, more = fmt.Sprintf("%q", *p.PageInfo.EndCursor), p.PageInfo.HasNextPage
				}
				before := "null"
				for more := true; more; {
					p := w.page(fmt.Sprintf(`{ usersConnection(last: %d, before: %s, orderBy: %s) %s }`, size, before, order, parts))
					for _, e := range slices.Backward(p.Edges) {
						backward = append(backward, e.Node.Name)
					}
					if p.PageInfo.HasNextPage != (before != "null") {
						w.Errorf("backward: %+v before %s", p.PageInfo, before)
					}
					before, more = fmt.Sprintf("%q", *p.PageInfo.StartCursor), p.PageInfo.HasPreviousPage
				}
				slices.Reverse(backward)
				if !slices.Equal(forward, whole) || !slices.Equal(backward, whole) {
					w.Errorf("order %s, pages of %d:\n forward %v\nbackward %v\n   whole %v", order, size, forward, backward, whole)
				}
			}
		}
	})
}

func (w *world) page(query string) page {
	w.Helper()
	a := w.as("bob", query)
	var data struct{ UsersConnection page }
	if err := json.Unmarshal(a.Data, &data); err != nil || a.Errors != nil {
		w.Fatalf("%s: %v %v", query, err, a.codes())
	}
	return data.UsersConnection
}

func TestEmptyConnection(t *testing.T) {
	each(t, func(w *world) {
		w.as("nobody", `{ postsConnection { edges { cursor } nodes { id } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`).wants(w.T,
			`{"postsConnection":{"edges":[],"nodes":[],"pageInfo":{"hasNextPage":false,"hasPreviousPage":false,"startCursor":null,"endCursor":null},"totalCount":0}}`)
	})
}

func TestCursorOfAnotherListing(t *testing.T) {
	each(t, func(w *world) {
		p := w.page(`{ usersConnection(first: 1) { pageInfo { endCursor } } }`)
		for _, arguments := range []string{`after: "x"`, `after: "` + *p.PageInfo.EndCursor + `", orderBy: {field: NAME}`, `before: "` + *p.PageInfo.EndCursor + `", where: {age: 1}`} {
			w.as("bob", `{ usersConnection(`+arguments+`) { totalCount } }`).wants(w.T, `{"usersConnection":null}`, "usersConnection BAD_USER_INPUT")
		}
	})
}

// TestEdges reads edges to many as lists and as connections, for several parents.
func TestEdges(t *testing.T) {
	each(t, func(w *world) {
		for author := int64(1); author <= 2; author++ {
			for n := 1; n <= 3; n++ {
				w.post(author, fmt.Sprintf("P%d%d", author, n), n)
			}
		}
		w.as("bob", `{ usersConnection(first: 2, orderBy: {field: ID}) { nodes {
				name
				posts(first: 1) { title }
				old: posts(orderBy: [{field: CREATED_AT}], where: {titleNEQ: "P12"}) { title }
				postsConnection(last: 1) { totalCount nodes { title } pageInfo { hasPreviousPage hasNextPage } }
			} } }`).wants(w.T, `{"usersConnection":{"nodes":[
				{"name":"Ada","posts":[{"title":"P13"}],"old":[{"title":"P11"},{"title":"P13"}],
				 "postsConnection":{"totalCount":3,"nodes":[{"title":"P11"}],"pageInfo":{"hasPreviousPage":true,"hasNextPage":false}}},
				{"name":"Bob","posts":[{"title":"P23"}],"old":[{"title":"P21"},{"title":"P22"},{"title":"P23"}],
				 "postsConnection":{"totalCount":3,"nodes":[{"title":"P21"}],"pageInfo":{"hasPreviousPage":true,"hasNextPage":false}}}]}}`)
		w.as("bob", `{ user(id: 1) { name posts(first: -1) { title } } }`).wants(w.T, `{"user":{"name":"Ada","posts":null}}`, "user.posts BAD_USER_INPUT first")
	})
}

func TestManyToMany(t *testing.T) {
	each(t, func(w *world) {
		w.client.Follow.Create().SetFollowerID(2).SetFolloweeID(1).SaveX(w.system())
		w.client.Follow.Create().SetFollowerID(2).SetFolloweeID(3).SaveX(w.system())
		w.as("mia", `{ user(id: 2) { following(orderBy: {field: NAME}) { name followers { name } } followers { name } followingConnection { totalCount } } }`).wants(w.T,
			`{"user":{"following":[{"name":"Ada","followers":[{"name":"Bob"}]},{"name":"Mia","followers":[{"name":"Bob"}]}],"followers":[],"followingConnection":{"totalCount":2}}}`)
	})
}

func TestStatements(t *testing.T) {
	each(t, func(w *world) {
		for i := range 3 {
			p := w.post(int64(i%2+1), fmt.Sprintf("Post %d", i), i+1)
			for j := range 3 {
				w.comment(int64(j+1), p, "…")
			}
		}
		w.client.Post.Create().SetAuthorID(typedid.UserID(2)).SetTitle("alone").SetContent("…").SetPublished(true).SaveX(w.system())
		for query, want := range map[string]int{
			`{ __typename }`:                           0,
			`{ user(id: 1) { name } }`:                 1,
			`{ user(id: 1) { name posts { title } } }`: 2,
			`{ posts { title author { name } comments(first: 2) { text author { name } } } }`:                                                         2,
			`{ commentsConnection { nodes { post { title } } } }`:                                                                                     1,
			`{ commentsConnection { nodes { post { content } } } }`:                                                                                   2, // which is long
			`{ postsConnection { totalCount nodes { author { name } commentsConnection(first: 2) { totalCount nodes { text author { name } } } } } }`: 3,
			`{ posts { a: comments { text } b: comments { text } } }`:                                                                                 2,
			`{ postsConnection { edges { cursor node { title author { name } } } nodes { id author { name } } pageInfo { endCursor hasNextPage } } }`: 1,
			`{ a: user(id: 1) { name } b: user(id: 2) { name } }`:                                                                                     2,
			`{ node(id: "` + id("Post", 1) + `") { ... on Post { title author { name } } } }`:                                                         1,
		} {
			a := w.as("bob", query)
			if len(w.statements) != want || a.Errors != nil {
				w.Errorf("%s: %d statements (%v), want %d\n%s", query, len(w.statements), a.codes(), want, strings.Join(w.statements, "\n"))
			}
		}
	})
}

func TestOnlySelectedColumnsAreRead(t *testing.T) {
	each(t, func(w *world) {
		w.post(2, "First", 1)
		w.as("bob", `{ post(id: 1) { title } }`)
		if len(w.statements) != 1 || strings.Contains(w.statements[0], "content") {
			w.Errorf("%q reads more than the title", w.statements)
		}
	})
}
