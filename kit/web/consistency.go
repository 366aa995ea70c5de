package web

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/http"
	"slices"

	"github.com/entwine-go/entwine/kit/store"
)

// ConsistencyHeader says how much of the database its caller has seen, where replicas
// answer reads: an answer has it, and the caller's next request sends it back. Of several
// answers a caller keeps the greatest in the order of texts.
const ConsistencyHeader = "Consistency-Token"

// The cookies that hold the same for browsers. The answers to writes have one of their
// own: the answer to an earlier read may come after that to a write.
const (
	WrittenCookie = "written"
	ReadCookie    = "read"
)

// Consistency signs what callers have seen of a database with replicas.
type Consistency struct {
	DB *store.DB
	// Key signs: the same in all processes.
	Key []byte
}

// tokenMAC is how much of the MAC a token has.
const tokenMAC = 12

// token is text for what a caller has seen. Its order is that of the log.
func (c *Consistency) token(s store.Seen) string {
	text := fmt.Sprintf("%08x%016x%016x", s.Timeline, s.LSN, s.At)
	return text + base64.RawURLEncoding.EncodeToString(c.mac(text))
}

func (c *Consistency) mac(text string) []byte {
	m := hmac.New(sha256.New, c.Key)
	_, _ = m.Write([]byte(text))
	return m.Sum(nil)[:tokenMAC]
}

// seenLen is the length of what a token says.
const seenLen = 40

// parse reads a token, false for one that is not of this service.
func (c *Consistency) parse(token string) (s store.Seen, ok bool) {
	if len(token) <= seenLen {
		return s, false
	}
	mac, err := base64.RawURLEncoding.Strict().DecodeString(token[seenLen:])
	if err != nil || !hmac.Equal(mac, c.mac(token[:seenLen])) {
		return s, false
	}
	_, err = fmt.Sscanf(token[:seenLen], "%8x%16x%16x", &s.Timeline, &s.LSN, &s.At)
	return s, err == nil
}

// horizon is the last write that a request's caller has seen, nil without replicas, and
// for connections that stay open, which read from the primary. known says that the
// caller has proven who they are.
func (c *Consistency) horizon(r *http.Request, known bool) *store.Horizon {
	if c == nil || isStream(r) {
		return nil
	}
	var latest string
	sent := r.Header[ConsistencyHeader]
	if r.Header["Cookie"] != nil {
		for _, name := range [...]string{WrittenCookie, ReadCookie} {
			if cookie, err := r.Cookie(name); err == nil {
				sent = append(slices.Clip(sent), cookie.Value)
			}
		}
	}
	seen := store.Seen{At: store.AtAny}
	for _, token := range sent {
		one, ok := c.parse(token)
		switch {
		case !ok && latest == "": // of a key that was replaced, perhaps: replicas may be behind it
			seen = store.Seen{At: store.AtPrimary}
		case ok && token > latest:
			seen, latest = one, token
		}
	}
	return c.DB.NewHorizon(seen, known || len(sent) > 0)
}

// follow lets the context's request read from replicas.
func (x *exchange) follow(ctx context.Context, e *Edge, r *http.Request) context.Context {
	h := e.Consistency.horizon(r, x.known)
	if h == nil {
		return ctx
	}
	x.settle = func(header http.Header) {
		seen, changed := h.Settle()
		if !changed {
			return
		}
		token := e.Consistency.token(seen)
		header[ConsistencyHeader] = []string{token}
		if r.Header["Authorization"] != nil || r.Header["X-Api-Key"] != nil {
			return
		}
		name := ReadCookie
		if h.Written() {
			name = WrittenCookie
		}
		http.SetCookie(x, &http.Cookie{Name: name, Value: token, Path: "/", HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: e.secure(r)}) //nolint:gosec // G124: as for those of sessions
	}
	return store.WithHorizon(ctx, h)
}
