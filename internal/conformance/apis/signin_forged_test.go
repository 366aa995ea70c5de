package apis_test

import (
	"bytes"
	"crypto/ed25519"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"maps"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// forger makes tokens that look like one of Ada's.
type forger struct {
	*front
	header map[string]any
	claims jwt.MapClaims
}

func (f *forger) sign(method jwt.SigningMethod, key any, change func(header, claims map[string]any)) string {
	f.Helper()
	token := jwt.NewWithClaims(method, maps.Clone(f.claims))
	for name, value := range f.header {
		if name != "alg" {
			token.Header[name] = value
		}
	}
	if change != nil {
		change(token.Header, token.Claims.(jwt.MapClaims))
	}
	text, err := token.SignedString(key)
	if err != nil {
		f.Fatal(err)
	}
	return text
}

// refused fails the test if either API takes the token.
func (f *front) refused(what, token string) {
	f.Helper()
	for _, headers := range [][]string{{"Authorization", "Bearer " + token}, {"Cookie", "token=" + token}} {
		g := f.guest(headers...)
		for _, a := range []*answered{g.ask("GET", "/api/v1/auth/me", ""), g.graphql(meOperation), g.ask("GET", "/api/v1/posts", "")} {
			if a.status != 401 || a.header.Get("WWW-Authenticate") == "" || strings.Contains(a.text, "ada@example.com") {
				f.Errorf("%s, as %s: %d %s", what, headers[0], a.status, a.text)
			}
		}
	}
}

func TestForgedTokensAreRefused(t *testing.T) {
	eachFront(t, func(f *front) {
		text := strings.TrimPrefix(f.signUp().header.Get("Authorization"), "Bearer ")
		f.guest("Authorization", "Bearer "+text).graphql(meOperation).want(200, adasAnswer)
		claims := jwt.MapClaims{}
		genuine, _, err := jwt.NewParser().ParseUnverified(text, claims)
		if err != nil {
			t.Fatal(err)
		}
		ours := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{1}, ed25519.SeedSize)) // as the settings of the test have it
		foreign := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{9}, ed25519.SeedSize))
		forger := &forger{f, genuine.Header, claims}
		if same := forger.sign(jwt.SigningMethodEdDSA, ours, nil); same == "" || f.guest("Authorization", "Bearer "+same).graphql(meOperation).status != 200 {
			t.Fatal("the test has lost the key: it would forge what is refused for another reason")
		}
		f.refuseAlgorithms(forger, ours.Public().(ed25519.PublicKey))
		f.refuseKeys(forger, foreign)
		f.refuseExtensions(forger, ours)
		f.refuseClaims(forger, ours)
		f.refuseFlips(text)
	})
}

func (f *front) refuseAlgorithms(forger *forger, public ed25519.PublicKey) {
	f.Helper()
	der, err := x509.MarshalPKIXPublicKey(public)
	if err != nil {
		f.Fatal(err)
	}
	for name, secret := range map[string][]byte{
		"bytes": public, "base64": []byte(base64.RawURLEncoding.EncodeToString(public)), "DER": der,
		"PEM": pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}), "nothing": {},
	} {
		for _, method := range []jwt.SigningMethod{jwt.SigningMethodHS256, jwt.SigningMethodHS384, jwt.SigningMethodHS512} {
			token := forger.sign(method, secret, nil)
			f.refused(method.Alg()+" with "+name, token)
			head, rest, _ := strings.Cut(token, ".")
			decoded, _ := base64.RawURLEncoding.DecodeString(head)
			said := strings.Replace(string(decoded), method.Alg(), "EdDSA", 1)
			f.refused(method.Alg()+" that says EdDSA, with "+name, base64.RawURLEncoding.EncodeToString([]byte(said))+"."+rest)
		}
	}
	for _, name := range []string{"none", "None", "NONE", "nOnE", "", "EDDSA", "eddsa", "Ed25519"} {
		token := forger.sign(jwt.SigningMethodNone, jwt.UnsafeAllowNoneSignatureType, func(header, _ map[string]any) { header["alg"] = name })
		f.refused("algorithm "+name, token)
		f.refused("algorithm "+name+" with a signature", token+strings.Repeat("A", 86))
	}
}

func (f *front) refuseKeys(forger *forger, foreign ed25519.PrivateKey) {
	f.Helper()
	public := base64.RawURLEncoding.EncodeToString(foreign.Public().(ed25519.PublicKey))
	jwk := map[string]any{"kty": "OKP", "crv": "Ed25519", "x": public}
	for what, change := range map[string]func(header, claims map[string]any){
		"another's key under our name":  nil,
		"a key of its own":              func(h, _ map[string]any) { h["kid"] = public },
		"no key":                        func(h, _ map[string]any) { delete(h, "kid") },
		"a key that is a file":          func(h, _ map[string]any) { h["kid"] = "../../../../dev/null" },
		"a key that is SQL":             func(h, _ map[string]any) { h["kid"] = "' OR '1'='1" },
		"a key that is a list":          func(h, _ map[string]any) { h["kid"] = []any{h["kid"]} },
		"a key that is a number":        func(h, _ map[string]any) { h["kid"] = 0 },
		"a key that it brings along":    func(h, _ map[string]any) { h["jwk"] = jwk },
		"a key at an address":           func(h, _ map[string]any) { h["jku"] = "https://evil.example/jwks.json" },
		"a certificate of its own":      func(h, _ map[string]any) { h["x5c"] = []string{public} },
		"something that must be known":  func(h, _ map[string]any) { h["crit"], h["exp"] = []string{"exp"}, 1 },
		"a key with a name that is NUL": func(h, _ map[string]any) { h["kid"] = "\x00" },
	} {
		f.refused(what, forger.sign(jwt.SigningMethodEdDSA, foreign, change))
	}
}

// refuseExtensions tries tokens that are signed with our key and say that they must
// not be taken without an extension (RFC 7515, section 4.1.11).
func (f *front) refuseExtensions(forger *forger, ours ed25519.PrivateKey) {
	f.Helper()
	for what, list := range map[string]any{
		"an unknown extension": []string{"x"}, "a header that is known": []string{"kid"}, "an unencoded payload": []string{"b64"},
		"no extension": []string{}, "null": nil, "a text": "x",
	} {
		f.refused(what, forger.sign(jwt.SigningMethodEdDSA, ours, func(h, _ map[string]any) { h["crit"], h["x"], h["b64"] = list, 1, true }))
	}
}

// refuseClaims tries tokens that are signed with our key, as one that was
// issued for another purpose would be.
func (f *front) refuseClaims(forger *forger, ours ed25519.PrivateKey) {
	f.Helper()
	eve := f.guest().post("register", "name", "Eve", "email", "eve@example.com", "password", adasPassword).want(201).at("token")
	others := jwt.MapClaims{}
	if _, _, err := jwt.NewParser().ParseUnverified(eve, others); err != nil {
		f.Fatal(err)
	}
	for what, change := range map[string]func(c map[string]any){
		"expired":               func(c map[string]any) { c["exp"] = f.now().Add(-time.Second).Unix() },
		"expiring this second":  func(c map[string]any) { c["exp"] = f.now().Unix() },
		"never expiring":        func(c map[string]any) { delete(c, "exp") },
		"not good yet":          func(c map[string]any) { c["nbf"] = f.now().Add(time.Minute).Unix() },
		"for another audience":  func(c map[string]any) { c["aud"] = "https://other.example.com" },
		"for no audience":       func(c map[string]any) { delete(c, "aud") },
		"by another issuer":     func(c map[string]any) { c["iss"] = "https://other.example.com" },
		"by no issuer":          func(c map[string]any) { delete(c, "iss") },
		"of no user":            func(c map[string]any) { delete(c, "userId") },
		"of user 0":             func(c map[string]any) { c["userId"] = 0 },
		"of a negative user":    func(c map[string]any) { c["userId"] = -1 },
		"of a user that is SQL": func(c map[string]any) { c["userId"] = "1 OR 1=1" },
		"of no sign-in":         func(c map[string]any) { delete(c, "sid") },
		"of a made-up sign-in":  func(c map[string]any) { c["sid"] = "fmadeup" },
		"of another's sign-in":  func(c map[string]any) { c["sid"] = others["sid"] },
		"of a user who is not":  func(c map[string]any) { c["userId"] = 1 << 40 },
	} {
		f.refused(what, forger.sign(jwt.SigningMethodEdDSA, ours, func(_, claims map[string]any) { change(claims) }))
	}
}

// refuseFlips changes every bit of the signature, and of the text that it is
// written in, and some of what was signed.
func (f *front) refuseFlips(token string) {
	f.Helper()
	end := strings.LastIndexByte(token, '.')
	signature, err := base64.RawURLEncoding.DecodeString(token[end+1:])
	if err != nil {
		f.Fatal(err)
	}
	for bit := range len(signature) * 8 {
		flipped := bytes.Clone(signature)
		flipped[bit/8] ^= 1 << (bit % 8)
		f.flipped(token[:end+1] + base64.RawURLEncoding.EncodeToString(flipped))
	}
	for i := range len(token) {
		step := 5 // of what was signed
		if i > end {
			step = 1
		}
		if i%step == 0 {
			for _, bit := range []byte{1, 2, 4, 8} {
				text := []byte(token)
				text[i] ^= bit
				f.flipped(string(text))
			}
		}
	}
	for name, text := range map[string]string{
		"cut off": token[:end], "empty": token[:end+1], "doubled": token + token[end:], "padded": token + "=", "longer": token + "A",
		"without a payload": token[:strings.IndexByte(token, '.')] + token[end:], "two dots": "..", "with another's signature": token[:end+1] + strings.Repeat("A", 86),
	} {
		f.refused(name, text)
	}
}

func (f *front) flipped(token string) {
	f.Helper()
	if strings.ContainsAny(token, "\x00\r\n;, \"\\") || strings.ContainsFunc(token, func(r rune) bool { return r < ' ' || r > '~' }) {
		return // can't be sent
	}
	g := f.guest("Authorization", "Bearer "+token)
	if a := g.ask("GET", "/api/v1/auth/me", ""); a.status != 401 {
		f.Errorf("%s: %d %s", token, a.status, a.text)
	}
	if a := g.graphql(meOperation); a.status != 401 {
		f.Errorf("%s: %d %s", token, a.status, a.text)
	}
}
