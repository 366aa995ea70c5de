package web

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
)

// KeySetPath is where the keys that access tokens are signed with are
// published (RFC 8615).
const KeySetPath = "/.well-known/jwks.json"

// KeySet answers with the JWK Set that it is, in JSON. Verifiers may cache it for five
// minutes, and ask again when a token names a key that is not in it.
type KeySet []byte

// ServeHTTP implements http.Handler.
func (k KeySet) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !readOnly(w, r) {
		return
	}
	sum := sha256.Sum256(k)
	tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
	h := w.Header()
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("Etag", tag)
	if r.Header.Get("If-None-Match") == tag {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	h.Set("Content-Type", "application/jwk-set+json")
	h.Set("Content-Length", strconv.Itoa(len(k)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(k) // the client may be gone
	}
}
