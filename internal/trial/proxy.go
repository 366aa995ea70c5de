package trial

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// FreePort is a port that nothing had a moment ago.
func FreePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// Installed skips the test where a program is not installed, unless CI requires it.
func Installed(t *testing.T, name string) {
	t.Helper()
	if _, err := exec.LookPath(name); err != nil {
		storetest.Missing(t, name, err)
	}
}

// Nginx runs a configuration of servers.
func Nginx(t *testing.T, dir, servers string) *exec.Cmd {
	t.Helper()
	user := ""
	if os.Getuid() == 0 {
		user = "user root;"
	}
	var temp strings.Builder
	for _, name := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		fmt.Fprintf(&temp, "%s_temp_path %s;\n", name, filepath.Join(dir, name))
	}
	file := filepath.Join(dir, "nginx.conf")
	text := fmt.Sprintf("%s\ndaemon off;\npid %s;\nerror_log stderr warn;\nevents {}\nhttp {\naccess_log off;\n%s%s}\n", user, filepath.Join(dir, "pid"), &temp, servers)
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return exec.CommandContext(context.WithoutCancel(t.Context()), "nginx", "-p", dir, "-e", "stderr", "-c", file)
}

// UnusedAddress is an address that nothing listens to.
func UnusedAddress(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// Proxy starts one, returns once it listens, and stops it with the test.
func Proxy(t *testing.T, cmd *exec.Cmd, address string) {
	t.Helper()
	said := new(Log)
	cmd.Stdout, cmd.Stderr = said, said
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() { _ = cmd.Wait(); close(ended) }()
	t.Cleanup(func() { _ = cmd.Process.Signal(syscall.SIGTERM); <-ended })
	for { // it says nothing once it listens
		conn, err := new(net.Dialer).DialContext(t.Context(), "tcp", address)
		if err == nil {
			_ = conn.Close()
			return
		}
		select {
		case <-ended:
			t.Fatalf("the proxy ended:\n%s", said)
		case <-time.After(20 * time.Millisecond):
		}
	}
}
