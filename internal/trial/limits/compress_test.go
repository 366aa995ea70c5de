package limits_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// A client that takes gzip or zstd gets long answers of both APIs so, under
// validators of their own, which reads and writes take as they take the others.
func TestAnswersAreCompressed(t *testing.T) {
	t.Parallel()
	s := trial.Start(t)
	auth := s.SignUp(t)
	text := strings.Repeat("once upon a time ", 200)
	s.Ask(t, "POST", "/api/v1/posts", `{"title":"Long","content":"`+text+`","published":true}`, auth...).Want(t, 201)
	path := "/api/v1/posts/1"
	unasked := append([]string{"Accept-Encoding", "identity"}, auth...) // or the transport asks
	plain := s.Ask(t, "GET", path, "", unasked...).Want(t, 200)
	for _, coding := range []string{"gzip", "zstd"} {
		with := append([]string{"Accept-Encoding", coding + ", identity;q=0.5"}, auth...)
		a := s.Ask(t, "GET", path, "", with...).Want(t, 200)
		tag := a.Header.Get("Etag")
		if a.Header.Get("Content-Encoding") != coding || tag != strings.TrimSuffix(plain.Header.Get("Etag"), `"`)+"-"+coding+`"` ||
			len(a.Text) >= len(plain.Text)/5 || a.Header.Get("Content-Length") != fmt.Sprint(len(a.Text)) {
			t.Errorf("%s: %d bytes of %d, %v", coding, len(a.Text), len(plain.Text), a.Header)
		}
		head := s.Ask(t, "HEAD", path, "", with...).Want(t, 200)
		if head.Header.Get("Etag") != tag || head.Header.Get("Content-Encoding") != coding {
			t.Errorf("HEAD: %v", head.Header)
		}
		for _, one := range []string{tag, "W/" + tag, plain.Header.Get("Etag"), `"other", ` + tag} {
			same := s.Ask(t, "GET", path, "", append([]string{"If-None-Match", one}, with...)...).Want(t, 304)
			if got := same.Header.Get("Etag"); !strings.Contains(one, got) {
				t.Errorf("304 for %s names %s", one, got)
			}
		}
		changed := s.Ask(t, "PATCH", path, `{"title":"`+coding+`"}`, append([]string{"If-Match", tag}, unasked...)...).Want(t, 200)
		s.Ask(t, "PATCH", path, `{"title":"late"}`, append([]string{"If-Match", tag}, auth...)...).Want(t, 412)
		s.Ask(t, "GET", path, "", append([]string{"If-None-Match", tag}, with...)...).Want(t, 200)
		plain = s.Ask(t, "GET", path, "", unasked...).Want(t, 200)
		if plain.Header.Get("Etag") != changed.Header.Get("Etag") || !strings.Contains(strings.Join(plain.Header["Vary"], ", "), "Accept-Encoding") {
			t.Errorf("plain: %v", plain.Header)
		}
		for _, accept := range []string{"text/csv", "application/xml"} {
			if got := s.Ask(t, "GET", "/api/v1/posts", "", append([]string{"Accept", accept}, with...)...).Want(t, 200); got.Header.Get("Content-Encoding") != coding {
				t.Errorf("%s as %s: %v", accept, coding, got.Header)
			}
		}
		query := s.Ask(t, "POST", "/graphql", `{"query":"{ posts { title content } }"}`, with...).Want(t, 200)
		if query.Header.Get("Content-Encoding") != coding || !slices.Contains(query.Header["Vary"], "Accept-Encoding") {
			t.Errorf("GraphQL as %s: %v", coding, query.Header)
		}
		mutation := s.Ask(t, "POST", "/graphql", `{"query":"mutation { updatePost(id: \"1\", input: {title: \"x\"}) { content } }"}`, with...).Want(t, 200, `"content":"once`)
		if mutation.Header.Get("Content-Encoding") != "" {
			t.Errorf("a mutation, which may show a secret, is compressed: %v", mutation.Header)
		}
		plain = s.Ask(t, "GET", path, "", unasked...).Want(t, 200)
	}
	// Beside a token there is what the caller has chosen (BREACH).
	for _, c := range [][2]string{
		{"/api/v1/auth/register", `{"name":"` + strings.Repeat("Bob ", 20) + `B","email":"bob@example.com","password":"correct horse 1"}`},
		{"/api/v1/auth/login", trial.AdaLogin},
		{"/api/v1/auth/2fa/setup", ""},
	} {
		a := s.Ask(t, "POST", c[0], c[1], append([]string{"Accept-Encoding", "gzip"}, auth...)...)
		if a.Status >= 300 || a.Header.Get("Content-Encoding") != "" {
			t.Errorf("POST %s: %d %v", c[0], a.Status, a.Header)
		}
	}
}
