package account_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"

	"golang.org/x/crypto/bcrypt"

	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/problem"
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

func TestCheckPassword(t *testing.T) {
	for password, want := range map[string]int{
		"12345678": 0, "sevench1": 0, "short1": 1, "no digit here": 1, "none": 2,
		"ääääääää1": 0, strings.Repeat("ä", 127) + "1": 0, strings.Repeat("ä", 128) + "1": 1,
	} {
		details := account.CheckPassword("password", password)
		if len(details) != want {
			t.Errorf("CheckPassword(%q) = %v, want %d details", password, details, want)
		}
		for _, d := range details {
			if d.Echo || d.Field != "password" || !d.Unprocessable {
				t.Errorf("detail %+v", d)
			}
		}
	}
}

func TestTooManyAtOnceAreTurnedAway(t *testing.T) {
	p := account.NewPasswords(bcrypt.MinCost + 2)
	var busy, done int
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 100 * runtime.GOMAXPROCS(0) {
		all.Go(func() {
			_, err := p.Matches(t.Context(), "", "x")
			mu.Lock()
			defer mu.Unlock()
			switch e := problem.As(err); {
			case err == nil:
				done++
			case e != nil && e.Kind == problem.Unavailable && e.RetryAfter > 0:
				busy++
			default:
				t.Errorf("Matches: %v", err)
			}
		})
	}
	all.Wait()
	if busy == 0 || done == 0 {
		t.Errorf("%d were turned away and %d let in", busy, done)
	}
	if _, err := p.Matches(t.Context(), "", "x"); err != nil {
		t.Errorf("once the others are gone: %v", err)
	}
}

func TestWhoLeavesTheQueueIsNotHashed(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := account.NewPasswords(bcrypt.MinCost).Hash(ctx, "x"); err == nil {
		t.Error("a request that has ended still waits its turn")
	}
}
