// Package upload sends files to a service (doc/schema/files.md), for programs in Go: beside the
// client that ogen generates, or any other whose requests go through a [Doer]. It leans on nothing
// of the kit.
//
// A file goes in parts: to the service, or to an object store where the service says so. Parts that
// have arrived stay for a day, so that an upload that was stopped goes on from there, in another
// process, too.
package upload

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Doer sends requests.
type Doer interface {
	// Do is that of [http.Client].
	Do(*http.Request) (*http.Response, error)
}

// File is a file that is sent. Its methods are for one goroutine.
type File struct {
	// API is the address of the first version, such as https://example.com/api/v1.
	API string
	// For is the field that it is for, such as profile.avatar, and Name is what it is called.
	For, Name string
	// Content has the file's Size bytes.
	Content io.ReaderAt
	Size    int64
	// Client sends requests to the service, with the caller's credentials. Those to an object store
	// are sent without any, by [http.DefaultClient].
	Client Doer
	// ID is the upload's, with which another File goes on. It is set once the upload has begun.
	ID string
	// PartSize is how many bytes a request sends: 8 MiB where it is 0. An object store takes 5 MiB
	// at least.
	PartSize int64
	// Progress, if it is not nil, is called with how many bytes have been sent. After a part that was
	// lost there are fewer.
	Progress func(sent int64)
	// Backoff is the first wait after a request that failed, which doubles: 200 ms where it is 0.
	Backoff time.Duration

	key string // makes repetitions of the beginning one upload
}

// Stored is a file that the service has.
type Stored struct {
	// ID is the file's id, and URL is its address, which is the value of a row's field.
	ID  string `json:"id"`
	URL string `json:"url"`
	// Name is the file's name. Its content has Size bytes, and SHA256 is their sum in hexadecimal digits:
	// of a picture those that are stored.
	Name   string `json:"name"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// RefusedError is why the service does not take the file.
type RefusedError struct {
	// Status is that of HTTP.
	Status int
	// Code and Message are those of the error (doc/api/errors.md).
	Code, Message string
}

// Error implements error.
func (r *RefusedError) Error() string {
	return fmt.Sprintf("upload a file: the service answers %d %s: %s", r.Status, r.Code, r.Message)
}

// mostTries is how often in a row no part arrives before Send gives up.
const mostTries = 8

// Send sends what is missing of the file, and returns the file that the service has then. It is
// paused by the end of ctx: called again, it goes on. Requests that fail are tried again. The error
// is that of ctx, a [*RefusedError], or that of the network where nothing arrives for long.
func (f *File) Send(ctx context.Context) (*Stored, error) {
	for tries := 0; ; {
		stored, some, err := f.send(ctx)
		if stored != nil {
			return stored, nil
		}
		if refused, ok := errors.AsType[*RefusedError](err); ok && !refused.passing() {
			return nil, err
		}
		if some {
			tries = 0
		}
		if tries++; tries > mostTries {
			return nil, err
		}
		if err := f.rest(ctx, tries-1); err != nil {
			return nil, err
		}
	}
}

// passing reports whether another try may be answered otherwise. After a conflict another request
// has been faster, and the missing parts are asked for again.
func (r *RefusedError) passing() bool {
	return r.Status >= 500 || r.Status == http.StatusRequestTimeout || r.Status == http.StatusConflict || r.Status == http.StatusTooManyRequests
}

// rest waits before another try.
func (f *File) rest(ctx context.Context, tries int) error {
	wait := f.Backoff
	if wait == 0 {
		wait = 200 * time.Millisecond
	}
	timer := time.NewTimer(wait << tries)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

// part is a request that sends a part of a file.
type part struct {
	Offset, Size int64
	Method, URL  string
	Headers      []struct{ Name, Value string }
}

// send asks which parts are missing, sends these, and has the file be made of them. Some says that a
// part has arrived.
func (f *File) send(ctx context.Context) (stored *Stored, some bool, err error) {
	parts, err := f.missing(ctx)
	if err != nil {
		return nil, false, err
	}
	for _, p := range parts {
		if err := f.sendPart(ctx, p); err != nil {
			return nil, some, err
		}
		some = true
	}
	stored = new(Stored)
	if err := f.ask(ctx, http.MethodPut, "/files/"+f.ID+"/upload", nil, stored); err != nil {
		return nil, some, err
	}
	return stored, some, nil
}

// missing are the parts that have not arrived. An upload without an id is begun.
func (f *File) missing(ctx context.Context) ([]part, error) {
	query := url.Values{}
	if f.PartSize > 0 {
		query.Set("part", strconv.FormatInt(f.PartSize, 10))
	}
	method, path := http.MethodGet, "/files/"+f.ID+"/parts"
	if f.ID == "" {
		method, path = http.MethodPost, "/files/uploads"
		query.Set("for", f.For)
		query.Set("size", strconv.FormatInt(f.Size, 10))
		if f.Name != "" {
			query.Set("name", f.Name)
		}
		if f.key == "" {
			f.key = rand.Text()
		}
	}
	var plan struct {
		ID    string
		Parts []part
	}
	err := f.ask(ctx, method, path, query, &plan)
	if err == nil {
		f.ID = plan.ID
	}
	return plan.Parts, err
}

// ask sends a request without a body, and reads the data of its answer.
func (f *File) ask(ctx context.Context, method, path string, query url.Values, into any) error {
	r, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(f.API, "/")+path+"?"+query.Encode(), nil)
	if err != nil {
		return err
	}
	if method == http.MethodPost {
		r.Header.Set("Idempotency-Key", f.key)
	}
	text, err := answered(f.Client, r)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, &struct{ Data any }{into}); err != nil {
		return fmt.Errorf("read the answer to %s %s: %w", method, path, err)
	}
	return nil
}

// sendPart sends a part of the file: by the client where the address is of the service.
func (f *File) sendPart(ctx context.Context, p part) error {
	address, err := url.Parse(f.API)
	if err == nil {
		address, err = address.Parse(p.URL)
	}
	if err != nil {
		return err
	}
	body := &reader{io.NewSectionReader(f.Content, p.Offset, p.Size), p.Offset, f.Progress}
	r, err := http.NewRequestWithContext(ctx, p.Method, address.String(), body)
	if err != nil {
		return err
	}
	r.ContentLength = p.Size
	for _, h := range p.Headers {
		r.Header.Set(h.Name, h.Value)
	}
	if strings.HasPrefix(p.URL, "/") {
		_, err = answered(f.Client, r)
		return err
	}
	if _, err = answered(http.DefaultClient, r); err != nil && ctx.Err() == nil {
		return fmt.Errorf("send a part to the object store: %v", err) //nolint:errorlint // it is sent again, to a new address
	}
	return err
}

// reader says how much of a file has been read.
type reader struct {
	io.Reader
	at   int64
	says func(int64)
}

// Read implements io.Reader.
func (r *reader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if r.at += int64(n); n > 0 && r.says != nil {
		r.says(r.at)
	}
	return n, err
}

// answered sends a request and returns the body of a success.
func answered(by Doer, r *http.Request) ([]byte, error) {
	answer, err := by.Do(r)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 1<<20))
	if answer.StatusCode < 300 || err != nil {
		return bytes.TrimSpace(text), err
	}
	var said struct {
		Error struct{ Code, Message string }
	}
	_ = json.Unmarshal(text, &said) // of a proxy or a store it is something else
	return nil, &RefusedError{answer.StatusCode, said.Error.Code, said.Error.Message}
}
