// Package pgserver runs PostgreSQL for tests and for writing migrations.
//
// [Start] runs a server of one's own, to be killed and paused at will.
// [Shared] is one server for every process of this user: the first starts
// it, and it goes away a while after the last one is gone. Both trade safety
// for speed: nothing they hold survives a power cut.
//
// PostgreSQL refuses to run as root, so root's servers run as the user
// postgres.
package pgserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// Server is a running server.
type Server struct {
	// Dir holds the cluster and its socket.
	Dir string
	// Port is where it listens, on 127.0.0.1 and on its socket.
	Port int
	// Settings are more of them, as "wal_level=replica", for the next Restart.
	Settings []string

	process *exec.Cmd
	exited  chan struct{}
	leash   io.WriteCloser // held by a guard, nil for the shared server
}

// Start runs a new server whose files are in dir, an absolute path that other users
// can reach. The caller calls [Server.Stop]; neither the server nor its files outlive this
// process where it is killed before that.
func Start(ctx context.Context, dir string) (*Server, error) {
	s, err := start(ctx, dir)
	if err != nil {
		return nil, err
	}
	return s, s.tie()
}

func start(ctx context.Context, dir string) (*Server, error) {
	p, err := find()
	if err != nil {
		return nil, err
	}
	s := &Server{Dir: dir, exited: make(chan struct{})}
	if s.Port, err = freePort(); err != nil {
		return nil, err
	}
	if err := p.initCluster(ctx, dir); err != nil {
		return nil, err
	}
	if err := s.run(ctx, p); err != nil {
		return nil, err
	}
	return s, nil
}

// Restart runs the server again on its port after Stop or Kill.
func (s *Server) Restart(ctx context.Context) error {
	p, err := find()
	if err != nil {
		return err
	}
	s.exited = make(chan struct{})
	if err := s.run(ctx, p); err != nil {
		return err
	}
	return s.tie()
}

// leashed kills the server of a process that is gone, which closes the guard's input. The
// second try is for what the server's processes wrote before they saw that it ended.
const leashed = `read -r line && exit
kill -KILL -- "-$1"
read -r _ memory <<END
$(sed -n 7p "$2/data/postmaster.pid")
END
ipcrm -m "$memory"
rm -rf "$2" || { sleep 2; rm -rf "$2"; }
`

// tie starts a guard that kills the server when this process is gone, and removes its files.
func (s *Server) tie() (err error) {
	pid := strconv.Itoa(s.process.Process.Pid)
	guard := exec.Command("sh", "-c", leashed, "sh", pid, s.Dir)
	guard.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if s.leash, err = guard.StdinPipe(); err == nil {
		err = guard.Start()
	}
	if err != nil {
		s.Kill()
		return fmt.Errorf("start the server's guard: %w", err)
	}
	go func() { _ = guard.Wait() }()
	return nil
}

// untie sends the guard home.
func (s *Server) untie() {
	if s.leash != nil {
		_, _ = s.leash.Write([]byte("\n"))
		_ = s.leash.Close()
	}
}

func (s *Server) run(ctx context.Context, p *programs) error {
	s.process = p.command(context.WithoutCancel(ctx), "postgres", append([]string{"-D", filepath.Join(s.Dir, "data")}, s.arguments()...)...)
	log, err := os.Create(filepath.Join(s.Dir, "log"))
	if err != nil {
		return err
	}
	defer log.Close()
	s.process.Stdout, s.process.Stderr = log, log
	if err := s.process.Start(); err != nil {
		return fmt.Errorf("start postgres: %w", err)
	}
	go func() {
		_ = s.process.Wait()
		close(s.exited)
	}()
	if err := s.wait(ctx); err != nil {
		s.Kill()
		return fmt.Errorf("start postgres: %w (see %s)", err, log.Name())
	}
	return nil
}

// wait returns once the server answers.
func (s *Server) wait(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
	defer cancel()
	for {
		if ping(ctx, s.URL("postgres")) == nil {
			return nil
		}
		select {
		case <-s.exited:
			return errors.New("it ended")
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// URL returns the address of a database of the server.
func (s *Server) URL(database string) string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/%s?sslmode=disable", s.Port, url.PathEscape(database))
}

// arguments are the server's settings on its command line.
func (s *Server) arguments() []string {
	set := []string{
		"port=" + strconv.Itoa(s.Port), "listen_addresses=127.0.0.1", "unix_socket_directories=" + s.Dir,
		"max_connections=400", "shared_buffers=64MB",
		// Memory that processes share is in files of the data folder: a kill leaves none elsewhere.
		"dynamic_shared_memory_type=mmap",
		// Commits survive a kill of the server, not of the machine.
		"fsync=off", "full_page_writes=off", "autovacuum=off", "wal_level=minimal", "max_wal_senders=0", "max_wal_size=1GB",
	}
	var args []string
	for _, one := range append(set, s.Settings...) { // the last word holds
		args = append(args, "-c", one)
	}
	return args
}

func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}
