package web

import (
	"errors"
	"os"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// idle waits for many clients to send something or to leave, in one goroutine: a reading
// goroutine for each would keep a stack of 4 KB. The zero value is ready.
type idle struct {
	mu      sync.Mutex
	epoll   *os.File // nil until it is needed, and once it is closed
	fd      int      // of epoll
	ended   bool
	last    uint64
	waiting map[uint64]func()
}

// await calls heard, once, when the client has sent something or has left, unless stop
// is called before. A client that was heard can be awaited again. It returns nil where it
// can't be waited for here.
func (i *idle) await(raw syscall.RawConn, heard func()) (stop func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.epoll == nil && (i.ended || i.open() != nil) {
		return nil
	}
	i.last++
	id, err := i.last, error(nil)
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLONESHOT, Fd: int32(uint32(id)), Pad: int32(uint32(id >> 32))}
	controlled := raw.Control(func(fd uintptr) {
		if err = unix.EpollCtl(i.fd, unix.EPOLL_CTL_ADD, int(fd), &event); errors.Is(err, unix.EEXIST) {
			err = unix.EpollCtl(i.fd, unix.EPOLL_CTL_MOD, int(fd), &event)
		}
	})
	if controlled != nil || err != nil {
		return nil
	}
	i.waiting[id] = heard
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		delete(i.waiting, id) // the kernel forgets a socket that is closed
	}
}

// open begins to wait. The descriptor does not block, so that Go's own poller waits for it, and
// hears of its closing.
func (i *idle) open() error {
	fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
	if err != nil {
		return err
	}
	if err = unix.SetNonblock(fd, true); err != nil {
		return errors.Join(err, unix.Close(fd))
	}
	epoll := os.NewFile(uintptr(fd), "epoll")
	raw, err := epoll.SyscallConn()
	if err != nil {
		return errors.Join(err, epoll.Close())
	}
	i.epoll, i.fd, i.waiting = epoll, fd, make(map[uint64]func())
	go i.wait(raw)
	return nil
}

// close ends the waiting: the server has ended, and so have its streams.
func (i *idle) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.ended = true
	if i.epoll != nil {
		_ = i.epoll.Close()
		i.epoll, i.waiting = nil, nil
	}
}

// wait calls the functions of clients that have sent something or left, until it is closed.
func (i *idle) wait(raw syscall.RawConn) {
	events := make([]unix.EpollEvent, 128)
	_ = raw.Read(func(fd uintptr) (done bool) {
		for { // until there are none: the poller says once that there are some
			n, err := unix.EpollWait(int(fd), events, 0)
			if n <= 0 && !errors.Is(err, unix.EINTR) {
				return err != nil
			}
			for _, e := range events[:max(n, 0)] {
				if heard := i.take(uint64(uint32(e.Fd)) | uint64(uint32(e.Pad))<<32); heard != nil {
					go heard()
				}
			}
		}
	})
}

// take removes and returns the function of the id, nil if it was stopped.
func (i *idle) take(id uint64) func() {
	i.mu.Lock()
	defer i.mu.Unlock()
	heard := i.waiting[id]
	delete(i.waiting, id)
	return heard
}
