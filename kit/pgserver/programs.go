package pgserver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	_ "github.com/lib/pq" // ping
)

// ErrMissing says that PostgreSQL's programs are not on this machine.
var ErrMissing = errors.New("PostgreSQL's programs (initdb, postgres) were not found")

// programs are PostgreSQL's, and as whom to run them.
type programs struct {
	dir string
	as  *syscall.Credential // nil: as the caller
}

func find() (*programs, error) {
	p := &programs{dir: programDir()}
	if p.dir == "" {
		return nil, ErrMissing
	}
	if os.Getuid() != 0 {
		return p, nil
	}
	u, err := user.Lookup("postgres")
	if err != nil {
		return nil, fmt.Errorf("%w, or not the user they run as: %w", ErrMissing, err)
	}
	uid, _ := strconv.ParseUint(u.Uid, 10, 32)
	gid, _ := strconv.ParseUint(u.Gid, 10, 32)
	p.as = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return p, nil
}

// programDir is the folder that pg_config names, or that initdb is in, or
// where Debian keeps the newest version.
func programDir() string {
	var dirs []string
	if out, err := exec.Command("pg_config", "--bindir").Output(); err == nil {
		dirs = append(dirs, strings.TrimSpace(string(out)))
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	debian, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	for _, dir := range slices.Backward(debian) {
		dirs = append(dirs, dir)
	}
	for _, dir := range dirs {
		_, err1 := os.Stat(filepath.Join(dir, "initdb"))
		_, err2 := os.Stat(filepath.Join(dir, "postgres"))
		if err1 == nil && err2 == nil {
			return dir
		}
	}
	return ""
}

// command is a program in a process group of its own.
func (p *programs) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(p.dir, name), args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: p.as, Setpgid: true}
	cmd.Dir = "/"
	cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8", "TZ=UTC")
	return cmd
}

// Command is a program that runs as PostgreSQL's user does, in a process group of its
// own: one of PostgreSQL's, or another by its absolute path.
func Command(ctx context.Context, name string, args ...string) (*exec.Cmd, error) {
	p, err := find()
	if err != nil {
		return nil, err
	}
	cmd := p.command(ctx, name, args...)
	if filepath.IsAbs(name) {
		cmd.Path = name
	}
	return cmd, nil
}

// Dir is the folder of PostgreSQL's programs, empty where there are none.
func Dir() string { return programDir() }

// mkdir makes a folder that PostgreSQL's user owns.
func (p *programs) mkdir(dir string) error {
	err := os.MkdirAll(dir, 0o755)
	if err == nil && p.as != nil {
		err = os.Chown(dir, int(p.as.Uid), int(p.as.Gid))
	}
	return err
}

// initCluster makes dir and the cluster below it. Its databases sort like a
// dictionary where they can, so that a test sees a column that forgot to ask
// for COLLATE "C".
func (p *programs) initCluster(ctx context.Context, dir string) error {
	if err := p.mkdir(dir); err != nil {
		return err
	}
	data := filepath.Join(dir, "data")
	args := []string{"-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync", "--locale=C.UTF-8"}
	_, err := p.command(ctx, "initdb", append(args, "--locale-provider=icu", "--icu-locale=en")...).CombinedOutput()
	if err == nil {
		return nil
	}
	if err := os.RemoveAll(data); err != nil {
		return err
	}
	if out, err := p.command(ctx, "initdb", args...).CombinedOutput(); err != nil {
		return fmt.Errorf("initdb: %w: %s", err, out)
	}
	return nil
}

func ping(ctx context.Context, url string) error {
	db, err := sql.Open("postgres", url)
	if err != nil {
		return err
	}
	defer db.Close()
	return db.PingContext(ctx)
}
