package web

import (
	"errors"
	"sync"
	"syscall"

	"golang.org/x/sys/unix"
)

// idle waits for many clients to send something or to leave, in one goroutine: a reading
// goroutine for each would keep a stack of 4 KB. The zero value is ready.
type idle struct {
	mu      sync.Mutex
	epoll   int // 0 until it is needed
	last    uint64
	waiting map[uint64]func()
}

// await calls heard, once, when the client has sent something or has left, unless stop
// is called before. It returns nil where it can't be waited for here.
func (i *idle) await(raw syscall.RawConn, heard func()) (stop func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.epoll == 0 {
		fd, err := unix.EpollCreate1(unix.EPOLL_CLOEXEC)
		if err != nil {
			return nil
		}
		i.epoll, i.waiting = fd, make(map[uint64]func())
		go i.wait()
	}
	i.last++
	id, err := i.last, error(nil)
	event := unix.EpollEvent{Events: unix.EPOLLIN | unix.EPOLLRDHUP | unix.EPOLLONESHOT, Fd: int32(uint32(id)), Pad: int32(uint32(id >> 32))}
	controlled := raw.Control(func(fd uintptr) { err = unix.EpollCtl(i.epoll, unix.EPOLL_CTL_ADD, int(fd), &event) })
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

// wait calls the functions of clients that have sent something or left.
func (i *idle) wait() {
	events := make([]unix.EpollEvent, 128)
	for {
		n, err := unix.EpollWait(i.epoll, events, -1)
		if err != nil && !errors.Is(err, unix.EINTR) {
			return
		}
		for _, e := range events[:max(n, 0)] {
			if heard := i.take(uint64(uint32(e.Fd)) | uint64(uint32(e.Pad))<<32); heard != nil {
				go heard()
			}
		}
	}
}

// take removes and returns the function of the id, nil if it was stopped.
func (i *idle) take(id uint64) func() {
	i.mu.Lock()
	defer i.mu.Unlock()
	heard := i.waiting[id]
	delete(i.waiting, id)
	return heard
}
