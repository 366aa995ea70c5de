package clients_test

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
)

// listener is a client that others wrote and that runs.
type listener struct {
	lines *bufio.Scanner
}

func listen(t *testing.T, script, kind, url, token, query string) *listener {
	t.Helper()
	cmd := exec.Command("node", script, kind, url+"/graphql", token, query)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
	})
	return &listener{bufio.NewScanner(out)}
}

// hears returns the next thing that the client says.
func (l *listener) hears(t *testing.T) map[string]any {
	t.Helper()
	if !l.lines.Scan() {
		t.Fatalf("the client has ended: %v", l.lines.Err())
	}
	var said map[string]any
	if err := json.Unmarshal(l.lines.Bytes(), &said); err != nil {
		t.Fatalf("%v: %s", err, l.lines.Bytes())
	}
	return said
}

// wants requires that the client says this next.
func (l *listener) wants(t *testing.T, what string) {
	t.Helper()
	said, _ := json.Marshal(l.hears(t))
	if string(said) != what {
		t.Errorf("heard %s, want %s", said, what)
	}
}

func TestTheClientsOfOthers(t *testing.T) {
	t.Parallel()
	script := filepath.Join(nodetest.Folder(t, "testdata/clients"), "client.mjs")
	const query = `subscription { newPost { title author { name } } }`
	for _, c := range []struct {
		kind string
		end  []string // what is said when the process ends
	}{
		{"graphql-ws", []string{`{"closed":1012}`}},
		{"subscriptions-transport-ws", []string{`{"closed":true}`}},
		{"graphql-sse", nil},
	} {
		t.Run(c.kind, func(t *testing.T) {
			t.Parallel()
			s := trial.Start(t)
			auth := s.SignUp(t)
			l := listen(t, script, c.kind, s.URL, strings.TrimPrefix(auth[1], "Bearer "), query)
			l.wants(t, `{"connected":true}`)
			publish := func(title string) {
				s.Ask(t, "POST", "/api/v1/posts", `{"title":"`+title+`","content":"…","published":true}`, auth...).Want(t, 201)
			}
			if c.kind == "subscriptions-transport-ws" { // it can't say when it is subscribed
				heard := make(chan struct{})
				go func() {
					defer close(heard)
					l.hears(t)
				}()
				for waiting := true; waiting; {
					publish("Now?")
					select {
					case <-heard:
						waiting = false
					default:
					}
				}
				s.Stop(t)
				for said := l.hears(t); said["closed"] == nil; said = l.hears(t) {
				}
				return
			}
			for _, title := range []string{"One", "Two"} {
				publish(title)
				l.wants(t, `{"next":{"data":{"newPost":{"author":{"name":"Ada Lovelace"},"title":"`+title+`"}}}}`)
			}
			s.Stop(t)
			for _, end := range c.end {
				l.wants(t, end)
			}
			if c.kind == "graphql-sse" { // it comes back by itself, as nothing said that it is over
				s = trial.StartIn(t, s.Dir, "ENTWINE_ADDR="+strings.TrimPrefix(s.URL, "http://"))
				l.wants(t, `{"connected":true}`)
				publish("Three")
				l.wants(t, `{"next":{"data":{"newPost":{"author":{"name":"Ada Lovelace"},"title":"Three"}}}}`)
			}
		})
	}
	t.Run("a token that is no good", func(t *testing.T) {
		t.Parallel()
		s := trial.Start(t)
		listen(t, script, "graphql-ws", s.URL, "x", query).wants(t, `{"closed":4403}`)
	})
}

// The clients of others put together what is deferred: those for whom that is
// their own work show the data twice, the others the parts.
func TestTheClientsOfOthersTakeParts(t *testing.T) {
	t.Parallel()
	script := filepath.Join(nodetest.Folder(t, "testdata/clients"), "defer.mjs")
	s := trial.Start(t)
	auth := s.SignUp(t)
	s.Ask(t, "POST", "/api/v1/posts", `{"title":"One","content":"…","published":true}`, auth...).Want(t, 201)
	const (
		query  = `{ me { name posts { title ... @defer(label: "later") { likesCount author { role } } } } }`
		first  = `{"data":{"me":{"name":"Ada Lovelace","posts":[{"title":"One"}]}}`
		second = `{"incremental":[{"data":{"author":{"role":"user"},"likesCount":0},"label":"later","path":["me","posts",0]}]`
		whole  = `{"data":{"me":{"name":"Ada Lovelace","posts":[{"author":{"role":"user"},"likesCount":0,"title":"One"}]}}}`
	)
	for _, kind := range []string{"apollo", "urql", "urql-asking", "meros", "graphql-ws", "graphql-sse"} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			l := listen(t, script, kind, s.URL, strings.TrimPrefix(auth[1], "Bearer "), query)
			switch kind {
			case "apollo", "urql-asking":
				l.wants(t, first+"}")
				l.wants(t, whole)
				return
			case "urql":
				l.wants(t, whole)
				return
			}
			l.wants(t, first+`,"hasNext":true}`)
			l.wants(t, `{"hasNext":false,`+second[1:]+`}`)
		})
	}
}
