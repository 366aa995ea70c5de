package account_test

import (
	"context"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/problem"
)

func TestPasswordsMatchByEveryByte(t *testing.T) {
	p := account.NewPasswords(bcrypt.MinCost)
	long := strings.Repeat("a", 80)
	for password, other := range map[string]string{
		"correct horse 1": "correct horse 2",
		long + "1":        long + "2", // bcrypt alone looks at 72 bytes
		"nul\x001":        "nul\x002",
		"Grüße 1":         "Gru\u0308ße 1", // as typed: nothing is normalized
		" space 1":        "space 1",
	} {
		hash, err := p.Hash(t.Context(), password)
		if err != nil {
			t.Fatalf("Hash(%q): %v", password, err)
		}
		if ok, err := p.Matches(t.Context(), hash, password); !ok || err != nil {
			t.Errorf("Matches(%q) = %v, %v", password, ok, err)
		}
		if ok, err := p.Matches(t.Context(), hash, other); ok || err != nil {
			t.Errorf("Matches(%q for %q) = %v, %v", other, password, ok, err)
		}
	}
}

func TestNobodysPasswordNeverMatches(t *testing.T) {
	p := account.NewPasswords(bcrypt.MinCost)
	for _, password := range []string{"", "nobody's"} {
		if ok, err := p.Matches(t.Context(), "", password); ok || err != nil {
			t.Errorf("Matches(%q) = %v, %v", password, ok, err)
		}
	}
}

func TestAHashOfAnotherCostIsOutdated(t *testing.T) {
	hash, err := account.NewPasswords(bcrypt.MinCost).Hash(t.Context(), "x")
	if err != nil {
		t.Fatal(err)
	}
	if account.NewPasswords(bcrypt.MinCost).Outdated(hash) || !account.NewPasswords(bcrypt.MinCost+1).Outdated(hash) {
		t.Error("Outdated does not go by the cost")
	}
}

func TestTooManyAtOnceAreTurnedAway(t *testing.T) {
	p := account.NewPasswords(bcrypt.MinCost)
	if want := max(1, runtime.GOMAXPROCS(0)-1); p.Running() != want {
		t.Errorf("%d hashes may run at once, want %d", p.Running(), want)
	}
	room := p.Running() + p.Waiting()
	many := room + 200
	w := &account.Watch{Hold: make(chan struct{}), Begun: make(chan struct{}, many)}
	p.Watch(w)
	done := make(chan error, many)
	ask := func(n int) {
		for range n {
			go func() { _, err := p.Matches(t.Context(), "", "x"); done <- err }()
		}
	}
	ask(p.Running())
	for range p.Running() {
		<-w.Begun
	}
	ask(many - p.Running())
	busy := 0
	for range many - room { // none is let out before all others are turned away
		err := <-done
		if e := problem.As(err); e != nil && e.Kind == problem.Unavailable && e.RetryAfter > 0 {
			busy++
		}
	}
	close(w.Hold)
	for range room {
		if err := <-done; err != nil {
			t.Errorf("one that had room: %v", err)
		}
	}
	if busy != many-room || w.Most > p.Running() || w.Hashes != room {
		t.Errorf("%d of %d were turned away, %d hashed, %d of them at once; want %d, %d, %d", busy, many, w.Hashes, w.Most, many-room, room, p.Running())
	}
}

func TestWhoLeavesTheQueueIsNotHashed(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := account.NewPasswords(bcrypt.MinCost).Hash(ctx, "x"); err == nil {
		t.Error("a request that has ended still waits its turn")
	}
}
