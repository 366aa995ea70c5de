package backups_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/trial"
)

// follower is a running backup --follow.
type follower struct {
	cmd    *exec.Cmd
	folder string
}

// follow follows a service's database into a folder, and returns once all of it is there.
func follow(t *testing.T, dir, folder string, args ...string) *follower {
	t.Helper()
	return follows(t, "the database is followed", dir, folder, args...)
}

// follows returns once its log says something.
func follows(t *testing.T, says, dir, folder string, args ...string) *follower {
	t.Helper()
	f := &follower{cmd: trial.Command(t, dir, append([]string{"backup", "--follow"}, append(args, folder)...)...), folder: filepath.Join(dir, folder)}
	f.cmd.Env = append(f.cmd.Env, "ENTWINE_LOG_LEVEL=info")
	log, err := f.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := f.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.kill)
	lines := bufio.NewScanner(log)
	for lines.Scan() {
		if strings.Contains(lines.Text(), says) {
			go func() { _, _ = io.Copy(io.Discard, log) }()
			return f
		}
		t.Log(lines.Text())
	}
	t.Fatal("it ended")
	return nil
}

func (f *follower) kill() { _ = f.cmd.Process.Kill(); _ = f.cmd.Wait() }

// caughtUp waits until all that was committed before the call is in the folder: the last
// change of two that were added since was looked for after it. Others have to write
// meanwhile.
func (f *follower) caughtUp(t *testing.T) {
	t.Helper()
	for last, n := time.Now().Truncate(time.Second), 0; n < 2; {
		said := trial.MustRun(t, t.TempDir(), "restore", "--verify", f.folder)
		_, said, _ = strings.Cut(said, " had on ")
		said, _, _ = strings.Cut(said, ":\n")
		at, err := time.Parse("2006-01-02 15:04:05 MST", said)
		if err != nil {
			t.Fatal(err)
		}
		if at.After(last) {
			last, n = at, n+1
		}
	}
}

// A database that is followed loses the last second with its disk, even where everything
// is killed under load, and goes back to any moment.
func TestWhatIsFollowedIsKept(t *testing.T) {
	t.Parallel()
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)
	token := s.SignIn(t)
	f := follow(t, s.Dir, "copy")
	w := trial.Write(t, s, token)
	before := w.IDs()
	f.caughtUp(t)
	early := time.Now()
	f.caughtUp(t)
	taken := s.Ask(t, "DELETE", fmt.Sprint("/api/v1/posts/", before[0]), "", "Authorization", "Bearer "+token)
	if taken.Status != 200 && taken.Status != 204 {
		t.Fatal(taken.Text)
	}
	between := w.IDs()
	f.caughtUp(t)
	f.kill()
	w.End()
	s.Kill()

	said := trial.MustRun(t, s.Dir, "drill", "copy")
	if !strings.Contains(said, "it can be restored") {
		t.Error(said)
	}
	for _, at := range []struct {
		args  []string
		posts []int64
		first int
	}{
		{nil, between, 404},
		{[]string{"--at", early.UTC().Format(time.RFC3339Nano)}, before, 200},
	} {
		dir := t.TempDir()
		t.Log(trial.MustRun(t, dir, append(append([]string{"restore"}, at.args...), f.folder)...))
		copied := trial.StartIn(t, dir)
		for _, id := range at.posts[1:] {
			copied.Ask(t, "GET", fmt.Sprint("/api/v1/posts/", id), "", "Authorization", "Bearer "+token).Want(t, 200)
		}
		copied.Ask(t, "GET", fmt.Sprint("/api/v1/posts/", at.posts[0]), "", "Authorization", "Bearer "+token).Want(t, at.first)
		copied.Stop(t)
	}

	dir := t.TempDir()
	refused(t, dir, "the earliest moment", "restore", "--at", early.Add(-time.Hour).UTC().Format(time.RFC3339), f.folder)
	refused(t, dir, "has no backup that entwine backup --follow has made", "restore", s.Dir)
}

// A database that can't be followed is seen by monitoring until it is followed again.
func TestAFollowerThatFailsIsSeen(t *testing.T) {
	t.Parallel()
	settings := []string{"ENTWINE_METRICS_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=info"}
	s := trial.Start(t, settings...)
	s.Measures(t, "entwine_backup_failing_timestamp_seconds", trial.Is(0))
	file := filepath.Join(s.Dir, "data", "entwine.db")
	s.Stop(t)
	if err := os.Rename(file, file+".away"); err != nil {
		t.Fatal(err)
	}
	follows(t, "the backup does not go on", s.Dir, "copy").kill()
	if err := os.Rename(file+".away", file); err != nil {
		t.Fatal(err)
	}
	s = trial.StartIn(t, s.Dir, settings...)
	s.Measures(t, "entwine_backup_failing_timestamp_seconds", trial.Above(1))
	follow(t, s.Dir, "copy")
	s.Measures(t, "entwine_backup_failing_timestamp_seconds", trial.Is(0))
}
