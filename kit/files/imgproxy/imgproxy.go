// Package imgproxy has variants of pictures made by imgproxy (https://imgproxy.net), which reads the
// original where files are stored. It is named by an address:
//
//	http://KEY:SALT@imgproxy.internal:8080?source=local:///
//
// The package owns the signed address of a variant and the bounds of what imgproxy answers with. It
// leans on package files for what a variant is, and leaves to it to judge the picture.
package imgproxy

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
)

const (
	// patience is how long imgproxy may take for one variant.
	patience = 20 * time.Second
	// mostAtOnce is how many requests a process makes at once: others wait for them.
	mostAtOnce = 8
)

// Proxy is an imgproxy. It implements files.Maker.
type Proxy struct {
	base, source string
	key, salt    []byte
	client       *http.Client
	places       chan struct{}
}

var errAddress = errors.New("the address of imgproxy is http://KEY:SALT@HOST:PORT?source=local:///, or https, with IMGPROXY_KEY and IMGPROXY_SALT in hexadecimal digits, " +
	"and the beginning of the addresses by which it reads files, as in source=s3://bucket/folder/")

// Open returns the imgproxy at an address. It asks it nothing yet.
func Open(address string) (*Proxy, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errAddress // without the address, which has the key
	}
	salt, _ := u.User.Password()
	p := &Proxy{
		base: u.Scheme + "://" + u.Host + strings.TrimSuffix(u.EscapedPath(), "/"), source: u.Query().Get("source"),
		client: &http.Client{Timeout: patience, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }},
		places: make(chan struct{}, mostAtOnce),
	}
	var wrong error
	if p.key, err = hex.DecodeString(u.User.Username()); err != nil || len(p.key) == 0 {
		wrong = errAddress
	}
	if p.salt, err = hex.DecodeString(salt); err != nil || len(p.salt) == 0 {
		wrong = errAddress
	}
	if !strings.Contains(p.source, "://") {
		wrong = errAddress
	}
	return p, wrong
}

// formats are the encodings of variants, by the media type of the original.
var formats = map[string]string{"image/jpeg": "jpg", "image/png": "png", "image/gif": "png", "image/webp": "webp"}

// Make returns a variant of the picture that is stored under the key, with most bytes at most.
func (p *Proxy) Make(ctx context.Context, key, mediaType string, v expose.Variant, most int64) ([]byte, error) {
	select {
	case p.places <- struct{}{}:
		defer func() { <-p.places }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.Address(key, mediaType, v), nil)
	if err != nil {
		return nil, errors.New("ask imgproxy: its address is malformed")
	}
	answer, err := p.client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("ask imgproxy: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("imgproxy answers %s", answer.Status)
	}
	content, err := io.ReadAll(io.LimitReader(answer.Body, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("read the answer of imgproxy: %w", err)
	case int64(len(content)) > most:
		return nil, fmt.Errorf("imgproxy answers with more than %d bytes", most)
	}
	return content, nil
}

// Address is the signed address of a variant (https://docs.imgproxy.net/usage/processing): upright, without
// metadata, with its colour profile, and never larger than the original.
func (p *Proxy) Address(key, mediaType string, v expose.Variant) string {
	fit := "fit"
	if v.Fit == expose.Cover {
		fit = "fill-down"
	}
	format := formats[mediaType]
	if v.Format == expose.WebP {
		format = "webp"
	}
	path := fmt.Sprintf("/rs:%s:%d:%d:0/ar:1/sm:1/scp:0/q:82/%s.%s", fit, v.Width, v.Height, base64.RawURLEncoding.EncodeToString([]byte(p.source+key)), format)
	mac := hmac.New(sha256.New, p.key)
	mac.Write(p.salt)
	mac.Write([]byte(path))
	return p.base + "/" + base64.RawURLEncoding.EncodeToString(mac.Sum(nil)) + path
}
