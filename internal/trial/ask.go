package trial

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/kit/kittest/contracttest"
	"github.com/entwine-go/entwine/migrate/migratetest"
	"github.com/entwine-go/entwine/rest/oas/spec"
)

// Reply is an answer of the service.
type Reply struct {
	Status int
	Header http.Header
	Text   string
	Body   map[string]any
}

// published is the document of REST, which every answer is held to.
var published = sync.OnceValues(func() (*contracttest.Document, error) {
	return contracttest.Read(spec.Document(), "/api/v1", "/api")
})

// NewRequest returns a request with the headers, names and values in turn. A
// body that is not empty is JSON.
func NewRequest(t *testing.T, method, url, body string, headers ...string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return r
}

// Ask sends a request of [NewRequest] to the service.
func (s *Service) Ask(t *testing.T, method, path, body string, headers ...string) Reply {
	t.Helper()
	res, err := http.DefaultTransport.RoundTrip(NewRequest(t, method, s.URL+path, body, headers...))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	text, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	document, err := published()
	if err != nil {
		t.Fatal(err)
	}
	for _, missing := range document.Check(method, path, res.StatusCode, res.Header) {
		t.Errorf("%s %s: %s is not in the document", method, path, missing)
	}
	a := Reply{Status: res.StatusCode, Header: res.Header, Text: string(text)}
	_ = json.Unmarshal(text, &a.Body) // what is not JSON has no body
	return a
}

// Want fails the test unless the answer has the status and holds the texts.
func (a Reply) Want(t *testing.T, status int, texts ...string) Reply {
	t.Helper()
	if a.Status != status {
		t.Fatalf("answered %d, want %d: %s", a.Status, status, a.Text)
	}
	for _, text := range texts {
		if !strings.Contains(a.Text, text) {
			t.Fatalf("the answer lacks %s: %s", text, a.Text)
		}
	}
	return a
}

// Users, and the password of the first admin.
const (
	// AdminPassword is that of the first admin, for ENTWINE_ADMIN_PASSWORD.
	AdminPassword = "correct-horse-1"

	Ada      = `{"name":"Ada Lovelace","email":"ada@example.com","password":"correct horse 1"}`
	AdaLogin = `{"email":"ADA@example.com","password":"correct horse 1"}`
)

// SignUp makes ada and returns the header that is hers.
func (s *Service) SignUp(t *testing.T) []string {
	t.Helper()
	s.Ask(t, "POST", "/api/v1/auth/register", Ada).Want(t, 201, `"status":"success"`, `"token":"`)
	in := s.Ask(t, "POST", "/api/v1/auth/login", AdaLogin).Want(t, 200, `"expiresIn":`)
	if in.Body["token"] != in.Body["accessToken"] {
		t.Errorf("token and accessToken differ: %s", in.Text)
	}
	return []string{"Authorization", "Bearer " + in.Body["token"].(string)}
}

// SignIn returns the first admin's token.
func (s *Service) SignIn(t *testing.T) string {
	t.Helper()
	in := s.Ask(t, "POST", "/api/v1/auth/login", `{"email": "admin@example.com", "password": "`+AdminPassword+`"}`).Want(t, 200)
	return in.Body["token"].(string)
}

// EachDatabase runs the test on a service over SQLite and one over PostgreSQL, both with
// every migration.
func EachDatabase(t *testing.T, test func(t *testing.T, s *Service)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) {
		t.Parallel()
		test(t, Start(t))
	})
	t.Run("postgres", func(t *testing.T) {
		t.Parallel()
		test(t, Start(t, "ENTWINE_DATABASE_URL="+migratetest.Schema(t).PostgresURL(t)))
	})
}

// Message is the message of an answer that says what is wrong.
func Message(a Reply) any { return a.Body["error"].(map[string]any)["message"] }

// MadeID is the id of what an answer says was made.
func MadeID(a Reply) int64 { return int64(a.Body["data"].(map[string]any)["id"].(float64)) }

// NewPosts is the body of a request for posts as they are made.
const NewPosts = `{"query":"subscription { newPost { title } }"}`

// Join opens a WebSocket and subscribes to new posts.
func Join(ctx context.Context, t *testing.T, url string) *websocket.Conn {
	ws, _, err := websocket.Dial(ctx, strings.Replace(url, "http", "ws", 1)+"/graphql", &websocket.DialOptions{Subprotocols: []string{"graphql-transport-ws"}})
	if err != nil {
		t.Error(err)
		return nil
	}
	for _, text := range []string{
		`{"type":"connection_init"}`,
		`{"id":"1","type":"subscribe","payload":{"query":"subscription { newPost { id title author { name } } }"}}`,
		`{"type":"ping"}`,
	} {
		if err := ws.Write(ctx, websocket.MessageText, []byte(text)); err != nil {
			t.Error(err)
		}
	}
	for _, want := range []string{"connection_ack", "pong"} {
		if _, text, err := ws.Read(ctx); err != nil || !strings.Contains(string(text), want) {
			t.Errorf("heard %s, %v, want %s", text, err, want)
		}
	}
	return ws
}

// Planned is a setting with times that are so many hours from now: {-1} was an
// hour ago.
func Planned(text string) string {
	for hours, mark := range map[int]string{-48: "{-48}", -24: "{-24}", -1: "{-1}", 24: "{24}", 48: "{48}"} {
		text = strings.ReplaceAll(text, mark, time.Now().UTC().Add(time.Duration(hours)*time.Hour).Format(time.RFC3339))
	}
	return text
}
