package accounts_test

import (
	"bufio"
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// Viewers of a row, and their own words about themselves, are shown to every reader of the
// row, in both APIs and through every process. Others see none of it, from the moment on
// at which they lose the right to read the row.
func TestWhoLooksAtAPost(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]string{"sqlite": migratetest.Schema(t).SQLiteURL(t), "postgres with redis": migratetest.Schema(t).PostgresURL(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			settings, dir := []string{"ENTWINE_DATABASE_URL=" + database, "ENTWINE_RATE_LIMIT=5000/1m"}, t.TempDir()
			if name != "sqlite" {
				settings = append(settings, "ENTWINE_REDIS_URL="+storetest.Redis(t).URL)
			}
			a := trial.StartIn(t, dir, settings...)
			b := a
			if name != "sqlite" {
				b = trial.StartIn(t, dir, settings...)
			}
			author := a.SignUp(t)
			a.Ask(t, "POST", "/api/v1/auth/register", strings.ReplaceAll(trial.Ada, "ada@", "eve@")).Want(t, 201)
			in := a.Ask(t, "POST", "/api/v1/auth/login", strings.ReplaceAll(trial.AdaLogin, "ADA@", "eve@")).Want(t, 200)
			eve := []string{"Authorization", "Bearer " + in.Body["token"].(string)}
			post := a.Ask(t, "POST", "/api/v1/posts", `{"title":"Engines","content":"…","published":true}`, author...).Want(t, 201)
			id := fmt.Sprint(post.Body["data"].(map[string]any)["id"])
			path := "/api/v1/presence?entity=posts&id=" + id
			adas := fmt.Sprintf(`"user_id":%v`, post.Body["data"].(map[string]any)["author_id"])

			mine := look(t, a, "GET", path, "", author)
			token := mine.until(`"token":"([^"]+)"`)
			mine.until(`"rows":\[\{[^]]*` + adas + `[^]]*\}\]`)
			theirs := look(t, b, "POST", "/graphql", `{"query":"subscription { presence(id: \"`+globalOf("Post", id)+`\") { token steps { kind node { userId state } } } }"}`, eve)
			other := theirs.until(`"token":"([^"]+)".*"kind":"enter","node":{"userId":"` + globalOf("User", strings.TrimPrefix(adas, `"user_id":`)) + `","state":{"line":0,"typing":false}}`)
			mine.until(`"kind":"enter".*"index":1`)
			nobody := look(t, b, "GET", path, "", nil)
			nobody.until(`"user_id":null.*"user_id":null.*"user_id":null`)

			// Words of a viewer through one process are shown by the other; no viewer speaks for
			// another.
			b.Ask(t, "POST", "/api/v1/presence", `{"token":"`+token+`","state":{"line":7}}`, author...).Want(t, 204)
			theirs.until(`"kind":"change","node":{"userId":"[^"]+","state":{"line":7,"typing":false}}`)
			nobody.until(`"fields":{"state":{"line":7,"typing":false}}`)
			a.Ask(t, "POST", "/graphql", `{"query":"mutation { sayPresence(token: \"`+other+`\", state: {typing: true}) }"}`, eve...).Want(t, 200, `"sayPresence":true`)
			mine.until(`"fields":{"state":{"line":0,"typing":true}}`)
			b.Ask(t, "POST", "/api/v1/presence", `{"token":"`+token+`","state":{"line":8}}`, eve...).Want(t, 404, "no stream with this token is open")
			a.Ask(t, "POST", "/api/v1/presence", `{"token":"`+token+`","state":{"line":"8"}}`, author...).Want(t, 400, `"state.line"`, "must be an integer, not string")
			a.Ask(t, "POST", "/api/v1/presence", `{"token":"`+token+`","state":{"at":8}}`, author...).Want(t, 400, "is unknown: line, typing are allowed")
			a.Ask(t, "POST", "/api/v1/presence", `{"token":"`+token+`","state":{"line":null,"At":8}}`, author...).Want(t, 400, `"state.line"`, "must not be null", `"state.At"`)
			a.Ask(t, "POST", "/api/v1/presence", `{"token":"`+token+`","state":{"line":8.5}}`, author...).Want(t, 400, `"state.line"`, "must be an integer")
			a.Ask(t, "POST", "/api/v1/presence", `{"token":"`+token+`","state":{},"line":8}`, author...).Want(t, 400, `"line"`)
			a.Ask(t, "GET", path, "", eve...).Want(t, 200, adas, `"line":7`)
			a.Ask(t, "POST", "/api/v1/presence", `{"token":"`+token+`","state":{"line":9.0}}`, author...).Want(t, 204)
			b.Ask(t, "POST", "/api/v2/presence", `{"token":"`+token+`","state":{"line":1e3}}`, author...).Want(t, 204)
			theirs.until(`"state":{"line":1000,"typing":false}`)
			v2 := "/api/v2/presence?entity=posts&id=" + globalOf("Post", id)
			userID := globalOf("User", strings.TrimPrefix(adas, `"user_id":`))
			a.Ask(t, "GET", v2, "", author...).Want(t, 200, `"userId":"`+userID+`"`, `"line":1000`)
			a.Ask(t, "GET", v2, "", append([]string{"Accept", "application/xml"}, author...)...).Want(t, 200, "<userId>"+userID+"</userId>")
			a.Ask(t, "GET", v2, "", append([]string{"Accept", "text/csv"}, author...)...).Want(t, 200, "id,userId,state")
			look(t, a, "GET", v2, "", nil).until(`"userId":null,"state"`)

			// An archived post is read by its author, and by no one else.
			a.Ask(t, "POST", "/api/v1/posts/"+id+"/archive", "", author...).Want(t, 200)
			theirs.until("event: complete")
			nobody.until("event: end")
			nobody.until(`"code":"RESOURCE_NOT_FOUND"`)
			nobody.ends()
			mine.until(`"kind":"leave"`)
			a.Ask(t, "GET", path, "", eve...).Want(t, 404)
			b.Ask(t, "GET", path, "", "Accept", "text/event-stream").Want(t, 404)
			b.Ask(t, "POST", "/api/v1/presence", `{"token":"`+other+`","state":{}}`, eve...).Want(t, 404)

			// A sign-in that ends takes its stream along; what is said is bounded.
			again := look(t, b, "GET", path, "", author)
			second := again.until(`"token":"([^"]+)"`)
			for refused := false; !refused; {
				refused = b.Ask(t, "POST", "/api/v1/presence", `{"token":"`+second+`","state":{}}`, author...).Status == 429
			}
			a.Ask(t, "POST", "/api/v1/auth/logout", "", author...).Want(t, 200)
			again.until("event: end")
			mine.until("event: end")
		})
	}
}

// Where a process is killed those who looked at rows through it are shown no more, and
// the memory of Redis is given back.
func TestWhoLookedThroughAProcessThatDied(t *testing.T) {
	t.Parallel()
	redis := storetest.Redis(t)
	settings, dir := []string{"ENTWINE_DATABASE_URL=" + migratetest.Schema(t).PostgresURL(t), "ENTWINE_REDIS_URL=" + redis.URL}, t.TempDir()
	a, b := trial.StartIn(t, dir, settings...), trial.StartIn(t, dir, settings...)
	ada := a.SignUp(t)
	a.Ask(t, "POST", "/api/v1/posts", `{"title":"Engines","content":"…","published":true}`, ada...).Want(t, 201)
	const path = "/api/v1/presence?entity=posts&id=1"
	here := look(t, a, "GET", path, "", ada)
	here.until(`"rows":`)
	look(t, b, "GET", path, "", nil).until(`"rows":`)
	here.until(`"kind":"enter"`)
	b.Kill()
	here.until(`"kind":"leave"`)
	a.Ask(t, "GET", path, "", ada...).Want(t, 200, `"data":[{`)
}

// looking is a stream of who looks at a row.
type looking struct {
	*testing.T
	name  string
	lines *bufio.Reader
}

// aWhile is how long what is said may take: a member of a process that was killed leaves
// after half a minute.
const aWhile = 45 * time.Second

func look(t *testing.T, s *trial.Service, method, path, body string, token []string) *looking {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 2*aWhile)
	r := trial.NewRequest(t, method, s.URL+path, body, append([]string{"Accept", "text/event-stream"}, token...)...).WithContext(ctx)
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cancel(); _ = res.Body.Close() })
	return &looking{t, method + " " + s.URL + path, bufio.NewReader(res.Body)}
}

// until reads lines until one of them matches, and returns its first group.
func (l *looking) until(pattern string) string {
	l.Helper()
	want := regexp.MustCompile(pattern)
	var heard strings.Builder
	for {
		line, err := l.lines.ReadString('\n')
		heard.WriteString(line)
		if found := want.FindStringSubmatch(line); found != nil {
			return found[len(found)-1]
		}
		if err != nil {
			l.Fatalf("%s: %v, want %s\n%s", l.name, err, pattern, heard.String())
		}
	}
}

// ends reads to the end.
func (l *looking) ends() {
	l.Helper()
	for {
		if _, err := l.lines.ReadString('\n'); err != nil {
			return
		}
	}
}

func globalOf(entity, id string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(entity + ":" + id))
}
