package store_test

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/pgserver"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

// balancer passes connections on to a server, as HAProxy does to the one that it holds
// to be the primary. While there is none it closes what it accepts.
type balancer struct {
	net.Listener
	mu   sync.Mutex
	to   *pgserver.Server
	open []net.Conn
}

func balance(t *testing.T, to *pgserver.Server) *balancer {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b := &balancer{Listener: l, to: to}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			c, err := b.Accept()
			if err != nil {
				return
			}
			b.pass(c, &all)
		}
	})
	t.Cleanup(func() { _ = b.Close(); b.leads(nil); all.Wait() })
	return b
}

func (b *balancer) pass(c net.Conn, all *sync.WaitGroup) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.to == nil {
		_ = c.Close()
		return
	}
	s, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", b.to.Port))
	if err != nil {
		_ = c.Close()
		return
	}
	b.open = append(b.open, c, s)
	for from, to := range map[net.Conn]net.Conn{c: s, s: c} {
		all.Go(func() { _, _ = io.Copy(to, from); _ = to.Close() })
	}
}

// leads ends all connections, and passes later ones on to another server, or none.
func (b *balancer) leads(to *pgserver.Server) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.to = to
	for _, c := range b.open {
		_ = c.Close()
	}
	b.open = nil
}

// While a load balancer has no primary, or still leads to one that has become a standby,
// callers are asked to come back: nothing is an internal error.
func TestALoadBalancerWithoutAPrimary(t *testing.T) {
	t.Parallel()
	primary, standbys := storetest.Replicated(t, 1)
	b := balance(t, primary)
	url := fmt.Sprintf("postgres://postgres@%s/postgres?sslmode=disable", b.Addr())
	db := open(t, store.Config{URL: url, Conns: 4})
	if err := items.Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	fill(t, db)
	write := func() error {
		return db.InTx(t.Context(), func(ctx context.Context) error {
			_, err := db.ExecContext(ctx, insert, "a")
			return err
		})
	}
	read := func() error {
		return db.Each(t.Context(), "SELECT name FROM items", nil, func([]driver.Value) error { return nil })
	}

	b.leads(nil)
	if err := errors.Join(write(), read()); problem.KindOf(store.Problem(write())) != problem.Unavailable || problem.KindOf(store.Problem(read())) != problem.Unavailable {
		t.Errorf("without a primary: %v, want Unavailable", err)
	}
	if _, err := store.Open(t.Context(), store.Config{URL: url}); !store.IsUnreachable(err) {
		t.Errorf("Open without a primary: %v, want one that is not reached", err)
	}
	b.leads(standbys[0])
	if err := write(); problem.KindOf(store.Problem(err)) != problem.Unavailable {
		t.Errorf("a write to a standby: %v, want Unavailable", err)
	}
	b.leads(primary)
	if err := errors.Join(write(), read()); err != nil {
		t.Errorf("with the primary again: %v", err)
	}
}
