package s3

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/minio/minio-go/v7"
)

// publish has addresses for clients signed, who reach the store at the endpoint: none where it is
// empty. An address has the region, so that the store at that endpoint is never asked for it.
func (b *Bucket) publish(endpoint string, o minio.Options) error {
	if endpoint == "" {
		return nil
	}
	at, err := endpointOf("public", endpoint)
	if err != nil {
		return err
	}
	if o.Region == "" {
		return fmt.Errorf("the address of a bucket with public=%s has its region, too, as in region=us-east-1", endpoint)
	}
	o.Secure = at.Scheme == "https"
	b.public, err = minio.New(at.Host, &o)
	return err
}

// Origin implements [files.Signer].
func (b *Bucket) Origin() string { return b.origin }

// learnOrigin notes where signed addresses lead to: some stores have buckets on hosts of their own.
func (b *Bucket) learnOrigin(ctx context.Context) error {
	if b.public == nil {
		return nil
	}
	address, err := b.Sign(ctx, "origin", 0, time.Minute)
	if err != nil {
		return err
	}
	u, err := url.Parse(address)
	if err == nil {
		b.origin = u.Scheme + "://" + u.Host
	}
	return err
}

// Sign implements [files.Signer]. The length is signed: a body of another one is refused.
func (b *Bucket) Sign(ctx context.Context, key string, size int64, life time.Duration) (string, error) {
	u, err := b.public.PresignHeader(ctx, http.MethodPut, b.name, b.prefix+key, life, nil, http.Header{"Content-Length": {strconv.FormatInt(size, 10)}})
	if err != nil {
		return "", fmt.Errorf("sign an address in %s: %w", b, err)
	}
	return u.String(), nil
}
