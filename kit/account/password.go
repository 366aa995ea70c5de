package account

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
)

// Passwords hashes passwords: bcrypt over an HMAC of the exact bytes, because
// bcrypt alone looks at 72 of them. A hash keeps a processor busy for a good
// part of a second, so one processor is left to all else, a few hashes wait,
// and the rest are turned away.
type Passwords struct {
	cost    int
	running chan struct{}
	waiting atomic.Int64
	// Generate and Compare are bcrypt's, unless a test counts them.
	Generate func(password []byte, cost int) ([]byte, error)
	Compare  func(hash, password []byte) error
	// nobodys is a hash of a random password: comparing with it takes an unknown
	// account the time of a known one.
	nobodys []byte
}

// queue is how many hashes may wait for each one that runs: two seconds' worth.
const queue = 8

// NewPasswords returns a hasher with bcrypt's cost.
func NewPasswords(cost int) *Passwords {
	return &Passwords{
		cost: cost, running: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)),
		Generate: bcrypt.GenerateFromPassword, Compare: bcrypt.CompareHashAndPassword,
		// A salt and a hash of zeros: no password is known to have it, and
		// to compare one costs what any does.
		nobodys: fmt.Appendf(nil, "$2a$%02d$%s", cost, strings.Repeat(".", 53)),
	}
}

// RandomPassword returns a random password that satisfies the rules.
func RandomPassword() string {
	for {
		if password := rand.Text(); expose.CheckPassword("", password) == nil {
			return password // most have a digit
		}
	}
}

// Hash returns the hash to store.
func (p *Passwords) Hash(ctx context.Context, password string) (string, error) {
	leave, err := p.enter(ctx)
	if err != nil {
		return "", err
	}
	defer leave()
	hash, err := p.Generate(digest(password), p.cost)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return string(hash), nil
}

// Matches reports whether the password has the hash. An empty hash stands
// for an account that does not exist: it never matches and takes as long.
func (p *Passwords) Matches(ctx context.Context, hash, password string) (bool, error) {
	leave, err := p.enter(ctx)
	if err != nil {
		return false, err
	}
	defer leave()
	if hash == "" {
		_ = p.Compare(p.nobodys, digest(password))
		return false, nil
	}
	err = p.Compare([]byte(hash), digest(password))
	if errors.Is(err, bcrypt.ErrMismatchedHashAndPassword) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("compare password: %w", err)
	}
	return true, nil
}

// Outdated reports whether the hash should be made anew, because the cost
// has changed since.
func (p *Passwords) Outdated(hash string) bool {
	cost, err := bcrypt.Cost([]byte(hash))
	return err == nil && cost != p.cost
}

// enter waits for a turn.
func (p *Passwords) enter(ctx context.Context) (leave func(), err error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	defer p.waiting.Add(-1)
	if p.waiting.Add(1) > int64(queue*cap(p.running)) {
		busy := problem.New(problem.Unavailable, "too many are signing in: try again")
		busy.RetryAfter = time.Second
		return nil, busy
	}
	select {
	case p.running <- struct{}{}:
		return func() { <-p.running }, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// digest is the input of bcrypt: 43 characters, whatever the password. The key is
// no secret; it keeps the digests apart from those of other services.
func digest(password string) []byte {
	mac := hmac.New(sha256.New, []byte("entwine password 1"))
	mac.Write([]byte(password))
	return base64.RawStdEncoding.AppendEncode(nil, mac.Sum(nil))
}
