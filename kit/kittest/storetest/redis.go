package storetest

import (
	"context"
	"fmt"
	"net"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// RedisServer is a Redis of the test's own.
type RedisServer struct {
	// URL is its address: redis://127.0.0.1:port/0.
	URL string

	command []string
	addr    string
	process *exec.Cmd
	exited  chan struct{}
}

// Redis starts a Redis of the test's own, and skips the test where there is
// no redis-server. It stops with the test.
func Redis(t testing.TB) *RedisServer {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		Missing(t, "redis", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	addr := l.Addr().(*net.TCPAddr)
	_ = l.Close()
	r := &RedisServer{URL: fmt.Sprintf("redis://%s/0", addr), addr: addr.String()}
	r.command = []string{program, "--bind", "127.0.0.1", "--port", strconv.Itoa(addr.Port),
		"--save", "", "--appendonly", "no", "--dir", t.TempDir()}
	t.Cleanup(r.Stop)
	if err := r.Start(t.Context()); err != nil {
		t.Fatalf("start redis-server: %v", err)
	}
	return r
}

// Start runs the server again after [RedisServer.Stop], on the same address.
func (r *RedisServer) Start(ctx context.Context) error {
	r.process = exec.Command(r.command[0], r.command[1:]...)
	// The kernel ends the server if the test is killed.
	r.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := r.process.Start(); err != nil {
		return err
	}
	process, exited := r.process, make(chan struct{})
	r.exited = exited
	go func() {
		_ = process.Wait()
		close(exited)
	}()
	return r.wait(ctx)
}

func (r *RedisServer) wait(ctx context.Context) error {
	client := redis.NewClient(&redis.Options{Addr: r.addr, MaxRetries: -1})
	defer client.Close()
	for {
		err := client.Ping(ctx).Err()
		if err == nil {
			return nil
		}
		select {
		case <-r.exited:
			return fmt.Errorf("it ended: %w", err)
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// Stop kills the server, which loses all its data, and waits for its end.
func (r *RedisServer) Stop() {
	if r.exited == nil {
		return
	}
	_ = r.process.Process.Kill()
	<-r.exited
}

// Signal sends the server a signal, such as SIGSTOP.
func (r *RedisServer) Signal(sig syscall.Signal) error { return r.process.Process.Signal(sig) }
