//go:build linux

package faults_test

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/coder/websocket"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

const onePost = `{"title": "Kept", "content": "It is so."}`

// trouble is a service whose database is to have some.
type trouble struct {
	*testing.T
	*trial.Service
	auth []string
}

func newTrouble(t *testing.T, settings ...string) *trouble {
	t.Helper()
	s := trial.Start(t, append(settings, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_METRICS_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=info")...)
	return &trouble{t, s, []string{"Authorization", "Bearer " + s.SignIn(t)}}
}

func (s *trouble) file() string { return filepath.Join(s.Dir, "data", "entwine.db") }

// posted writes a post and returns its path.
func (s *trouble) posted() string {
	s.Helper()
	return fmt.Sprint("/api/v1/posts/", trial.MadeID(s.Ask(s.T, "POST", "/api/v1/posts", onePost, s.auth...).Want(s.T, 201)))
}

// refused requires that both APIs refuse writes and say why.
func (s *trouble) refused(reason string) {
	s.Helper()
	if r := s.Ask(s.T, "POST", "/api/v1/posts", onePost, s.auth...).Want(s.T, 503, "SERVICE_UNAVAILABLE"); r.Header.Get("Retry-After") == "" {
		s.Error("it has no Retry-After")
	}
	s.Ask(s.T, "POST", "/graphql", `{"query":"mutation { createPost(input: {title: \"a\", content: \"b\"}) { id } }"}`, s.auth...).Want(s.T, 200, "SERVICE_UNAVAILABLE")
	s.Ask(s.T, "GET", "/readyz", "").Want(s.T, 503, `"database":"failed"`)
	s.Output.Wait(s.T, "the database takes no writes\" reason="+reason)
	series, _ := trial.Scrape(s.T, s.Output)
	if series[`entwine_database_refuses_writes{reason="`+reason+`"}`] != 1 {
		s.Errorf("no metric says %s", reason)
	}
}

// healed waits until writes are taken again.
func (s *trouble) healed() {
	s.Helper()
	s.Output.Wait(s.T, "the database takes writes again")
	s.Ask(s.T, "GET", "/readyz", "").Want(s.T, 200)
	series, _ := trial.Scrape(s.T, s.Output)
	for name, value := range series {
		if strings.HasPrefix(name, "entwine_database_refuses_writes") && value != 0 {
			s.Errorf("%s is %v", name, value)
		}
	}
}

func (s *trouble) must(err error) {
	s.Helper()
	if err != nil {
		s.Fatal(err)
	}
}

// endless subscribes by both ways to hear events.
func (s *trouble) endless() (ws *websocket.Conn, sse io.ReadCloser) {
	s.Helper()
	r := trial.NewRequest(s.T, "POST", s.URL+"/graphql", `{"query":"subscription { newPost { id } }"}`, "Accept", "text/event-stream")
	res, err := http.DefaultTransport.RoundTrip(r)
	s.must(err)
	if _, err := io.ReadFull(res.Body, make([]byte, 3)); err != nil {
		s.Fatal(err)
	}
	return trial.Join(s.Context(), s.T, s.URL), res.Body
}

// ends requires that both end so that clients come back.
func (s *trouble) ends(ws *websocket.Conn, sse io.ReadCloser) {
	s.Helper()
	var err error
	for err == nil {
		_, _, err = ws.Read(s.Context())
	}
	if websocket.CloseStatus(err) != 1012 || !strings.Contains(err.Error(), "replaced or restored") {
		s.Errorf("the WebSocket ends with %v, want 1012", err)
	}
	if text, err := io.ReadAll(sse); err == nil || strings.Contains(string(text), "event: complete") {
		s.Errorf("the stream ends with %v after %q", err, text)
	}
	_ = sse.Close()
	again := trial.Join(s.Context(), s.T, s.URL)
	s.Ask(s.T, "POST", s.posted()+"/publish", "", s.auth...).Want(s.T, 200)
	if _, text, err := again.Read(s.Context()); err != nil || !strings.Contains(string(text), "newPost") {
		s.Errorf("a new subscription hears %s, %v", text, err)
	}
	_ = again.CloseNow()
	series, _ := trial.Scrape(s.T, s.Output)
	if series["entwine_database_replaced_total"] != 1 || series["entwine_event_subscriptions_replaced_total"] != 2 {
		s.Errorf("%v times replaced, %v subscriptions ended", series["entwine_database_replaced_total"], series["entwine_event_subscriptions_replaced_total"])
	}
}

// A backup is put into the place of the file while it is served.
func TestASQLiteFileThatIsReplaced(t *testing.T) {
	t.Parallel()
	s := newTrouble(t)
	kept := s.posted()
	trial.MustRun(t, s.Dir, "backup", "a.tar")
	trial.MustRun(t, s.Dir, "restore", "a.tar", "--data-dir", "other")
	lost := s.posted()
	ws, sse := s.endless()
	s.must(os.Rename(filepath.Join(s.Dir, "other", "entwine.db"), s.file()))
	s.refused("file_replaced")
	s.healed()
	s.Ask(t, "GET", kept, "", s.auth...).Want(t, 200)
	s.Ask(t, "GET", lost, "", s.auth...).Want(t, 404)
	s.ends(ws, sse)
}

// The folder of the file has another name for a while.
func TestASQLiteFileThatIsAway(t *testing.T) {
	t.Parallel()
	s := newTrouble(t)
	kept := s.posted()
	folder := filepath.Dir(s.file())
	s.must(os.Rename(folder, folder+".away"))
	s.refused("file_gone")
	s.must(os.Rename(folder+".away", folder))
	s.healed()
	s.Ask(t, "GET", kept, "", s.auth...).Want(t, 200)
	s.posted()
}

// A file that is deleted is restored from a backup, without a stop.
func TestASQLiteFileThatIsDeleted(t *testing.T) {
	t.Parallel()
	s := newTrouble(t)
	kept := s.posted()
	trial.MustRun(t, s.Dir, "backup", "a.tar")
	for _, suffix := range []string{"", "-wal", "-shm"} {
		s.must(os.Remove(s.file() + suffix))
	}
	s.refused("file_gone")
	trial.MustRun(t, s.Dir, "restore", "--replace", "a.tar")
	s.healed()
	s.Ask(t, "GET", kept, "", s.auth...).Want(t, 200)
	s.posted()
}

// A file without the migrations is not served, and not changed.
func TestASQLiteFileOfAnotherVersion(t *testing.T) {
	t.Parallel()
	s := newTrouble(t)
	trial.MustRun(t, s.Dir, "backup", "a.tar")
	s.must(os.Remove(s.file()))
	s.must(os.WriteFile(s.file(), nil, 0o600))
	s.refused("file_replaced")
	s.Output.Wait(t, "it is no database")
	if info, err := os.Stat(s.file()); err != nil || info.Size() != 0 {
		t.Errorf("the file has %d bytes: %v", info.Size(), err)
	}
}

func TestAFullDisk(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can mount a file system of its own")
	}
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=24m"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	s := newTrouble(t, "ENTWINE_DATABASE_URL=sqlite://"+filepath.Join(disk, "shop.db"))
	kept := s.posted()
	ballast, err := os.Create(filepath.Join(disk, "ballast"))
	s.must(err)
	defer ballast.Close()
	for err == nil {
		_, err = ballast.Write(make([]byte, 64<<10))
	}
	s.Output.Wait(t, "the database takes no writes")
	s.refused("no_room")
	s.Ask(t, "GET", kept, "", s.auth...).Want(t, 200)
	s.must(ballast.Truncate(0))
	s.healed()
	s.posted()
}

// Clients of the old primary come back to the new one.
func TestAFailoverToAStandbyThatLagged(t *testing.T) {
	t.Parallel()
	primary := storetest.PostgresServer(t)
	s := &trouble{T: t}
	s.must(primary.Replicate(t.Context()))
	s = newTrouble(t, "ENTWINE_DATABASE_URL="+primary.URL("postgres"))
	dir, err := os.MkdirTemp("", "entwine-standby-")
	s.must(err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	standby, err := primary.Standby(t.Context(), dir)
	s.must(err)
	ws, sse := s.endless()
	for range 30 {
		s.posted()
	}
	primary.Kill()
	s.must(standby.Restart(t.Context()))
	t.Cleanup(standby.Stop)
	s.Ask(t, "POST", "/api/v1/posts", onePost, s.auth...).Want(t, 503)
	s.Ask(t, "GET", "/readyz", "").Want(t, 503, `"database":"failed"`)
	s.must(standby.Promote(context.WithoutCancel(t.Context())))
	s.Ask(t, "GET", "/readyz", "").Want(t, 200)
	s.ends(ws, sse)
}

// A URL of two servers leads to the one that takes writes, whichever that is: the first
// is a standby until the second ends.
func TestAURLOfAStandbyAndItsPrimary(t *testing.T) {
	t.Parallel()
	primary := storetest.PostgresServer(t)
	s := &trouble{T: t}
	s.must(primary.Replicate(t.Context()))
	dir, err := os.MkdirTemp("", "entwine-standby-")
	s.must(err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	standby, err := primary.Standby(t.Context(), dir)
	s.must(err)
	_, port, err := net.SplitHostPort(trial.UnusedAddress(t))
	s.must(err)
	standby.Port, err = strconv.Atoi(port)
	s.must(err)
	standby.Settings = primary.Settings // it follows
	s.must(standby.Restart(t.Context()))
	t.Cleanup(standby.Stop)
	const query = "/postgres?sslmode=disable&target_session_attrs=read-write"
	s = newTrouble(t, fmt.Sprintf("ENTWINE_DATABASE_URL=postgres://postgres@127.0.0.1:%d,127.0.0.1:%d%s", standby.Port, primary.Port, query))
	s.posted()
	primary.Kill()
	s.Ask(t, "POST", "/api/v1/posts", onePost, s.auth...).Want(t, 503)
	alone := fmt.Sprintf("postgres://postgres@127.0.0.1:%d%s", standby.Port, query)
	if _, errs, code := trial.Run(t, t.TempDir(), "user", "list", "--database-url", alone); code != 1 || !strings.Contains(errs, "ENTWINE_DATABASE_URL: ") || !strings.Contains(errs, "target_session_attrs=read-write") {
		t.Errorf("a command with a standby: %d %s", code, errs)
	}
	cmd, output := trial.Command(t, t.TempDir(), "serve"), new(trial.Log)
	cmd.Env = append(cmd.Env, "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_DATABASE_WAIT=10m", "ENTWINE_DATABASE_URL="+alone)
	cmd.Stdout, cmd.Stderr = output, output
	s.must(cmd.Start())
	output.Wait(t, "waiting for the database")
	s.must(standby.Promote(context.WithoutCancel(t.Context())))
	output.Wait(t, "entwine listens on")
	s.must(cmd.Process.Signal(syscall.SIGTERM))
	s.must(cmd.Wait())
	s.Ask(t, "GET", "/readyz", "").Want(t, 200)
	s.posted()
}
