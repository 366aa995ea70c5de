package main_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// A client that takes gzip or zstd gets long answers of both APIs so, under
// validators of their own, which reads and writes take as they take the others.
func TestAnswersAreCompressed(t *testing.T) {
	t.Parallel()
	s := start(t)
	auth := s.signUp(t)
	text := strings.Repeat("once upon a time ", 200)
	s.ask(t, "POST", "/api/v1/posts", `{"title":"Long","content":"`+text+`","published":true}`, auth...).want(t, 201)
	path := "/api/v1/posts/1"
	unasked := append([]string{"Accept-Encoding", "identity"}, auth...) // or the transport asks
	plain := s.ask(t, "GET", path, "", unasked...).want(t, 200)
	for _, coding := range []string{"gzip", "zstd"} {
		with := append([]string{"Accept-Encoding", coding + ", identity;q=0.5"}, auth...)
		a := s.ask(t, "GET", path, "", with...).want(t, 200)
		tag := a.header.Get("Etag")
		if a.header.Get("Content-Encoding") != coding || tag != strings.TrimSuffix(plain.header.Get("Etag"), `"`)+"-"+coding+`"` ||
			len(a.text) >= len(plain.text)/5 || a.header.Get("Content-Length") != fmt.Sprint(len(a.text)) {
			t.Errorf("%s: %d bytes of %d, %v", coding, len(a.text), len(plain.text), a.header)
		}
		head := s.ask(t, "HEAD", path, "", with...).want(t, 200)
		if head.header.Get("Etag") != tag || head.header.Get("Content-Encoding") != coding {
			t.Errorf("HEAD: %v", head.header)
		}
		for _, one := range []string{tag, "W/" + tag, plain.header.Get("Etag"), `"other", ` + tag} {
			same := s.ask(t, "GET", path, "", append([]string{"If-None-Match", one}, with...)...).want(t, 304)
			if got := same.header.Get("Etag"); !strings.Contains(one, got) {
				t.Errorf("304 for %s names %s", one, got)
			}
		}
		changed := s.ask(t, "PATCH", path, `{"title":"`+coding+`"}`, append([]string{"If-Match", tag}, unasked...)...).want(t, 200)
		s.ask(t, "PATCH", path, `{"title":"late"}`, append([]string{"If-Match", tag}, auth...)...).want(t, 412)
		s.ask(t, "GET", path, "", append([]string{"If-None-Match", tag}, with...)...).want(t, 200)
		plain = s.ask(t, "GET", path, "", unasked...).want(t, 200)
		if plain.header.Get("Etag") != changed.header.Get("Etag") || !strings.Contains(strings.Join(plain.header["Vary"], ", "), "Accept-Encoding") {
			t.Errorf("plain: %v", plain.header)
		}
		for _, accept := range []string{"text/csv", "application/xml"} {
			if got := s.ask(t, "GET", "/api/v1/posts", "", append([]string{"Accept", accept}, with...)...).want(t, 200); got.header.Get("Content-Encoding") != coding {
				t.Errorf("%s as %s: %v", accept, coding, got.header)
			}
		}
		query := s.ask(t, "POST", "/graphql", `{"query":"{ posts { title content } }"}`, with...).want(t, 200)
		if query.header.Get("Content-Encoding") != coding || !slices.Contains(query.header["Vary"], "Accept-Encoding") {
			t.Errorf("GraphQL as %s: %v", coding, query.header)
		}
		mutation := s.ask(t, "POST", "/graphql", `{"query":"mutation { updatePost(id: \"1\", input: {title: \"x\"}) { content } }"}`, with...).want(t, 200, `"content":"once`)
		if mutation.header.Get("Content-Encoding") != "" {
			t.Errorf("a mutation, which may show a secret, is compressed: %v", mutation.header)
		}
		plain = s.ask(t, "GET", path, "", unasked...).want(t, 200)
	}
	// Beside a token there is what the caller has chosen (BREACH).
	for _, c := range [][2]string{
		{"/api/v1/auth/register", `{"name":"` + strings.Repeat("Bob ", 20) + `B","email":"bob@example.com","password":"correct horse 1"}`},
		{"/api/v1/auth/login", adaLogin},
		{"/api/v1/auth/2fa/setup", ""},
	} {
		a := s.ask(t, "POST", c[0], c[1], append([]string{"Accept-Encoding", "gzip"}, auth...)...)
		if a.status >= 300 || a.header.Get("Content-Encoding") != "" {
			t.Errorf("POST %s: %d %v", c[0], a.status, a.header)
		}
	}
}
