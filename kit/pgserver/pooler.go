package pgserver

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// ErrNoPooler says that PgBouncer is not on this machine, or too old.
var ErrNoPooler = errors.New("pgbouncer 1.21 or later was not found")

// Pooler is a running PgBouncer.
type Pooler struct {
	// Port is where it listens on 127.0.0.1.
	Port int

	guard *exec.Cmd
	leash io.Closer // the guard's input
	log   string
}

// StartPooler runs a PgBouncer before the server at an address, whose databases have the
// same names there. Its settings are those of transaction mode and then the given ones,
// as "default_pool_size=4". Its files are in dir, an absolute path that other users can
// reach. The caller calls [Pooler.Stop].
func StartPooler(ctx context.Context, server, dir string, settings ...string) (*Pooler, error) {
	program, err := exec.LookPath("pgbouncer")
	if err != nil {
		return nil, ErrNoPooler
	}
	if out, err := exec.CommandContext(ctx, program, "--version").Output(); err != nil || old(string(out)) {
		return nil, fmt.Errorf("%w: %s is %q", ErrNoPooler, program, out)
	}
	p, err := find()
	if err != nil {
		return nil, err
	}
	u, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	b := &Pooler{log: filepath.Join(dir, "log")}
	if b.Port, err = freePort(); err != nil {
		return nil, err
	}
	users := filepath.Join(dir, "users.txt")
	if err := os.WriteFile(users, []byte("\"postgres\" \"\"\n"), 0o644); err != nil {
		return nil, err
	}
	lines := append([]string{
		"[databases]",
		fmt.Sprintf("* = host=%s port=%s", u.Hostname(), u.Port()),
		"[pgbouncer]",
		"listen_addr=127.0.0.1", fmt.Sprintf("listen_port=%d", b.Port), "unix_socket_dir=",
		"auth_type=trust", "auth_file=" + users, "admin_users=postgres",
		"pool_mode=transaction", "default_pool_size=4", "max_client_conn=1000", "max_prepared_statements=200",
	}, settings...)
	file := filepath.Join(dir, "pgbouncer.ini")
	if err := os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
		return nil, err
	}
	return b, b.run(ctx, program, file, p)
}

// old reports whether a version, "PgBouncer 1.24.1", does not follow prepared statements.
func old(version string) bool {
	var major, minor int
	_, err := fmt.Sscanf(version, "PgBouncer %d.%d", &major, &minor)
	return err != nil || major == 1 && minor < 21
}

// guard runs PgBouncer until its own input ends, as when this process is gone.
const guard = `"$1" "$2" & pooler=$!; read -r line; kill -KILL "$pooler"; wait`

func (b *Pooler) run(ctx context.Context, program, file string, as *programs) error {
	b.guard = exec.Command("sh", "-c", guard, "sh", program, file)
	b.guard.SysProcAttr = &syscall.SysProcAttr{Credential: as.as, Setpgid: true}
	b.guard.Dir = "/"
	log, err := os.Create(b.log)
	if err != nil {
		return err
	}
	defer log.Close()
	b.guard.Stderr = log
	if b.leash, err = b.guard.StdinPipe(); err == nil {
		err = b.guard.Start()
	}
	if err != nil {
		return fmt.Errorf("start pgbouncer: %w", err)
	}
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		failed := ping(ctx, b.URL("postgres"))
		if failed == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			b.Stop()
			said, _ := os.ReadFile(b.log)
			return fmt.Errorf("start pgbouncer: %w: %s", failed, said)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// URL returns the address of a database behind the pooler. "pgbouncer" is its console.
func (b *Pooler) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", b.Port, url.PathEscape(database))
}

// Reconnect has it open connections anew, so that they have the settings that roles
// were given meanwhile.
func (b *Pooler) Reconnect(ctx context.Context) error {
	db, err := sql.Open("postgres", b.URL("pgbouncer"))
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = db.ExecContext(ctx, "RECONNECT")
	return err
}

// Stop ends it.
func (b *Pooler) Stop() {
	_ = b.leash.Close()
	_ = b.guard.Wait()
}
