package bench

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"time"
)

// reads asks for the first pages of the largest lists, for pages behind cursors and for
// totals, each once its statements are prepared.
func (s *scaled) reads(f *figures) {
	caller := s.entwine.caller(s)
	defer caller.conn.Close()
	deep := s.deep(caller)
	for _, one := range []struct {
		path  string
		known bool // it is asked by a user
	}{
		{path: "/comments?limit=20&cursor="}, {path: "/comments?limit=20&cursor=" + deep}, {path: "/comments?limit=20"},
		{path: "/comments?limit=20&cursor=&sort=updated_at"}, {path: "/posts/7/comments?limit=20"},
		{path: "/posts?limit=20&cursor="}, {path: "/posts?limit=20"}, {path: "/posts?limit=20&author_id=7"},
		{path: "/posts?limit=20&cursor=&sort=title"}, {path: "/posts?limit=20&cursor=&sort=-likes_count"}, {path: "/posts?limit=20&cursor=&sort=updated_at"},
		{path: "/posts?limit=20&cursor=&search=lantern"}, {path: "/posts?limit=20&search=paragraph"},
		{path: "/products?limit=20&search=lantern"},
		{path: "/users?limit=20", known: true}, {path: "/users?limit=20&role=editor", known: true},
		{path: "/users/1/followers?limit=20", known: true}, {path: "/users/1/followers?limit=20&cursor=", known: true},
		{path: "graphql:{ commentsConnection(first: 20) { totalCount nodes { id text author { name } } } }"},
		{path: "graphql:{ postsConnection(first: 20) { nodes { id title author { name } commentsConnection(first: 5) { nodes { text } } } } }"},
	} {
		c := call{method: "GET", path: "/api/v1" + one.path}
		name := one.path
		if query, is := bytes.CutPrefix([]byte(one.path), []byte("graphql:")); is {
			body, _ := json.Marshal(map[string]string{"query": string(query)})
			c, name = call{method: "POST", path: "/graphql", body: string(body)}, string(query)
		}
		if one.known {
			c.token = s.token
		}
		f.row("a read", shortened(name), s.read(caller, c), "20 ms, 20,000 pages")
	}
}

// read asks for the same a few times, and says what the last time cost.
func (s *scaled) read(caller *caller, c call) string {
	s.Helper()
	request := c.request()
	var body bytes.Buffer
	var status int
	ask := func() {
		body.Reset()
		var err error
		if status, err = caller.ask(request, &body); err != nil {
			s.Fatalf("%s: %v", c.path, err)
		}
	}
	for range 3 {
		ask()
	}
	began, took := time.Now(), time.Duration(0)
	spent := s.spent(func() { began = time.Now(); ask(); took = time.Since(began) })
	var answer struct {
		Pagination struct {
			Total *int  `json:"total"`
			Exact *bool `json:"total_exact"`
		} `json:"pagination"`
		Error struct{ Message string } `json:"error"`
	}
	_ = json.Unmarshal(body.Bytes(), &answer)
	text := fmt.Sprintf("%.1f ms, %.1f of them in %d statements, %d pages", ms(took), spent.took, spent.calls, spent.buffers)
	if p := answer.Pagination; p.Total != nil {
		text += fmt.Sprintf(", total %d", *p.Total)
		if p.Exact != nil && !*p.Exact {
			text += " or more"
		}
	}
	if status != 200 {
		text += fmt.Sprintf(", refused: %d", status)
	}
	return text
}

// deep is a cursor a thousand comments down.
func (s *scaled) deep(caller *caller) string {
	s.Helper()
	var page struct {
		Pagination struct {
			Next string `json:"next_cursor"`
		} `json:"pagination"`
	}
	for range 10 {
		var body bytes.Buffer
		c := call{method: "GET", path: "/api/v1/comments?limit=100&cursor=" + url.QueryEscape(page.Pagination.Next)}
		if status, err := caller.ask(c.request(), &body); err != nil || status != 200 {
			s.Fatalf("a page of comments: %d, %v\n%s", status, err, body.Bytes())
		}
		if err := json.Unmarshal(body.Bytes(), &page); err != nil {
			s.Fatal(err)
		}
	}
	return url.QueryEscape(page.Pagination.Next)
}

func ms(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// shortened is a name that fits into a table.
func shortened(name string) string {
	if len(name) > 60 {
		return name[:57] + "..."
	}
	return name
}
