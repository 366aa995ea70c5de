package backups_test

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// A drill takes the last backup, leaves nothing behind and the service alone, and says what
// is wrong with one that can't be restored.
func TestADrillTriesTheLastBackup(t *testing.T) {
	t.Parallel()
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_METRICS_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=info")
	s.Measures(t, "entwine_backup_drill_timestamp_seconds", trial.Is(0))
	refused(t, s.Dir, "no such file", "drill", "copies")
	if err := os.Mkdir(filepath.Join(s.Dir, "copies"), 0o700); err != nil {
		t.Fatal(err)
	}
	refused(t, s.Dir, "there is no file in copies", "drill", "copies")
	trial.MustRun(t, s.Dir, "backup", "copies/a.tar")
	trial.MustRun(t, s.Dir, "backup", "copies/b.tar")
	if out := trial.MustRun(t, s.Dir, "drill", "copies"); !strings.Contains(out, "copies/b.tar is whole") || !strings.Contains(out, "it can be restored") {
		t.Errorf("it says %s", out)
	}
	s.Measures(t, "entwine_backup_drill_timestamp_seconds", trial.Above(1))
	if out := trial.MustRun(t, s.Dir, "restore", "--verify", "copies/a.tar"); !strings.Contains(out, "it can be restored") {
		t.Errorf("it says %s", out)
	}
	whole, err := os.ReadFile(filepath.Join(s.Dir, "copies/b.tar"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"half.tar": whole[:len(whole)/2], "changed.tar": changed(whole, len(whole)/2)} {
		if err := os.WriteFile(filepath.Join(s.Dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
		refused(t, s.Dir, "it is no backup, or not all of one", "drill", name)
		refused(t, s.Dir, "it is no backup, or not all of one", "restore", "--verify", name)
	}
	if left, err := filepath.Glob(filepath.Join(s.Dir, "data", ".drill-*")); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
	s.Ask(t, "GET", "/readyz", "").Want(t, 200, `"status":"ok"`)
}

// A dump is restored into a database of its own, which is gone afterwards.
func TestADrillTriesADump(t *testing.T) {
	t.Parallel()
	beside(t, "pg_dump")
	from := migratetest.Schema(t).PostgresURL(t)
	dir := t.TempDir()
	trial.Shell(t, dir, "pg_dump --format=custom --no-owner --file=a.dump '"+from+"'; head -c 20000 a.dump >half.dump")
	if out := trial.MustRun(t, dir, "drill", "a.dump", "--database-url", from); !strings.Contains(out, "it can be restored") {
		t.Errorf("it says %s", out)
	}
	refused(t, dir, "pg_restore", "drill", "half.dump", "--database-url", from)
	refused(t, dir, "a file of SQLite", "drill", "a.dump")
	db, err := store.Open(t.Context(), store.Config{URL: from})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if n := storetest.Count(t, db, "pg_database WHERE datname LIKE 'drill\\_%'"); n > 0 {
		t.Errorf("%d databases are left", n)
	}
}

// recovery is the page's way to a moment of the past, on this machine.
type recovery struct {
	*testing.T
	server *pgserver.Server
	srv    string // in place of /srv
	as     *syscall.Credential
}

func startRecovery(t *testing.T) (*recovery, []string) {
	t.Helper()
	beside(t, "pg_basebackup")
	r := &recovery{T: t, server: storetest.PostgresServer(t)}
	dir, err := os.MkdirTemp("", "entwine-srv-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	r.srv = dir
	if os.Getuid() == 0 {
		u, err := user.Lookup("postgres")
		if err != nil {
			storetest.Missing(t, "postgres", err)
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		r.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	for _, one := range []string{dir, filepath.Join(dir, "archive"), filepath.Join(dir, "base")} {
		if err := os.MkdirAll(one, 0o700); err != nil {
			t.Fatal(err)
		}
		if r.as != nil {
			if err := os.Chown(one, int(r.as.Uid), int(r.as.Gid)); err != nil {
				t.Fatal(err)
			}
		}
	}
	_, page, _ := strings.Cut(trial.ReadFile(t, "doc/operations/backup.md"), "### Any moment of the past")
	var scripts []string
	for _, found := range trial.Block.FindAllStringSubmatch(page, -1) {
		if found[1] == "bash" {
			scripts = append(scripts, found[2])
		}
		if found[1] == "ini" {
			for line := range strings.Lines(found[2]) {
				if name, value, ok := strings.Cut(strings.TrimSpace(line), " = "); ok {
					r.server.Settings = append(r.server.Settings, name+"="+strings.ReplaceAll(strings.Trim(value, "'"), "/srv", dir))
				}
			}
		}
	}
	if len(scripts) != 2 || len(r.server.Settings) != 4 {
		t.Fatalf("the page has the scripts %q and the settings %q", scripts, r.server.Settings)
	}
	r.server.Settings = append(r.server.Settings, "max_wal_senders=4") // as a server has that no test started
	r.server.Stop()
	if err := r.server.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	return r, scripts
}

// shell runs a script as the user of PostgreSQL, with its programs.
func (r *recovery) shell(script string) {
	r.Helper()
	ctx := context.WithoutCancel(r.Context()) // a test that ends stops servers by it
	cmd := exec.CommandContext(ctx, "bash", "-euo", "pipefail", "-c", script)
	bin, err := exec.CommandContext(ctx, "pg_config", "--bindir").Output()
	if err != nil {
		storetest.Missing(r.T, "postgres", err)
	}
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + strings.TrimSpace(string(bin)) + ":" + os.Getenv("PATH"), "PGHOST=127.0.0.1", fmt.Sprint("PGPORT=", r.server.Port), "PGUSER=postgres"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: r.as}
	if out, err := cmd.CombinedOutput(); err != nil {
		r.Fatalf("%s: %v\n%s", script, err, out)
	}
}

// ask reads a text from the server.
func (r *recovery) ask(text string) (said string) {
	r.Helper()
	db, err := sql.Open("postgres", r.server.URL("postgres"))
	if err != nil {
		r.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(r.Context(), text).Scan(&said); err != nil {
		r.Fatalf("%s: %v", text, err)
	}
	return said
}

var targetForm = regexp.MustCompile(`recovery_target_time = '[^']*'`)

// The page's way to a moment of the past leads there: what was written before it is there,
// and what came later is not, and the service serves it.
func TestAnyMomentOfThePast(t *testing.T) {
	t.Parallel()
	r, scripts := startRecovery(t)
	dir, keep := t.TempDir(), []string{"ENTWINE_ADMIN_PASSWORD=" + trial.AdminPassword}
	s := trial.StartIn(t, dir, append(keep, "ENTWINE_DATABASE_URL="+r.server.URL("postgres"))...)
	token := s.SignIn(t)
	post := func(title string) int64 {
		return trial.MadeID(s.Ask(t, "POST", "/api/v1/posts", `{"title": "`+title+`", "content": "It is so."}`, "Authorization", "Bearer "+token).Want(t, 201))
	}
	before := post("Before the copy")
	r.shell(strings.ReplaceAll(scripts[0], "/srv", r.srv))
	after := post("After the copy")
	moment := r.ask("SELECT clock_timestamp()::text")
	late := post("Too late")
	file := r.ask("SELECT pg_walfile_name(pg_current_wal_lsn())")
	r.ask("SELECT pg_switch_wal()::text")
	for {
		if _, err := os.Stat(filepath.Join(r.srv, "archive", file)); err == nil {
			break
		}
		if t.Context().Err() != nil {
			t.Fatalf("%s is not archived", file)
		}
		r.ask("SELECT pg_sleep(0.05)::text")
	}
	s.Stop(t)
	r.server.Kill()

	port := strconv.Itoa(trial.FreePort(t))
	text := trial.Replaced(t, scripts[1], "/srv", r.srv, "-p 5433", "-p "+port+" -c unix_socket_directories="+r.srv+" -c max_connections=1000")
	t.Cleanup(func() { r.shell("pg_ctl --pgdata=" + r.srv + "/recovered --mode=immediate stop") })
	r.shell(targetForm.ReplaceAllString(text, "recovery_target_time = '"+moment+"'"))
	back := trial.StartIn(t, dir, append(keep, "ENTWINE_DATABASE_WAIT=60s", "ENTWINE_DATABASE_URL="+strings.Replace(r.server.URL("postgres"), strconv.Itoa(r.server.Port), port, 1)+"&target_session_attrs=read-write")...)
	defer back.Stop(t) // before the database goes
	for id, status := range map[int64]int{before: 200, after: 200, late: 404} {
		back.Ask(t, "GET", fmt.Sprint("/api/v1/posts/", id), "", "Authorization", "Bearer "+token).Want(t, status)
	}
}

// With --every there is always a new backup, and no more than are kept.
func TestBackupsAreMadeAgainAndAgain(t *testing.T) {
	t.Parallel()
	s := trial.Start(t)
	if _, said, code := trial.Run(t, s.Dir, "backup", "--every", "1ms", "copies"); code != 2 || !strings.Contains(said, "--every takes a second or more") {
		t.Errorf("--every 1ms: exit code %d, %s", code, said)
	}
	cmd := trial.Command(t, s.Dir, "backup", "--every", "1s", "--keep", "2", "copies")
	output := new(trial.Log)
	cmd.Stdout, cmd.Stderr = output, output
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	files := func() []string {
		all, err := filepath.Glob(filepath.Join(s.Dir, "copies", "*.tar"))
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	output.Wait(t, "wrote copies/")
	first := files()[0]
	for slices.Contains(files(), first) && t.Context().Err() == nil {
		s.Ask(t, "GET", "/readyz", "").Want(t, 200)
	}
	if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Wait(); err != nil {
		t.Errorf("it ended with %v\n%s", err, output)
	}
	if left := files(); len(left) != 2 {
		t.Errorf("there are %v", left)
	}
	trial.MustRun(t, s.Dir, "drill", "copies")
}
