// Package s3test is an object store in the memory of a test, which fails as the test
// wants it to.
package s3test

import (
	"context"
	"fmt"
	"html"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/entwine-go/entwine/kit/files"
	_ "github.com/entwine-go/entwine/kit/files/s3" // opens it
)

// Bucket is the name of the one bucket that there is.
const Bucket = "bucket"

// Server is an object store.
type Server struct {
	// URL is the endpoint.
	URL   string
	store http.Handler
	fault atomic.Pointer[http.HandlerFunc]
	// Copies is how many parts the store has copied from objects.
	Copies  atomic.Int64
	refusal atomic.Int64
}

// Refuse has the store answer copies of parts with the status.
func (s *Server) Refuse(status int) { s.refusal.Store(int64(status)) }

// Start starts a store with an empty bucket, until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket(Bucket); err != nil {
		t.Fatal(err)
	}
	s := &Server{store: gofakes3.New(backend, gofakes3.WithLogger(gofakes3.DiscardLog())).Server()}
	server := httptest.NewServer(s)
	s.URL = server.URL
	t.Cleanup(server.Close)
	return s
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if fault := s.fault.Load(); fault != nil {
		(*fault)(w, r)
		return
	}
	if from := r.Header.Get("X-Amz-Copy-Source"); from != "" && r.URL.Query().Has("partNumber") {
		s.copyPart(w, r, from)
		return
	}
	s.store.ServeHTTP(w, r)
}

// copyPart has a part of an upload be a copy of an object, which the store in memory does not do
// by itself (https://docs.aws.amazon.com/AmazonS3/latest/API/API_UploadPartCopy.html).
func (s *Server) copyPart(w http.ResponseWriter, r *http.Request, from string) {
	if status := s.refusal.Load(); status != 0 {
		w.WriteHeader(int(status))
		return
	}
	source := httptest.NewRecorder()
	s.store.ServeHTTP(source, httptest.NewRequestWithContext(r.Context(), http.MethodGet, "/"+strings.TrimPrefix(from, "/"), nil))
	if source.Code != http.StatusOK {
		w.WriteHeader(source.Code)
		_, _ = source.Body.WriteTo(w)
		return
	}
	put := httptest.NewRequestWithContext(r.Context(), http.MethodPut, r.URL.String(), source.Body)
	put.Header.Set("Content-Length", strconv.Itoa(source.Body.Len()))
	answer := httptest.NewRecorder()
	s.store.ServeHTTP(answer, put)
	if answer.Code != http.StatusOK {
		w.WriteHeader(answer.Code)
		_, _ = answer.Body.WriteTo(w)
		return
	}
	s.Copies.Add(1)
	fmt.Fprintf(w, "<CopyPartResult><ETag>%s</ETag><LastModified>2021-01-01T00:00:00Z</LastModified></CopyPartResult>", html.EscapeString(answer.Header().Get("ETag")))
}

// Fail has requests answered by the fault, until it is nil.
func (s *Server) Fail(fault http.HandlerFunc) {
	if fault == nil {
		s.fault.Store(nil)
		return
	}
	s.fault.Store(&fault)
}

// Address is how the bucket is opened, with a folder in it.
func (s *Server) Address(folder string) string {
	return "s3://key:secret@" + Bucket + "/" + folder + "?" + url.Values{"endpoint": {s.URL}, "timeout": {"2s"}}.Encode()
}

// Open opens a folder of the bucket.
func (s *Server) Open(t testing.TB, folder string) files.Store {
	t.Helper()
	store, err := files.OpenStore(context.Background(), s.Address(folder), filepath.Join(t.TempDir(), "spool"))
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// Direct opens a folder of the bucket to which clients send files by themselves.
func (s *Server) Direct(t testing.TB, folder string) files.Store {
	t.Helper()
	address := s.Address(folder) + "&" + url.Values{"public": {s.URL}, "region": {"us-east-1"}}.Encode()
	store, err := files.OpenStore(context.Background(), address, filepath.Join(t.TempDir(), "spool"))
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// Faults are the ways in which a store fails: all requests are answered so.
func (s *Server) Faults() map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{
		"is gone":                          func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"never answers":                    silent,
		"answers 500":                      func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"answers 403":                      func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) },
		"answers 404":                      func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNotFound) },
		"answers with a page of something": page,
		"answers with nothing":             func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusOK) },
		"has lost what was stored":         s.empty,
	}
}

// silent takes a request, and waits until its client has gone.
func silent(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	<-r.Context().Done()
}

// page is a portal's answer to everything.
func page(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "text/html")
	_, _ = w.Write([]byte("<html><title>Sign in</title></html>"))
}

// empty answers as a store that has other bytes of the same names: none.
func (s *Server) empty(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet && r.URL.RawQuery == "" {
		w.Header().Set("Last-Modified", "Fri, 01 Jan 2021 00:00:00 GMT")
		w.Header().Set("Content-Length", "0")
		return
	}
	w.WriteHeader(http.StatusServiceUnavailable)
}

// Cut breaks answers off after so many bytes of a content.
func (s *Server) Cut(after int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		answer := httptest.NewRecorder()
		s.store.ServeHTTP(answer, r)
		maps.Copy(w.Header(), answer.Header())
		body := answer.Body.String()
		if r.Method == http.MethodGet && len(body) > after {
			w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			w.WriteHeader(answer.Code)
			_, _ = io.WriteString(w, body[:after])
			_ = http.NewResponseController(w).Flush()
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(answer.Code)
		_, _ = answer.Body.WriteTo(w)
	}
}
