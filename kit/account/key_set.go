package account

import (
	"encoding/base64"
	"encoding/json"
)

// keySet is a JWK Set (RFC 7517).
type keySet struct {
	Keys []publicKey `json:"keys"`
}

// publicKey is an Ed25519 key as a JWK (RFC 8037).
type publicKey struct {
	Type      string `json:"kty"`
	Curve     string `json:"crv"`
	X         string `json:"x"`
	ID        string `json:"kid"`
	Use       string `json:"use"`
	Algorithm string `json:"alg"`
}

// Published are the keys as a JWK Set, the one that signs first: with it
// others can verify access tokens.
func (k *Keys) Published() []byte {
	set := keySet{Keys: make([]publicKey, 0, len(k.ids))}
	for _, id := range k.ids {
		set.Keys = append(set.Keys, publicKey{
			Type: "OKP", Curve: "Ed25519", X: base64.RawURLEncoding.EncodeToString(k.byID[id]),
			ID: id, Use: "sig", Algorithm: "EdDSA",
		})
	}
	text, err := json.Marshal(set)
	if err != nil {
		panic(err) // texts can be encoded
	}
	return text
}
