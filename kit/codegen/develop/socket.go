package develop

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
)

// socket is the port and the lock of the database.
type socket struct {
	*net.TCPListener
	lock *os.File // nil where several processes may serve the database
}

// socket takes the port and the lock.
func (l *Loop) socket(ctx context.Context) (*socket, error) {
	if err := os.MkdirAll(l.folder(), 0o700); err != nil {
		return nil, err
	}
	s := &socket{}
	if l.config.RedisURL == "" {
		var err error
		if s.lock, err = hold(l.file); err != nil {
			return nil, err
		}
	}
	made, err := new(net.ListenConfig).Listen(ctx, "tcp", l.config.Addr)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: set ENTWINE_ADDR to another address", err), s.Close())
	}
	s.TCPListener = made.(*net.TCPListener)
	return s, nil
}

// hold takes the lock that a program takes that serves the database.
func hold(database string) (*os.File, error) {
	f, err := os.OpenFile(database+".lock", os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	err = syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if err == nil {
		return f, nil
	}
	if errors.Is(err, syscall.EWOULDBLOCK) {
		err = fmt.Errorf("another process serves %s: stop it first", database)
	}
	return nil, errors.Join(err, f.Close())
}

// listener is a copy of the listener.
func (s *socket) listener() (net.Listener, error) {
	var copied net.Listener
	raw, err := s.SyscallConn()
	if err != nil {
		return nil, err
	}
	err = errors.Join(raw.Control(func(fd uintptr) {
		var second int
		if second, err = syscall.Dup(int(fd)); err == nil {
			syscall.CloseOnExec(second)
			file := os.NewFile(uintptr(second), "listener")
			copied, err = net.FileListener(file)
			err = errors.Join(err, file.Close())
		}
	}), err)
	return copied, err
}

// reachable is an address at which this machine reaches the listener.
func reachable(at net.Addr) string {
	if a, ok := at.(*net.TCPAddr); ok && a.IP.IsUnspecified() {
		return fmt.Sprintf("localhost:%d", a.Port)
	}
	return at.String()
}

// Close gives both up.
func (s *socket) Close() (err error) {
	if s.TCPListener != nil {
		err = s.TCPListener.Close()
	}
	if s.lock != nil {
		err = errors.Join(err, s.lock.Close())
	}
	return err
}
