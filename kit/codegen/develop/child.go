package develop

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"
)

// The variables in a program's environment. Package app reads them, as it does
// those of the process before it.
const (
	successorMark   = "_ENTWINE_SUCCESSOR=1"
	developmentMark = "_ENTWINE_DEVELOPMENT="
)

// child is a program that serves.
type child struct {
	program string
	began   time.Time
	process *os.Process
	// ended is closed when it has, and state is how then.
	ended chan struct{}
	state *os.ProcessState
}

// start starts the program and waits until it serves.
func (l *Loop) start(ctx context.Context, s *socket, program string) (*child, error) {
	heard, ready, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer heard.Close()
	l.page.stepAside()
	c, err := l.spawn(s, program, ready)
	if err = errors.Join(err, ready.Close()); err != nil {
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	end := context.AfterFunc(ctx, func() { _ = c.process.Kill() })
	defer end()
	said := make([]byte, 4096)
	n, err := heard.Read(said)
	if err == nil && n == 1 && said[0] == 1 {
		return c, nil
	}
	<-c.ended
	if n > 0 {
		return nil, fmt.Errorf("%s did not come to serve: %s", l.name(), said[:n])
	}
	return nil, fmt.Errorf("%s did not come to serve: %v", l.name(), c.state)
}

// spawn starts the program with the listener. Package exec would make the
// socket, which all programs share, a blocking one.
func (l *Loop) spawn(s *socket, program string, ready *os.File) (*child, error) {
	raw, err := s.SyscallConn()
	if err != nil {
		return nil, err
	}
	environ := slices.DeleteFunc(slices.Clone(l.Environ), func(pair string) bool { return strings.HasPrefix(pair, "_ENTWINE_") })
	environ = append(environ, successorMark, developmentMark+l.page.file)
	if !slices.ContainsFunc(environ, func(pair string) bool { return strings.HasPrefix(pair, "ENTWINE_LOG_LEVEL=") }) {
		environ = append(environ, "ENTWINE_LOG_LEVEL=debug")
	}
	var pid int
	err = errors.Join(raw.Control(func(fd uintptr) {
		files := []uintptr{0, 1, 2, fd, ready.Fd()}
		if s.lock != nil {
			files = append(files, s.lock.Fd())
		}
		pid, err = syscall.ForkExec(program, []string{l.name(), "serve"}, &syscall.ProcAttr{Dir: l.Root, Env: environ, Files: files})
	}), err)
	if err != nil {
		return nil, err
	}
	c := &child{program: program, began: time.Now(), ended: make(chan struct{})}
	if c.process, err = os.FindProcess(pid); err != nil {
		return nil, err
	}
	go func() {
		c.state, _ = c.process.Wait()
		close(c.ended)
	}()
	return c, nil
}

// stop has the program end what has begun, and waits for that.
func (c *child) stop(within time.Duration) {
	_ = c.process.Signal(syscall.SIGTERM)
	select {
	case <-c.ended:
	case <-time.After(within + 2*time.Second):
		_ = c.process.Kill()
		<-c.ended
	}
}

// leave asks the program to make way for another one that serves: it ends what has
// begun, and asks clients of open connections to come back.
func (c *child) leave() { _ = c.process.Signal(syscall.SIGHUP) }

// work is the processor time of this process and its ended children.
func work() (total time.Duration) {
	for _, who := range []int{syscall.RUSAGE_SELF, syscall.RUSAGE_CHILDREN} {
		var u syscall.Rusage
		if syscall.Getrusage(who, &u) == nil {
			total += time.Duration(u.Utime.Nano() + u.Stime.Nano())
		}
	}
	return total
}
