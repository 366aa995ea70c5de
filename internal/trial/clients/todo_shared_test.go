package clients_test

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

var todoWrites = flag.Int("todo-writes", 2, "how often each of the hundred people writes into the list that they share with two browsers")

// A hundred people and two browsers share a to-do list. The network of each is away for a quarter of
// the time, at random, and the service is deployed three times. Each screen is at each moment a state
// that the list had, and in the end what the database has.
func TestASharedListInTwoBrowsers(t *testing.T) {
	t.Parallel()
	schema := migratetest.Schema(t)
	for name, database := range map[string]string{"sqlite": schema.SQLiteURL(t), "postgres": schema.PostgresURL(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			browser, dir := nodetest.Chromium(t), nodetest.Folder(t, "testdata/todo")
			typed(t, dir, "client", "v1")
			nodetest.Run(t, dir, "tsc")
			noteHistory(t, schema, database)
			f := &fleet{dir: t.TempDir(), settings: []string{"ENTWINE_DATABASE_URL=" + database, "ENTWINE_CONNECTIONS=1000", "ENTWINE_RATE_LIMIT=off"}}
			f.begin(t, map[string]int{"sqlite": 1, "postgres": 2}[name])
			f.running[0].SignUp(t)
			page, networks, urls := bundled(t, dir, "watched.mjs"), make([]*network, 6), make([]string, 6)
			for i := range networks { // one of each browser, and those of the others
				networks[i] = newNetwork(t, page, f.urls)
				urls[i] = networks[i].URL
			}
			out := f.use(t, networks, func(control string) *exec.Cmd {
				program := exec.CommandContext(t.Context(), "node", append([]string{"todo.mjs", control, browser, "100", strconv.Itoa(*todoWrites)}, urls...)...)
				program.Dir = dir
				return program
			})
			if !strings.HasPrefix(out, "shown ") {
				t.Fatal(out)
			}
			cuts := int64(0)
			for _, n := range networks {
				if cuts += n.cuts.Load(); n.cuts.Load() == 0 {
					t.Error("a network did not fail")
				}
			}
			f.end(t)
			t.Logf("%s: %s over %d cuts", strings.TrimSpace(out), compareScreens(t, dir, schema.Kept(t, database)), cuts)
		})
	}
}

// fleet is the processes of a service.
type fleet struct {
	dir      string
	settings []string
	running  []*trial.Service

	mu  sync.Mutex
	all []string // where those are that take requests
}

func (f *fleet) begin(t *testing.T, n int) {
	t.Helper()
	for range n {
		f.running = append(f.running, trial.StartIn(t, f.dir, f.settings...))
	}
	f.serves()
}

// serves has those take requests that run.
func (f *fleet) serves(but ...*trial.Service) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.all = nil
	for _, s := range f.running {
		if len(but) == 0 || s != but[0] || len(f.running) == 1 {
			f.all = append(f.all, s.URL)
		}
	}
}

func (f *fleet) urls() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.all
}

// deploy starts each process anew, one after the other.
func (f *fleet) deploy(t *testing.T) {
	t.Helper()
	for i, s := range f.running {
		f.serves(s)
		s.Stop(t)
		f.running[i] = trial.StartIn(t, f.dir, f.settings...)
		f.serves()
	}
}

func (f *fleet) end(t *testing.T) {
	t.Helper()
	for _, s := range f.running {
		s.Stop(t)
	}
}

// use runs a program that says what becomes of the networks and the service, and returns
// what it has printed.
func (f *fleet) use(t *testing.T, networks []*network, program func(control string) *exec.Cmd) string {
	t.Helper()
	restarts, holds := make(chan chan struct{}), make(chan struct{})
	var failing sync.WaitGroup
	mux := http.NewServeMux()
	mux.HandleFunc("POST /fails", func(http.ResponseWriter, *http.Request) {
		for _, n := range networks {
			failing.Go(func() { n.fail(holds) })
		}
	})
	hold := sync.OnceFunc(func() { close(holds) })
	mux.HandleFunc("POST /holds", func(http.ResponseWriter, *http.Request) { hold(); failing.Wait() })
	mux.HandleFunc("POST /restarts", func(http.ResponseWriter, *http.Request) {
		done := make(chan struct{})
		restarts <- done
		<-done
	})
	control := httptest.NewServer(mux)
	defer control.Close()
	defer func() { hold(); failing.Wait() }()
	var out []byte
	ended := make(chan error, 1)
	cmd := program(control.URL)
	go func() {
		var err error
		out, err = cmd.CombinedOutput()
		ended <- err
	}()
	deployed := 0
	for {
		select {
		case done := <-restarts:
			f.deploy(t)
			deployed++
			close(done)
		case err := <-ended:
			if err != nil || deployed != 3 {
				t.Fatalf("%v after %d deploys\n%s", err, deployed, out)
			}
			return string(out)
		}
	}
}
