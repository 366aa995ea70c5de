package web

import (
	"net"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
)

const (
	// handshakes is how long a connection may take that has begun before: a round trip.
	handshakes = 50 * time.Millisecond
	// accepts bounds the wait for a process that is slow to accept.
	accepts = time.Second
)

// quiesce has the kernel drop further requests to connect, and returns when the
// connections that it has made are this process's. To close a listener resets those
// that are not yet, whose clients may have sent a request by then. A client whose
// request to connect was dropped repeats it after a second, and is refused by then, so
// that a proxy goes elsewhere with a request of which it has sent nothing. A listener of
// Multipath TCP takes no filter.
func quiesce(l net.Listener) {
	tcp, ok := l.(*net.TCPListener)
	if !ok || fastpath.Off() {
		return
	}
	raw, err := tcp.SyscallConn()
	if err != nil || !refuseNew(raw) {
		return
	}
	time.Sleep(handshakes)
	for end := time.Now().Add(accepts); unaccepted(raw) && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
}

// refuseNew attaches a filter that drops segments with SYN to the listener, and reports
// whether the kernel takes it.
func refuseNew(raw syscall.RawConn) bool {
	const flags, syn, all = 13, 0x02, 0xffffffff // of a segment of TCP
	program := []unix.SockFilter{
		{Code: unix.BPF_LD | unix.BPF_B | unix.BPF_ABS, K: flags},
		{Code: unix.BPF_JMP | unix.BPF_JSET | unix.BPF_K, Jf: 1, K: syn},
		{Code: unix.BPF_RET | unix.BPF_K, K: 0},
		{Code: unix.BPF_RET | unix.BPF_K, K: all},
	}
	attached := false
	err := raw.Control(func(fd uintptr) {
		err := unix.SetsockoptSockFprog(int(fd), unix.SOL_SOCKET, unix.SO_ATTACH_FILTER, &unix.SockFprog{Len: uint16(len(program)), Filter: &program[0]})
		attached = err == nil
	})
	return err == nil && attached
}

// unaccepted reports whether connections wait to be accepted: TCP_INFO of a listener
// has their number where that of another socket has its unacknowledged segments.
func unaccepted(raw syscall.RawConn) bool {
	waiting := false
	err := raw.Control(func(fd uintptr) {
		info, err := unix.GetsockoptTCPInfo(int(fd), unix.IPPROTO_TCP, unix.TCP_INFO)
		waiting = err == nil && info.Unacked > 0
	})
	return err == nil && waiting
}
