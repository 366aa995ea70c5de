//go:build linux

package failover_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
)

// patroni is three servers of PostgreSQL that Patroni looks after, with etcd, and
// HAProxy before them, which asks Patroni which of the three is the primary.
type patroni struct {
	*testing.T
	url   string // through HAProxy
	nodes []*node
}

// node is one of the servers, and the Patroni that runs it.
type node struct {
	name, dir      string
	port, restPort int
	process        *exec.Cmd
	exited         chan struct{}
}

// startPatroni returns a cluster with a primary and two standbys that follow it.
func startPatroni(t *testing.T, synchronous bool) *patroni {
	t.Helper()
	for _, name := range []string{"patroni", "etcd", "haproxy"} {
		trial.Installed(t, name)
	}
	p := &patroni{T: t}
	etcd := p.etcd()
	address, page := trial.UnusedAddress(t), []string{}
	for i := range 3 {
		n := p.node(fmt.Sprintf("node%d", i), etcd, synchronous)
		p.nodes = append(p.nodes, n)
		p.run(n)
		page = append(page, fmt.Sprintf("10.0.0.%d:5432 check port 8008", i+1), fmt.Sprintf("127.0.0.1:%d check port %d", n.port, n.restPort))
	}
	p.wholeWith(synchronous)
	haproxy := trial.Replaced(t, trial.Blocks(t, "doc/operations/databases.md", "haproxy")[0], append(page, "0.0.0.0:5000", address)...)
	config := filepath.Join(t.TempDir(), "haproxy.cfg")
	if err := os.WriteFile(config, []byte(haproxy), 0o600); err != nil {
		t.Fatal(err)
	}
	trial.Proxy(t, exec.CommandContext(context.WithoutCancel(t.Context()), "haproxy", "-db", "-f", config), address)
	p.url = "postgres://postgres@" + address + "/postgres?sslmode=disable"
	return p
}

// etcd starts one, and returns its address.
func (p *patroni) etcd() string {
	p.Helper()
	client, peer := trial.UnusedAddress(p.T), trial.UnusedAddress(p.T)
	cmd := exec.CommandContext(context.WithoutCancel(p.Context()), "etcd", "--data-dir", p.TempDir(), "--log-level", "error",
		"--listen-client-urls", "http://"+client, "--advertise-client-urls", "http://"+client,
		"--listen-peer-urls", "http://"+peer, "--initial-advertise-peer-urls", "http://"+peer, "--initial-cluster", "default=http://"+peer)
	trial.Proxy(p.T, cmd, client)
	return client
}

// node writes the files of one, which does not run yet.
func (p *patroni) node(name, etcd string, synchronous bool) *node {
	p.Helper()
	dir, err := os.MkdirTemp("", "entwine-patroni-")
	if err != nil {
		p.Fatal(err)
	}
	p.Cleanup(func() { _ = os.RemoveAll(dir) })
	n := &node{name: name, dir: dir, port: trial.FreePort(p.T), restPort: trial.FreePort(p.T)}
	text := fmt.Sprintf(`scope: entwine
name: %s
restapi: {listen: "127.0.0.1:%d", connect_address: "127.0.0.1:%[2]d"}
etcd3: {host: "%[3]s"}
bootstrap:
  dcs:
    ttl: 20
    loop_wait: 1
    retry_timeout: 3
    primary_start_timeout: 0
    master_start_timeout: 0
    synchronous_mode: %[4]t
    postgresql:
      use_pg_rewind: true
      parameters: {max_connections: 100, wal_log_hints: "on", fsync: "off"}
  initdb: [{encoding: UTF8}, {auth: trust}, {locale: C.UTF-8}]
postgresql:
  listen: "127.0.0.1:%[5]d"
  connect_address: "127.0.0.1:%[5]d"
  data_dir: %[6]s/data
  bin_dir: %[7]s
  pgpass: %[6]s/pgpass
  authentication:
    superuser: {username: postgres}
    replication: {username: replicator}
    rewind: {username: postgres}
  parameters: {unix_socket_directories: %[6]s}
  pg_hba: [local all all trust, host all all 127.0.0.1/32 trust, host replication all 127.0.0.1/32 trust]
`, name, n.restPort, etcd, synchronous, n.port, dir, pgserver.Dir())
	if err := errors.Join(os.Chmod(dir, 0o755), os.WriteFile(n.file(), []byte(text), 0o644)); err != nil {
		p.Fatal(err)
	}
	cmd, err := pgserver.Command(p.Context(), "postgres")
	if err != nil {
		storetest.Missing(p.T, "postgres", err)
	}
	if as := cmd.SysProcAttr.Credential; as != nil {
		if err := os.Chown(dir, int(as.Uid), int(as.Gid)); err != nil {
			p.Fatal(err)
		}
	}
	return n
}

func (n *node) file() string { return filepath.Join(n.dir, "patroni.yml") }

// run starts Patroni, which starts PostgreSQL, and ends both with the test.
func (p *patroni) run(n *node) {
	p.Helper()
	program, err := exec.LookPath("patroni")
	if err != nil {
		p.Fatal(err)
	}
	if n.process, err = pgserver.Command(context.WithoutCancel(p.Context()), program, n.file()); err != nil {
		p.Fatal(err)
	}
	log, err := os.OpenFile(filepath.Join(n.dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		p.Fatal(err)
	}
	defer log.Close()
	n.process.Stdout, n.process.Stderr, n.process.Env = log, log, append(n.process.Env, "HOME="+n.dir)
	if err := n.process.Start(); err != nil {
		p.Fatal(err)
	}
	process, exited := n.process, make(chan struct{})
	n.exited = exited
	go func() { _ = process.Wait(); close(exited) }()
	p.Cleanup(func() { n.die() })
}

// postmaster is the process of PostgreSQL, 0 where there is none.
func (n *node) postmaster() int {
	text, err := os.ReadFile(filepath.Join(n.dir, "data", "postmaster.pid"))
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), "\n")
	pid, _ := strconv.Atoi(first)
	return pid
}

// crash kills PostgreSQL alone, with all its processes.
func (n *node) crash() {
	if pid := n.postmaster(); pid > 0 {
		_ = syscall.Kill(-pid, syscall.SIGKILL) // PostgreSQL has a session of its own
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// die kills Patroni and PostgreSQL, as when a machine ends.
func (n *node) die() {
	_ = n.process.Process.Kill()
	<-n.exited
	n.crash()
}

// is reports whether Patroni says that the node is a "primary", a "replica" or "sync".
func (n *node) is(ctx context.Context, role string) bool {
	r, err := http.NewRequestWithContext(ctx, "OPTIONS", fmt.Sprintf("http://127.0.0.1:%d/%s", n.restPort, role), nil)
	if err != nil {
		return false
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		return false
	}
	_ = res.Body.Close()
	return res.StatusCode == http.StatusOK
}

// wholeWith waits until there is a primary that the other two follow, one of them
// synchronously if that is so.
func (p *patroni) wholeWith(synchronous bool) {
	p.Helper()
	p.eventually("a primary with two standbys", func() bool {
		var primaries, standbys, synced int
		for _, n := range p.nodes {
			switch {
			case n.is(p.Context(), "primary"):
				primaries++
			case n.is(p.Context(), "replica?lag=1MB"):
				standbys++
			}
			if n.is(p.Context(), "sync") {
				synced++
			}
		}
		return primaries == 1 && standbys == 2 && (synced > 0 || !synchronous)
	})
}

// primary is the node that Patroni says is it, and that is not the one before.
func (p *patroni) primary(before *node) (found *node) {
	p.Helper()
	p.eventually("another primary", func() bool {
		for _, n := range p.nodes {
			if n != before && n.is(p.Context(), "primary") {
				found = n
				return true
			}
		}
		return false
	})
	return found
}

// failOver makes another node the primary in one of three ways, and returns once Patroni
// says that it takes writes: PostgreSQL crashes, the machine ends, or an operator asks.
func (p *patroni) failOver(turn int) (way string, before *node) {
	p.Helper()
	before = p.primary(nil)
	switch turn % 3 {
	case 0:
		way = "PostgreSQL is killed"
		before.crash()
	case 1:
		way = "the machine ends"
		before.die()
	default:
		way = "it is asked for"
		body := strings.NewReader(fmt.Sprintf(`{"leader":%q}`, before.name))
		res, err := http.Post(fmt.Sprintf("http://127.0.0.1:%d/switchover", before.restPort), "application/json", body)
		if err != nil {
			p.Fatal(err)
		}
		var said bytes.Buffer
		_, _ = said.ReadFrom(res.Body)
		_ = res.Body.Close()
		if res.StatusCode != http.StatusOK {
			p.Fatalf("a switchover is answered %d: %s", res.StatusCode, &said)
		}
	}
	p.primary(before)
	return way, before
}

// eventually waits for what only another program can say.
func (p *patroni) eventually(what string, holds func() bool) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), 3*time.Minute)
	defer cancel()
	for !holds() {
		select {
		case <-ctx.Done():
			for _, n := range p.nodes {
				log, _ := os.ReadFile(filepath.Join(n.dir, "log"))
				p.Logf("%s:\n%s", n.name, log[max(0, len(log)-3000):])
			}
			p.Fatalf("there is never %s", what)
		case <-time.After(10 * time.Millisecond):
		}
	}
}
