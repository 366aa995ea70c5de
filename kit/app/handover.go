//go:build unix

package app

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/web"
)

// On SIGHUP a process starts its successor with the socket that
// it listens on. Both have it then, so that no connection is refused: once
// the successor says that it serves, the old process leaves new connections
// to it, asks clients of old ones to close them, and ends.
const (
	// successorMark is set in a successor's environment.
	successorMark = "_ENTWINE_SUCCESSOR"
	// developmentMark is where weave dev, which starts all successors itself, names
	// the file from which pages read the state of the build.
	developmentMark = "_ENTWINE_DEVELOPMENT"
	// listenerFile is its socket, readyFile where it says that it serves.
	listenerFile = 3
	readyFile    = 4
)

// inherited returns the listener of the process before this one, nil where
// there was none.
func (p *Process) inherited() (net.Listener, error) {
	if !slices.Contains(p.Environ, successorMark+"=1") {
		return nil, nil
	}
	file := os.NewFile(listenerFile, "listener")
	l, err := net.FileListener(file) // a copy
	if err := errors.Join(err, file.Close()); err != nil {
		return nil, fmt.Errorf("take over the listener: %w", err)
	}
	return l, nil
}

// development is the file with the state of weave dev, empty where weave dev has
// not started this process.
func (p *Process) development() string {
	for _, pair := range p.Environ {
		if file, ok := strings.CutPrefix(pair, developmentMark+"="); ok && p.Config.Env != config.Production {
			return file
		}
	}
	return ""
}

// orphaned returns a channel of when to look whether weave dev is still there,
// nil where that has not started this process: one that it left behind would
// keep the port and the database from the next.
func (p *Process) orphaned() (look <-chan time.Time, end func()) {
	if p.development() == "" {
		return nil, func() {}
	}
	p.parent = os.Getppid()
	ticker := time.NewTicker(time.Second)
	return ticker.C, ticker.Stop
}

// hearRestarts returns the channel of SIGHUP, by which this process is asked to
// hand over. Before it is called the signal ends the process, or is ignored.
func hearRestarts() chan os.Signal {
	asked := make(chan os.Signal, 1)
	signal.Notify(asked, syscall.SIGHUP)
	return asked
}

// takeOver notifies the process before this one, and systemd, that this one
// serves.
func (p *Process) takeOver(ctx context.Context) error {
	if err := notifySystemd(ctx, p.Environ); err != nil {
		p.Log.Warn("notify systemd", "err", err)
	}
	if !slices.Contains(p.Environ, successorMark+"=1") {
		return nil
	}
	p.toldReady = true
	ready := os.NewFile(readyFile, "ready")
	_, err := ready.Write([]byte{1})
	if err := errors.Join(err, ready.Close()); err != nil {
		return fmt.Errorf("take over: %w", err) // it has ended, and so has its wait for this one
	}
	return nil
}

// gaveUp has weave dev say why this process, which it started, did not come to serve: on
// the terminal and on pages. It reports false where nothing waits for that.
func (p *Process) gaveUp(err error) bool {
	if p.toldReady || !slices.ContainsFunc(p.Environ, func(pair string) bool { return strings.HasPrefix(pair, developmentMark+"=") }) {
		return false
	}
	said := []byte(err.Error())
	ready := os.NewFile(readyFile, "ready")
	_, failed := ready.Write(said[:min(len(said), 4096)]) // what a pipe takes at once
	return errors.Join(failed, ready.Close()) == nil
}

// notifySystemd says which process serves (sd_notify), if systemd wants to know.
func notifySystemd(ctx context.Context, environ []string) error {
	i := slices.IndexFunc(environ, func(pair string) bool { return strings.HasPrefix(pair, "NOTIFY_SOCKET=") })
	if i < 0 {
		return nil
	}
	conn, err := new(net.Dialer).DialContext(ctx, "unixgram", strings.TrimPrefix(environ[i], "NOTIFY_SOCKET="))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(conn, "READY=1\nMAINPID=%d", os.Getpid())
	return errors.Join(err, conn.Close())
}

// handOver starts a successor on a signal, and stops this process once
// that serves. Where it does not come to that, this process goes on.
func (p *Process) handOver(ctx context.Context, asked chan os.Signal, l net.Listener, stop context.CancelCauseFunc) error {
	defer signal.Stop(asked)
	orphaned, end := p.orphaned()
	defer end()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-orphaned:
			if os.Getppid() != p.parent {
				stop(nil)
				return nil
			}
			continue
		case <-asked:
		}
		if p.development() != "" { // which has started it
			stop(web.ErrTakenOver)
			return nil
		}
		pid, err := p.succeed(ctx, l)
		if err == nil {
			p.Log.InfoContext(ctx, p.service.Name+" hands over", "pid", pid)
			p.tell("%s hands over to process %d\n", p.service.Name, pid)
			stop(web.ErrTakenOver)
			return nil
		}
		p.Log.ErrorContext(ctx, "there is no successor", "err", err)
	}
}

// succeed starts a successor and waits until it serves.
func (p *Process) succeed(ctx context.Context, l net.Listener) (pid int, err error) {
	program, err := exec.LookPath(os.Args[0])
	if err != nil {
		return 0, err
	}
	heard, ready, err := os.Pipe()
	if err != nil {
		return 0, err
	}
	defer heard.Close()
	pid, err = p.start(program, l, ready)
	if err := errors.Join(err, ready.Close()); err != nil {
		return 0, fmt.Errorf("start %s: %w", program, err)
	}
	child, err := os.FindProcess(pid)
	if err != nil {
		return 0, err
	}
	end := context.AfterFunc(ctx, func() { _ = child.Kill() }) // this one stops, and the other has nothing yet
	_, err = heard.Read(make([]byte, 1))
	if stopped := !end(); err != nil || stopped {
		state, _ := child.Wait()
		return 0, fmt.Errorf("process %d did not come to serve: %v", pid, state)
	}
	return pid, nil
}

// start starts the program with the listener. Package exec would make the
// socket, which both processes share, a blocking one.
func (p *Process) start(program string, l net.Listener, ready *os.File) (pid int, err error) {
	raw, err := l.(*net.TCPListener).SyscallConn()
	if err != nil {
		return 0, err
	}
	environ := append(slices.DeleteFunc(slices.Clone(p.Environ), func(pair string) bool { return pair == successorMark+"=1" }), successorMark+"=1")
	controlErr := raw.Control(func(fd uintptr) {
		files := []uintptr{0, 1, 2, fd, ready.Fd()}
		if p.lock != nil {
			files = append(files, p.lock.Fd())
		}
		pid, err = syscall.ForkExec(program, os.Args, &syscall.ProcAttr{Env: environ, Files: files})
	})
	return pid, errors.Join(controlErr, err)
}
