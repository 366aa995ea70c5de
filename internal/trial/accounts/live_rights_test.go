package accounts_test

import (
	"bufio"
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// unheard is how long a new right or a lost one may take to reach a list on which
// nothing happens: well below the 30 seconds after which a connection proves itself.
const unheard = 20 * time.Second

// A list on which nothing happens has the rights of its caller, whichever process they
// are changed by: with Redis they are heard of, without it they are asked for.
func TestIdleListsHaveTheRightsOfNow(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]string{
		"sqlite": migratetest.Schema(t).SQLiteURL(t), "sqlite with redis": migratetest.Schema(t).SQLiteURL(t),
		"postgres": migratetest.Schema(t).PostgresURL(t), "postgres with redis": migratetest.Schema(t).PostgresURL(t),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shared := []string{"ENTWINE_DATABASE_URL=" + database}
			if strings.HasSuffix(name, "redis") {
				shared = append(shared, "ENTWINE_REDIS_URL="+storetest.Redis(t).URL)
			}
			dir := t.TempDir() // with the keys of tokens
			all := []*trial.Service{trial.StartIn(t, dir, shared...)}
			if name != "sqlite" { // which one process serves, beside the operator's
				all = append(all, trial.StartIn(t, dir, shared...))
			}
			one := all[0]
			operator := func(args ...string) {
				t.Helper()
				cmd := trial.Command(t, dir, args...)
				cmd.Env = append(cmd.Env, shared...)
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("%v: %v\n%s", args, err, out)
				}
			}
			one.Ask(t, "POST", "/api/v1/auth/register", strings.ReplaceAll(trial.Ada, "ada@", "eve@")).Want(t, 201)
			eve := one.Ask(t, "POST", "/api/v1/auth/login", strings.ReplaceAll(trial.AdaLogin, "ADA@", "eve@")).Want(t, 200)
			one.Ask(t, "POST", "/api/v1/posts", `{"title":"A draft","content":"…"}`, "Authorization", "Bearer "+eve.Body["token"].(string)).Want(t, 201)
			one.SignUp(t)
			for _, end := range []func(token []string){
				func(token []string) { one.Ask(t, "POST", "/api/v1/auth/logout", "", token...).Want(t, 200) },
				func([]string) { operator("user", "deactivate", "ada@example.com") },
			} {
				operator("user", "set-role", "ada@example.com", "user")
				in := one.Ask(t, "POST", "/api/v1/auth/login", trial.AdaLogin).Want(t, 200)
				token := []string{"Authorization", "Bearer " + in.Body["token"].(string)}
				var lists []*idle
				for _, s := range all {
					lists = append(lists,
						stayIdle(t, s, "GET", "/api/v1/posts?fields=title", "", token),
						stayIdle(t, s, "POST", "/graphql", `{"query":"subscription { postsLive { steps { kind node { title } } } }"}`, token))
				}
				for _, list := range lists {
					list.wants(`"rows":[]`, `"steps":[]`)
				}
				operator("user", "set-role", "ada@example.com", "editor")
				for _, list := range lists {
					list.wants(`"kind":"enter"`)
				}
				end(token)
				for _, list := range lists {
					list.wants("TOKEN_INVALID", "token invalid")
				}
			}
		})
	}
}

// A subscription that no event reaches ends with the sign-in, too.
func TestIdleSubscriptionsEndWithTheSignIn(t *testing.T) {
	t.Parallel()
	trial.EachDatabase(t, func(t *testing.T, s *trial.Service) {
		token := s.SignUp(t)
		waits := stayIdle(t, s, "POST", "/graphql", `{"query":"subscription { newPost { id } }"}`, token)
		s.Ask(t, "POST", "/api/v1/auth/logout", "", token...).Want(t, 200)
		waits.wants("token invalid")
	})
}

// idle is a stream on which nothing happens.
type idle struct {
	*testing.T
	name  string
	lines *bufio.Reader
	stop  context.CancelFunc
}

func stayIdle(t *testing.T, s *trial.Service, method, path, body string, token []string) *idle {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r := trial.NewRequest(t, method, s.URL+path, body, append([]string{"Accept", "text/event-stream"}, token...)...).WithContext(ctx)
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close(); cancel() })
	return &idle{t, method + " " + s.URL + path, bufio.NewReader(res.Body), cancel}
}

// wants takes the next event, which has one of the texts.
func (l *idle) wants(texts ...string) {
	l.Helper()
	late := time.AfterFunc(unheard, l.stop)
	defer late.Stop()
	for {
		line, err := l.lines.ReadString('\n')
		if err != nil {
			l.Fatalf("%s: %v, want %v", l.name, err, texts)
		}
		data, found := strings.CutPrefix(line, "data: ")
		if !found || data == "\n" {
			continue
		}
		for _, text := range texts {
			if strings.Contains(data, text) {
				return
			}
		}
		l.Fatalf("%s: %s, want %v", l.name, data, texts)
	}
}
