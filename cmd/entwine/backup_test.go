package main_test

import (
	"archive/tar"
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// writers create posts until they are stopped.
type writers struct {
	stop     atomic.Bool
	group    sync.WaitGroup
	mu       sync.Mutex
	answered []int64 // ids of posts
}

// write starts four writers and returns once each has had answers.
func write(t *testing.T, s *service, token string) *writers {
	t.Helper()
	w := &writers{}
	busy := make(chan struct{}, 4)
	for range cap(busy) {
		w.group.Go(func() {
			for n := 0; !w.stop.Load(); n++ {
				a := s.ask(t, "POST", "/api/v1/posts", `{"title": "Kept", "content": "It is so."}`, "Authorization", "Bearer "+token)
				if a.status != 201 {
					t.Errorf("%d: %s", a.status, a.text)
					return
				}
				w.mu.Lock()
				w.answered = append(w.answered, madeID(a))
				w.mu.Unlock()
				if n == 10 {
					busy <- struct{}{}
				}
			}
		})
	}
	t.Cleanup(w.end)
	for range cap(busy) {
		select {
		case <-busy:
		case <-t.Context().Done():
			t.Fatal("nothing is written")
		}
	}
	return w
}

func (w *writers) ids() []int64 {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]int64(nil), w.answered...)
}

func (w *writers) end() { w.stop.Store(true); w.group.Wait() }

// What was answered before a backup began is in it, whatever is written
// meanwhile, and what it holds serves: sign-ins of that time are good.
func TestABackupOfARunningServiceHoldsWhatWasAnswered(t *testing.T) {
	t.Parallel()
	s := start(t, "ENTWINE_ADMIN_PASSWORD="+killPassword)
	token := s.signIn(t)
	w := write(t, s, token)
	before := w.ids()
	said := mustEntwine(t, s.dir, "backup", "a.tar")
	after := len(w.ids())
	w.end()
	for _, want := range []string{"wrote a.tar", "database.sqlite", "token-keys", "secret-keys"} {
		if !strings.Contains(said, want) {
			t.Errorf("it says %q, not %q", said, want)
		}
	}
	info, err := os.Stat(filepath.Join(s.dir, "a.tar"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	nothingBeside(t, s.dir, "a.tar", "data", "files")
	t.Logf("%d posts were answered before the backup, %d at its end", len(before), after)

	dir := t.TempDir()
	mustEntwine(t, dir, "restore", filepath.Join(s.dir, "a.tar"))
	nothingBeside(t, filepath.Join(dir, "data"), "entwine.db", "secret-keys", "token-keys", "files")
	copied := startIn(t, dir)
	for _, id := range before {
		copied.ask(t, "GET", fmt.Sprint("/api/v1/posts/", id), "", "Authorization", "Bearer "+token).want(t, 200)
	}
	copied.ask(t, "GET", "/api/v1/auth/sessions", "", "Authorization", "Bearer "+token).want(t, 200)
}

// madeID is the id of what an answer says was made.
func madeID(a reply) int64 { return int64(a.body["data"].(map[string]any)["id"].(float64)) }

// nothingBeside fails where the folder has other files than these.
func nothingBeside(t *testing.T, dir string, names ...string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Join(names, " ") + " "
	for _, entry := range entries {
		if !strings.Contains(known, entry.Name()+" ") {
			t.Errorf("%s was left behind", entry.Name())
		}
	}
}

// refused runs a command that must not work, and must say why.
func refused(t *testing.T, dir, why string, args ...string) {
	t.Helper()
	stdout, stderr, code := entwine(t, dir, args...)
	if code != 1 || !strings.Contains(stderr, why) {
		t.Errorf("entwine %v: exit code %d, want 1 and %q\n%s%s", args, code, why, stdout, stderr)
	}
}

func TestARestoreTouchesNothingThatItShouldNot(t *testing.T) {
	t.Parallel()
	s := start(t, "ENTWINE_ADMIN_PASSWORD="+killPassword)
	token := s.signIn(t)
	mustEntwine(t, s.dir, "backup", "a.tar")
	refused(t, s.dir, "a.tar is there already", "backup", "a.tar")
	refused(t, s.dir, "entwine.db is there already", "restore", "a.tar")
	refused(t, s.dir, "another process has the database open", "restore", "--replace", "a.tar")
	later := s.ask(t, "POST", "/api/v1/posts", `{"title": "Later", "content": "It is so."}`, "Authorization", "Bearer "+token).want(t, 201)
	path := fmt.Sprint("/api/v1/posts/", madeID(later))
	s.stop(t)

	whole, err := os.ReadFile(filepath.Join(s.dir, "a.tar"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"empty.tar": nil, "header.tar": whole[:700], "half.tar": whole[:len(whole)/2], "keys.tar": whole[:len(whole)-4096],
		"changed.tar": changed(whole, len(whole)/2), "other.tar": []byte("SQLite format 3"),
	} {
		if err := os.WriteFile(filepath.Join(s.dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
		refused(t, s.dir, "it is no backup, or not all of one", "restore", "--replace", name)
	}
	again := startIn(t, s.dir)
	again.ask(t, "GET", path, "", "Authorization", "Bearer "+token).want(t, 200)
	again.stop(t)

	mustEntwine(t, s.dir, "restore", "--replace", "a.tar")
	back := startIn(t, s.dir)
	back.ask(t, "GET", path, "", "Authorization", "Bearer "+token).want(t, 404)
}

// changed is the content with another byte somewhere.
func changed(content []byte, at int) []byte {
	content = bytes.Clone(content)
	content[at] ^= 1
	return content
}

// A database that was damaged, which is when one restores, is replaced as well.
func TestARestoreReplacesWhatIsNoDatabase(t *testing.T) {
	t.Parallel()
	s := start(t, "ENTWINE_ADMIN_PASSWORD="+killPassword)
	token := s.signIn(t)
	mustEntwine(t, s.dir, "backup", "a.tar")
	s.stop(t)
	for _, name := range []string{"entwine.db", "entwine.db-wal", "token-keys"} {
		if err := os.WriteFile(filepath.Join(s.dir, "data", name), []byte(strings.Repeat("no database", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, s.dir, "file is not a database", "backup", "b.tar")
	mustEntwine(t, s.dir, "restore", "--replace", "a.tar")
	back := startIn(t, s.dir)
	back.ask(t, "GET", "/api/v1/auth/sessions", "", "Authorization", "Bearer "+token).want(t, 200)
}

func TestABackupOfALaterVersionIsNotRestored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustEntwine(t, dir, "migrate", "up")
	db, err := sql.Open("sqlite", filepath.Join(dir, "data/entwine.db"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), "UPDATE entwine_revisions SET version = '99990101000000' WHERE version = (SELECT max(version) FROM entwine_revisions)")
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	mustEntwine(t, dir, "backup", "a.tar")
	elsewhere := t.TempDir()
	refused(t, elsewhere, "newer than this program, which does not know its migration 99990101000000", "restore", filepath.Join(dir, "a.tar"))
	nothingBeside(t, filepath.Join(elsewhere, "data"))
	refused(t, elsewhere, "there is no database", "backup", "b.tar")
	nothingBeside(t, filepath.Join(elsewhere, "data"))
}

// TestThePageOnBackupsWorks runs its blocks of shell, in order, in the folder
// of a service, which is stopped before the last.
func TestThePageOnBackupsWorks(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../doc/operations/backup.md")
	if err != nil {
		t.Fatal(err)
	}
	s := start(t, "ENTWINE_ADMIN_PASSWORD="+killPassword)
	token := s.signIn(t)
	var scripts []string
	for _, found := range block.FindAllStringSubmatch(string(page), -1) {
		if found[1] == "sh" {
			scripts = append(scripts, found[2])
		}
	}
	if len(scripts) != 5 {
		t.Fatalf("it has %d blocks of shell, want 5", len(scripts))
	}
	for i, script := range scripts {
		if i == len(scripts)-1 {
			s.ask(t, "POST", "/api/v1/posts", `{"title": "Later", "content": "It is so."}`, "Authorization", "Bearer "+token).want(t, 201)
			s.stop(t)
		}
		out := shell(t, s.dir, script)
		if i == 1 && !strings.Contains(out, "it can be restored") {
			t.Errorf("the drill says\n%s", out)
		}
		if i == 2 && (!strings.Contains(out, "admin@example.com") || strings.Contains(out, "pending")) {
			t.Errorf("the copy is another one:\n%s", out)
		}
	}
	back := startIn(t, s.dir)
	if got := back.ask(t, "GET", "/api/v1/posts", "", "Authorization", "Bearer "+token).want(t, 200); !strings.Contains(got.text, `"total":0`) {
		t.Errorf("the later post is there: %s", got.text)
	}
}

// shell runs a script in a folder, with entwine on the path and settings.
func shell(t *testing.T, dir, script string, settings ...string) string {
	t.Helper()
	cmd := command(t, dir)
	run := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	run.Dir, run.Env = dir, append(append(cmd.Env, "PATH="+filepath.Dir(binary)+":"+os.Getenv("PATH")), settings...)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", script, err, out)
	}
	return string(out)
}

// beside skips the test where a program of PostgreSQL is not beside the server's: it
// refuses a newer server.
func beside(t *testing.T, program string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(pgserver.Dir(), program)); err != nil {
		storetest.Missing(t, "postgres", err)
	}
}

// On PostgreSQL the commands that are printed copy the database, and the keys
// are in the file.
func TestABackupOnPostgreSQL(t *testing.T) {
	t.Parallel()
	beside(t, "pg_dump")
	from := migratetest.Schema(t).PostgresURL(t)
	s := start(t, "ENTWINE_ADMIN_PASSWORD="+killPassword, "ENTWINE_DATABASE_URL="+from)
	token := s.signIn(t)
	post := s.ask(t, "POST", "/api/v1/posts", `{"title": "Kept", "content": "It is so."}`, "Authorization", "Bearer "+token).want(t, 201)
	out := shell(t, s.dir, "entwine backup a.tar", "ENTWINE_DATABASE_URL="+from)
	shell(t, s.dir, printed(t, out, "pg_dump"), password(t, from)...)

	to, drop, err := pgserver.Scratch(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = drop() })
	settings := []string{"ENTWINE_DATABASE_URL=" + to, "ENTWINE_DATA_DIR=copy"}
	out = shell(t, s.dir, "entwine restore a.tar", settings...)
	shell(t, s.dir, printed(t, out, "pg_restore"), password(t, to)...)
	s.stop(t)
	copied := startIn(t, s.dir, settings...)
	defer copied.stop(t) // before the database goes
	copied.ask(t, "GET", fmt.Sprint("/api/v1/posts/", madeID(post)), "", "Authorization", "Bearer "+token).want(t, 200)

	refused(t, s.dir, "whose database is on PostgreSQL", "restore", "a.tar", "--data-dir", "other")
	key := "ENTWINE_TOKEN_KEYS=AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="
	nothing := command(t, s.dir, "backup", "b.tar")
	nothing.Env = append(nothing.Env, "ENTWINE_DATABASE_URL="+from, key, strings.Replace(key, "TOKEN", "SECRET", 1))
	if said, err := nothing.CombinedOutput(); err == nil || !strings.Contains(string(said), "pg_dump --format=custom") {
		t.Errorf("with keys that are settings: %v\n%s", err, said)
	}
}

// printed is the line of an output that begins with a command.
func printed(t *testing.T, out, program string) string {
	t.Helper()
	for line := range strings.Lines(out) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, program+" ") {
			return line
		}
	}
	t.Fatalf("no %s in %s", program, out)
	return ""
}

// password gives PostgreSQL's programs that of a URL.
func password(t *testing.T, from string) []string {
	t.Helper()
	u, err := url.Parse(from)
	if err != nil {
		t.Fatal(err)
	}
	if word, ok := u.User.Password(); ok {
		return []string{"PGPASSWORD=" + word}
	}
	return nil
}

// An archive is what the page says: who has no entwine has tar.
func TestABackupIsATarArchive(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	mustEntwine(t, dir, "migrate", "up")
	mustEntwine(t, dir, "backup", "a.tar")
	f, err := os.Open(filepath.Join(dir, "a.tar"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	archive := tar.NewReader(f)
	var names []string
	var manifest struct {
		Format int
		Files  []struct{ Name string }
	}
	for {
		head, err := archive.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, head.Name)
		if head.Name == "manifest.json" {
			if err := json.NewDecoder(archive).Decode(&manifest); err != nil {
				t.Fatal(err)
			}
		}
	}
	if manifest.Format != 1 || len(manifest.Files) != len(names)-1 || strings.Join(names, " ") != "manifest.json database.sqlite" {
		t.Errorf("%v, %+v", names, manifest)
	}
}
