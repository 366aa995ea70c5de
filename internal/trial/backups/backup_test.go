package backups_test

import (
	"archive/tar"
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// Every write that was answered before a backup began is in it, also while others write. A
// service runs on its copy, and sign-ins of that time are good.
func TestABackupOfARunningServiceHoldsWhatWasAnswered(t *testing.T) {
	t.Parallel()
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)
	token := s.SignIn(t)
	w := trial.Write(t, s, token)
	before := w.IDs()
	said := trial.MustRun(t, s.Dir, "backup", "a.tar")
	after := len(w.IDs())
	w.End()
	for _, want := range []string{"wrote a.tar", "database.sqlite", "token-keys", "secret-keys"} {
		if !strings.Contains(said, want) {
			t.Errorf("it says %q, not %q", said, want)
		}
	}
	info, err := os.Stat(filepath.Join(s.Dir, "a.tar"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
	nothingBeside(t, s.Dir, "a.tar", "data", "files")
	t.Logf("%d posts were answered before the backup, %d at its end", len(before), after)

	dir := t.TempDir()
	trial.MustRun(t, dir, "restore", filepath.Join(s.Dir, "a.tar"))
	nothingBeside(t, filepath.Join(dir, "data"), "entwine.db", "secret-keys", "token-keys", "files")
	copied := trial.StartIn(t, dir)
	for _, id := range before {
		copied.Ask(t, "GET", fmt.Sprint("/api/v1/posts/", id), "", "Authorization", "Bearer "+token).Want(t, 200)
	}
	copied.Ask(t, "GET", "/api/v1/auth/sessions", "", "Authorization", "Bearer "+token).Want(t, 200)
}

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
	stdout, stderr, code := trial.Run(t, dir, args...)
	if code != 1 || !strings.Contains(stderr, why) {
		t.Errorf("entwine %v: exit code %d, want 1 and %q\n%s%s", args, code, why, stdout, stderr)
	}
}

func TestARestoreTouchesNothingThatItShouldNot(t *testing.T) {
	t.Parallel()
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)
	token := s.SignIn(t)
	trial.MustRun(t, s.Dir, "backup", "a.tar")
	refused(t, s.Dir, "a.tar is there already", "backup", "a.tar")
	refused(t, s.Dir, "entwine.db is there already", "restore", "a.tar")
	refused(t, s.Dir, "another process has the database open", "restore", "--replace", "a.tar")
	later := s.Ask(t, "POST", "/api/v1/posts", `{"title": "Later", "content": "It is so."}`, "Authorization", "Bearer "+token).Want(t, 201)
	path := fmt.Sprint("/api/v1/posts/", trial.MadeID(later))
	s.Stop(t)

	whole, err := os.ReadFile(filepath.Join(s.Dir, "a.tar"))
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"empty.tar": nil, "header.tar": whole[:700], "half.tar": whole[:len(whole)/2], "keys.tar": whole[:len(whole)-4096],
		"changed.tar": changed(whole, len(whole)/2), "other.tar": []byte("SQLite format 3"),
	} {
		if err := os.WriteFile(filepath.Join(s.Dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
		refused(t, s.Dir, "it is no backup, or not all of one", "restore", "--replace", name)
	}
	again := trial.StartIn(t, s.Dir)
	again.Ask(t, "GET", path, "", "Authorization", "Bearer "+token).Want(t, 200)
	again.Stop(t)

	trial.MustRun(t, s.Dir, "restore", "--replace", "a.tar")
	back := trial.StartIn(t, s.Dir)
	back.Ask(t, "GET", path, "", "Authorization", "Bearer "+token).Want(t, 404)
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
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)
	token := s.SignIn(t)
	trial.MustRun(t, s.Dir, "backup", "a.tar")
	s.Stop(t)
	for _, name := range []string{"entwine.db", "entwine.db-wal", "token-keys"} {
		if err := os.WriteFile(filepath.Join(s.Dir, "data", name), []byte(strings.Repeat("no database", 1000)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	refused(t, s.Dir, "file is not a database", "backup", "b.tar")
	trial.MustRun(t, s.Dir, "restore", "--replace", "a.tar")
	back := trial.StartIn(t, s.Dir)
	back.Ask(t, "GET", "/api/v1/auth/sessions", "", "Authorization", "Bearer "+token).Want(t, 200)
}

func TestABackupOfALaterVersionIsNotRestored(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	trial.MustRun(t, dir, "migrate", "up")
	db, err := sql.Open("sqlite", filepath.Join(dir, "data/entwine.db"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), "UPDATE entwine_revisions SET version = '99990101000000' WHERE version = (SELECT max(version) FROM entwine_revisions)")
	if err != nil {
		t.Fatal(err)
	}
	db.Close()
	trial.MustRun(t, dir, "backup", "a.tar")
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
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)
	token := s.SignIn(t)
	scripts := trial.Blocks(t, "doc/operations/backup.md", "sh")
	if len(scripts) != 5 {
		t.Fatalf("it has %d blocks of shell, want 5", len(scripts))
	}
	for i, script := range scripts {
		if i == len(scripts)-1 {
			s.Ask(t, "POST", "/api/v1/posts", `{"title": "Later", "content": "It is so."}`, "Authorization", "Bearer "+token).Want(t, 201)
			s.Stop(t)
		}
		out := trial.Shell(t, s.Dir, script)
		if i == 1 && !strings.Contains(out, "it can be restored") {
			t.Errorf("the drill says\n%s", out)
		}
		if i == 2 && (!strings.Contains(out, "admin@example.com") || strings.Contains(out, "pending")) {
			t.Errorf("the copy is another one:\n%s", out)
		}
	}
	back := trial.StartIn(t, s.Dir)
	if got := back.Ask(t, "GET", "/api/v1/posts", "", "Authorization", "Bearer "+token).Want(t, 200); !strings.Contains(got.Text, `"total":0`) {
		t.Errorf("the later post is there: %s", got.Text)
	}
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
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_DATABASE_URL="+from)
	token := s.SignIn(t)
	post := s.Ask(t, "POST", "/api/v1/posts", `{"title": "Kept", "content": "It is so."}`, "Authorization", "Bearer "+token).Want(t, 201)
	out := trial.Shell(t, s.Dir, "entwine backup a.tar", "ENTWINE_DATABASE_URL="+from)
	trial.Shell(t, s.Dir, printed(t, out, "pg_dump"), password(t, from)...)

	to, drop, err := pgserver.Scratch(t.Context(), from)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = drop() })
	settings := []string{"ENTWINE_DATABASE_URL=" + to, "ENTWINE_DATA_DIR=copy"}
	out = trial.Shell(t, s.Dir, "entwine restore a.tar", settings...)
	trial.Shell(t, s.Dir, printed(t, out, "pg_restore"), password(t, to)...)
	s.Stop(t)
	copied := trial.StartIn(t, s.Dir, settings...)
	defer copied.Stop(t) // before the database goes
	copied.Ask(t, "GET", fmt.Sprint("/api/v1/posts/", trial.MadeID(post)), "", "Authorization", "Bearer "+token).Want(t, 200)

	refused(t, s.Dir, "whose database is on PostgreSQL", "restore", "a.tar", "--data-dir", "other")
	key := "ENTWINE_TOKEN_KEYS=AQIDBAUGBwgJCgsMDQ4PEBESExQVFhcYGRobHB0eHyA="
	nothing := trial.Command(t, s.Dir, "backup", "b.tar")
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
	trial.MustRun(t, dir, "migrate", "up")
	trial.MustRun(t, dir, "backup", "a.tar")
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
