package idp

import (
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"

	"github.com/entwine-go/entwine/kit/problem"
)

// KeySet is the keys that an issuer publishes as a JWK Set. It fetches them when
// they are needed, and again after ten minutes, so that a key that was withdrawn
// verifies nothing any more. A key that is not known is looked for at once, since
// the issuer may sign with a new one; but not twice within ten seconds, whatever
// tokens are sent. Where the issuer does not answer, the keys of before are good
// for an hour.
type KeySet struct {
	// URL is where they are published.
	URL string
	// Now is the time, time.Now where it is nil.
	Now func() time.Time

	mu      sync.Mutex
	known   []jose.JSONWebKey
	fetched time.Time // when known was
	asked   time.Time // when the issuer was asked last
	failure error     // what it was answered with
}

// How long keys are believed.
const (
	keysFresh   = 10 * time.Minute
	keysStale   = time.Hour
	keysPause   = 10 * time.Second
	keysTimeout = 5 * time.Second
)

// errNoKey says that the issuer has no key for a token.
var errNoKey = errors.New("the issuer has no such key")

// minRSA is how long a modulus is at least, in bits.
const minRSA = 2048

// Find returns the public key with the id, for the algorithm. An empty id stands
// for the only key that there is.
func (s *KeySet) Find(ctx context.Context, id, algorithm string) (any, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := s.now()
	if now.Sub(s.fetched) >= keysFresh {
		s.fetch(ctx, now)
	}
	key := s.find(id, algorithm)
	if key == nil && s.fetch(ctx, now) {
		key = s.find(id, algorithm)
	}
	switch {
	case now.Sub(s.fetched) >= keysStale:
		return nil, problem.Wrap(s.failure, problem.Unavailable, "the keys of the tokens' issuer can't be had: try again")
	case key == nil:
		return nil, errNoKey
	}
	return key, nil
}

func (s *KeySet) find(id, algorithm string) any {
	var found any
	for _, k := range s.known {
		switch {
		case k.Algorithm != "" && k.Algorithm != algorithm:
		case id != "" && k.KeyID == id:
			return k.Key
		case id == "" && found != nil:
			return nil // which of them is not said
		case id == "":
			found = k.Key
		}
	}
	return found
}

// fetch asks the issuer, unless it was asked just now, and reports whether it has.
func (s *KeySet) fetch(ctx context.Context, now time.Time) bool {
	if now.Sub(s.asked) < keysPause {
		return false
	}
	s.asked = now
	known, err := s.published(context.WithoutCancel(ctx)) // others wait for it
	if err != nil {
		s.failure = fmt.Errorf("fetch keys: %w", err)
		return false
	}
	s.known, s.fetched, s.failure = known, now, nil
	return true
}

// published are the keys that verify signatures. One that is of no known type is
// left out, and so is a weak one.
func (s *KeySet) published(ctx context.Context) (keys []jose.JSONWebKey, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return nil, err
	}
	r.Header.Set("Accept", "application/jwk-set+json, application/json")
	answer, err := newClient(keysTimeout).Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", s.URL, answer.Status)
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.NewDecoder(answer.Body).Decode(&set); err != nil {
		return nil, err
	}
	for _, text := range set.Keys {
		var k jose.JSONWebKey
		if err := k.UnmarshalJSON(text); err != nil || !k.Valid() || !k.IsPublic() || k.Use == "enc" {
			continue
		}
		if public, ok := k.Key.(*rsa.PublicKey); ok && public.N.BitLen() < minRSA {
			continue
		}
		keys = append(keys, k)
	}
	if len(keys) == 0 {
		return nil, fmt.Errorf("%s has no key that verifies signatures", s.URL)
	}
	return keys, nil
}

func (s *KeySet) now() time.Time {
	if s.Now != nil {
		return s.Now()
	}
	return time.Now()
}
