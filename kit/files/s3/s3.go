// Package s3 keeps the files of fields in a bucket of an object store that speaks the
// protocol of Amazon S3: AWS, MinIO, Garage, R2 or GCS. A service imports it for its effect,
//
//	import _ "github.com/entwine-go/entwine/kit/files/s3"
//
// and is started with ENTWINE_FILES_URL=s3://bucket/prefix?endpoint=https://…&region=….
//
// It owns how a store is asked: by minio-go, with bounds for how long that takes. Names of
// objects, rows and when what is removed are package files'. A program that does not import
// it is 4 MB smaller.
package s3

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/entwine-go/entwine/kit/files"
)

func init() { files.Register("s3", open) }

const (
	// usual is how long a store may take to begin its answer, and to go on with it, where
	// its address does not say.
	usual = 30 * time.Second
	// tries is how often a request is made that the store did not answer, or with 5xx.
	tries = 3
)

// Bucket is a folder of a bucket.
type Bucket struct {
	core minio.Core
	// public signs addresses for clients, who reach the store at another endpoint. Nil: they don't.
	public       *minio.Client
	origin       string
	name, prefix string
	endpoint     string
	spool        string
	patience     time.Duration
}

// open opens the bucket of an address, and fails where it is not there or not for these
// credentials.
func open(ctx context.Context, address *url.URL, spool string) (files.Store, error) {
	b, err := connect(address, spool)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, b.patience)
	defer cancel()
	if err := b.Ready(ctx); err != nil {
		return nil, err
	}
	return b, b.learnOrigin(ctx)
}

// Ready returns an error unless the bucket is there for these credentials.
func (b *Bucket) Ready(ctx context.Context) error {
	there, err := b.core.BucketExists(ctx, b.name)
	if err == nil && !there {
		err = errors.New("there is no bucket of this name")
	}
	if err != nil {
		return fmt.Errorf("%s can't be used: %w", b, err)
	}
	return nil
}

// connect reads an address and asks nothing of the store yet.
func connect(address *url.URL, spool string) (*Bucket, error) {
	options := address.Query()
	for name := range options {
		if name != "endpoint" && name != "region" && name != "timeout" && name != "public" {
			return nil, fmt.Errorf("the address of a bucket has the parameters endpoint, region, timeout and public, not %s", name)
		}
	}
	patience := usual
	if text := options.Get("timeout"); text != "" {
		var err error
		if patience, err = time.ParseDuration(text); err != nil || patience < time.Second {
			return nil, fmt.Errorf("the timeout of a bucket is a second or more, as in 30s, not %q", text)
		}
	}
	endpoint := options.Get("endpoint")
	if endpoint == "" {
		endpoint = "https://s3.amazonaws.com"
	}
	at, err := endpointOf("endpoint", endpoint)
	if err != nil {
		return nil, err
	}
	if address.Host == "" {
		return nil, errors.New("the address of a bucket is s3://bucket/prefix")
	}
	o := &minio.Options{Creds: keys(address.User), Secure: at.Scheme == "https", Region: options.Get("region"), Transport: transport(patience), MaxRetries: tries}
	client, err := minio.New(at.Host, o)
	if err != nil {
		return nil, fmt.Errorf("the address of a bucket: %w", err)
	}
	prefix := strings.Trim(address.Path, "/")
	if prefix != "" {
		prefix += "/"
	}
	b := &Bucket{core: minio.Core{Client: client}, name: address.Host, prefix: prefix, endpoint: at.Host, spool: spool, patience: patience}
	return b, b.publish(options.Get("public"), *o)
}

// endpointOf reads a parameter that is the endpoint of a store.
func endpointOf(name, text string) (*url.URL, error) {
	at, err := url.Parse(text)
	if err != nil || at.Host == "" || at.Scheme != "https" && at.Scheme != "http" || strings.Trim(at.Path, "/") != "" {
		return nil, fmt.Errorf("the %s of a bucket is https:// or http:// and a host, not %q", name, text)
	}
	return at, nil
}

// keys are the credentials: those of the address, or else where the tools of AWS and MinIO
// look for them.
func keys(user *url.Userinfo) *credentials.Credentials {
	if secret, some := user.Password(); some {
		return credentials.NewStaticV4(user.Username(), secret, "")
	}
	return credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.EnvMinio{}, &credentials.FileAWSCredentials{}, &credentials.IAM{},
	})
}

func transport(patience time.Duration) *http.Transport {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 15 * time.Second}
	return &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: 5 * time.Second,
		ResponseHeaderTimeout: patience, ExpectContinueTimeout: 5 * time.Second, IdleConnTimeout: time.Minute, MaxIdleConnsPerHost: 64,
		DisableCompression: true, ForceAttemptHTTP2: true,
	}
}

// Spool implements [files.Store].
func (b *Bucket) Spool() string { return b.spool }

// String implements [files.Store].
func (b *Bucket) String() string { return "s3://" + b.name + "/" + b.prefix + " at " + b.endpoint }

// Remove implements [files.Store].
func (b *Bucket) Remove(ctx context.Context, key string) error {
	err := b.core.RemoveObject(ctx, b.name, b.prefix+key, minio.RemoveObjectOptions{})
	if err = b.meaning(err); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove %s from %s: %w", key, b, err)
	}
	return nil
}

// Each implements [files.Store].
func (b *Bucket) Each(ctx context.Context, folder string, do func(files.Object) error) error {
	prefix := b.prefix
	if folder != "" {
		prefix += folder + "/"
	}
	for o := range b.core.ListObjectsIter(ctx, b.name, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			return fmt.Errorf("list %s: %w", b, o.Err)
		}
		if err := do(files.Object{Key: strings.TrimPrefix(o.Key, b.prefix), Size: o.Size, Since: o.LastModified}); err != nil {
			return err
		}
	}
	if err := ctx.Err(); err != nil { // a list that has ended with its context is no list
		return fmt.Errorf("list %s: %w", b, err)
	}
	return nil
}

// Tidy implements [files.Store]: it ends uploads of several parts that were broken off.
func (b *Bucket) Tidy(ctx context.Context, before time.Time) error {
	err := files.TidySpool(b.spool, before)
	for u := range b.core.ListIncompleteUploads(ctx, b.name, b.prefix, true) {
		if u.Err == nil && u.Initiated.Before(before) {
			u.Err = b.core.AbortMultipartUpload(ctx, b.name, u.Key, u.UploadID)
		}
		if minio.ToErrorResponse(u.Err).Code != minio.NoSuchUpload { // another process was here first
			err = errors.Join(err, u.Err)
		}
	}
	return errors.Join(err, ctx.Err())
}

// meaning is fs.ErrNotExist where the store says that an object is not there.
func (b *Bucket) meaning(err error) error {
	if minio.ToErrorResponse(err).Code == minio.NoSuchKey {
		return fs.ErrNotExist
	}
	return err
}
