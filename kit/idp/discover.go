package idp

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
)

// metadata is the provider's published metadata.
type metadata struct {
	*oidc.Provider
	// algorithms are those that identity tokens may be signed with.
	algorithms []string
	// namesItself is whether each callback carries the issuer (RFC 9207).
	namesItself bool
}

// keep is how long what was discovered is believed, and pause how long a
// failure to discover it. Keys are fetched when a token names one that is
// not known.
const (
	keep  = time.Hour
	pause = time.Second
)

// asymmetric are the algorithms whose key the provider alone has. "none" and
// those keyed by the client's secret are not among them.
var asymmetric = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512,
	oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
}

// discover returns what the provider publishes about itself. Those who come
// while it is asked wait for the answer, and share it if there is none.
func (p *Provider) discover(ctx context.Context) (*metadata, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.now().Before(p.until) {
		return p.known, p.failure
	}
	found, err := p.fetch(context.WithoutCancel(ctx))
	if err == nil {
		p.known, p.failure, p.until = found, nil, p.now().Add(keep)
		return found, nil
	}
	p.until = p.now().Add(pause)
	if p.known == nil { // what was true an hour ago is better than nothing
		p.failure = unreachable(fmt.Errorf("discover identity provider: %w", err))
	}
	return p.known, p.failure
}

// Ready returns an error unless the provider publishes its metadata now.
func (p *Provider) Ready(ctx context.Context) error {
	_, err := p.fetch(ctx)
	return err
}

func (p *Provider) fetch(ctx context.Context) (*metadata, error) {
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client()), p.Issuer)
	if err != nil {
		return nil, err
	}
	var published struct {
		Algorithms  []string `json:"id_token_signing_alg_values_supported"`
		NamesItself bool     `json:"authorization_response_iss_parameter_supported"`
	}
	if err := found.Claims(&published); err != nil {
		return nil, err
	}
	m := &metadata{Provider: found, namesItself: published.NamesItself}
	for _, a := range asymmetric {
		if slices.Contains(published.Algorithms, a) {
			m.algorithms = append(m.algorithms, a)
		}
	}
	if len(m.algorithms) == 0 {
		m.algorithms = []string{oidc.RS256} // what every provider must have
	}
	return m, nil
}
