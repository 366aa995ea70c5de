package pgserver

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
)

// watch stops the server once no process has held the lock for two minutes,
// and removes its files. The kernel frees a process's lock however it ends, so
// no server outlives its users for long. Two minutes are more than go test
// compiles between two packages that use the server: starting another one and
// migrating its template takes longer than the tests of most packages.
//
// A server that ended otherwise has been replaced by another one, which has a
// watch of its own: the number of a process may be another's by then, and the
// files are the other server's. The first line of postmaster.pid identifies the
// server, also one that was killed and left the file: nothing waits for its end.
const watch = `
exec 9>>"$1/users.lock"
mine() { [ "$(head -n 1 "$1/server/data/postmaster.pid" 2>/dev/null)" = "$2" ]; }
while mine "$1" "$2"; do
	flock -x 9; flock -u 9; sleep 120
	flock -n -x 9 || continue
	mine "$1" "$2" || exit
	kill -INT "$2"
	while mine "$1" "$2" && kill -0 "$2" 2>/dev/null; do sleep 0.1; done
	rm -rf "$1/server"
	exit
done
`

// shared is this process's hold on the shared server.
var shared struct {
	sync.Mutex
	users *os.File // locked until the process ends
	url   string
}

// Dev returns the address of the server that the generator and the planner of
// migrations make scratch databases on: the one that ENTWINE_DEV_DATABASE_URL
// names, or [Shared]. "none" is as on a machine without PostgreSQL: [ErrMissing].
func Dev(ctx context.Context) (string, error) {
	switch url := os.Getenv("ENTWINE_DEV_DATABASE_URL"); url {
	case "":
		return Shared(ctx)
	case "none":
		return "", ErrMissing
	default:
		return url, nil
	}
}

// Shared returns the address of the database "postgres" of the server that
// all processes of this user share. ENTWINE_TEST_POSTGRES_URL names another.
func Shared(ctx context.Context) (string, error) {
	if url := os.Getenv("ENTWINE_TEST_POSTGRES_URL"); url != "" {
		return url, nil
	}
	shared.Lock()
	defer shared.Unlock()
	if shared.url != "" {
		return shared.url, nil
	}
	dir := filepath.Join(volatileDir(), "entwine-postgres-"+strconv.Itoa(os.Getuid()))
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	var err error
	if shared.users == nil {
		if shared.users, err = lock(filepath.Join(dir, "users.lock"), syscall.LOCK_SH); err != nil {
			return "", err
		}
	}
	start, err := lock(filepath.Join(dir, "start.lock"), syscall.LOCK_EX)
	if err != nil {
		return "", err
	}
	defer start.Close()
	shared.url, err = join(ctx, dir)
	return shared.url, err
}

// volatileDir is a folder in memory, where creating a database takes half as
// long as on disk, or the folder for temporary files where memory is short.
// The size that is asked for holds the log at max_wal_size and some hundred
// databases. It is the total and not what is free, so that all processes
// choose the same folder.
func volatileDir() string {
	const memory, enough = "/dev/shm", 4 << 30
	var fs syscall.Statfs_t
	if err := syscall.Statfs(memory, &fs); err != nil || fs.Blocks*uint64(fs.Bsize) < enough {
		return os.TempDir()
	}
	return memory
}

// join returns the address of the running server, or starts one.
func join(ctx context.Context, dir string) (string, error) {
	address := filepath.Join(dir, "server", "url")
	if url, err := os.ReadFile(address); err == nil && ping(ctx, string(url)) == nil {
		return string(url), nil
	}
	if err := sweep(filepath.Join(dir, "server")); err != nil {
		return "", err
	}
	s, err := start(ctx, filepath.Join(dir, "server"))
	if err != nil {
		return "", err
	}
	pid := strconv.Itoa(s.process.Process.Pid)
	guard := exec.Command("sh", "-c", watch, "sh", dir, pid)
	guard.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	guard.Dir = "/"
	if err := guard.Start(); err != nil {
		s.Kill()
		return "", fmt.Errorf("start the server's watch: %w", err)
	}
	url := s.URL("postgres")
	return url, os.WriteFile(address, []byte(url), 0o644)
}

// sweep removes what a server that did not end well has left.
func sweep(dir string) error {
	pid, err := os.ReadFile(filepath.Join(dir, "data", "postmaster.pid"))
	if err == nil {
		line, _, _ := strings.Cut(string(pid), "\n")
		if n, err := strconv.Atoi(line); err == nil && serves(n, dir) {
			_ = syscall.Kill(n, syscall.SIGQUIT)
		}
	}
	return os.RemoveAll(dir)
}

// serves reports whether the process is the server of the folder; the number
// may be another process's by now, another server's too.
func serves(pid int, dir string) bool {
	command, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return err == nil && slices.Contains(strings.Split(string(command), "\x00"), filepath.Join(dir, "data"))
}

func lock(path string, how int) (*os.File, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o644)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), how); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return f, nil
}
