// Package web is the HTTP edge around both APIs: the layers that a request passes
// through before REST or GraphQL, and the few pages that belong to neither.
//
// It is one package because its layers share the scope of a request (its id, caller,
// deadline and connection) and the settings of the [Edge], whose order of layers is
// the security of the service.
//
// It owns ids, logging, panics, headers, limits of size and time, and who a
// request is from. Rights belong to policies (package policy), and the form of an
// error to the API that was called: an [Edge] is given one function for that and
// imports neither.
package web

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/store"
)

// Edge has the layers that every request passes through. Its layers, from the outside:
//
//	identify      a request id, in the context and in the answer
//	log           one line about each request
//	recover       a panic becomes a 500 (inside log, which then knows of it)
//	protect       headers that keep browsers from guessing
//	share         what pages of other origins may call and read
//	bound         how large a body is and how long it takes to arrive
//	authenticate  how long it may take, on whose behalf it runs, and how
//	              often they may ask; and whether there is room for it
type Edge struct {
	Log *slog.Logger
	// Unlogged is the percentage of requests that get no line in the log, drawn at
	// random. Answers of 500 and more always get one.
	Unlogged int
	// Errors writes an error in the form of the API that the request is for.
	// It masks what is not a problem.Error; the edge has logged that.
	Errors func(w http.ResponseWriter, r *http.Request, err error)
	// Auth proves credentials.
	Auth Authenticator
	// Limit bounds bodies and times.
	Limit config.Limit
	// Service says which paths give or take credentials, and which is a webhook's.
	Service expose.Service
	// Webhook is set where messages are sent to the webhook. Without it the path
	// is like any other.
	Webhook bool
	// Proxies are the networks of proxies whose headers name the address and the scheme
	// of a client. Those of any other peer are ignored.
	Proxies []netip.Prefix
	// Origins are those whose pages may call both APIs and use cookies:
	// "https://app.example.com".
	Origins []string
	// Headers are further header fields that these pages may send, beside those that
	// the service reads and common clients send.
	Headers []string
	// LocalOrigins lets pages on localhost do so as well, whatever their port:
	// for development.
	LocalOrigins bool
	// Limiter counts requests for each caller. Nil: no limit.
	Limiter ratelimit.Limiter
	// Rate returns how much the callers of a request may ask, and a name under
	// which that is counted: a version may allow less. Nil: Limit.Rate, for all.
	Rate func(r *http.Request) (scope string, rate ratelimit.Rate)
	// Observer, if it is not nil, is called around every request.
	Observer Observer
	// Recorder keeps requests. Nil: none are kept.
	Recorder Recorder
	// Gate caps how many requests are in flight. Nil: no cap.
	Gate *Gate
	// Consistency signs what callers have seen of a database with replicas. Nil: it has none.
	Consistency *Consistency
	// Uploads is how many bytes the largest file has that may be uploaded, 0 where none may.
	Uploads int64
	// Now is the time, time.Now where it is nil.
	Now func() time.Time

	warned  atomic.Bool    // of a proxy that is not trusted
	refused refusedOrigins // origins that were warned of
	bare    sync.Map       // paths of pages that were warned of
}

// Handler returns the API behind all layers of the edge.
func (e *Edge) Handler(api http.Handler) http.Handler {
	api = e.recorded(api)
	plain := e.bound(e.authenticate(api, Page{}), Page{})
	if e.Uploads == 0 {
		return e.Open(plain)
	}
	page := e.uploads()
	uploads := e.bound(e.authenticate(api, page), page)
	return e.Open(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		spokenTus(w.Header(), r)
		if isUpload(r) {
			uploads.ServeHTTP(w, r)
			return
		}
		plain.ServeHTTP(w, r)
	}))
}

// Open returns a page that everyone may read and that reads no data behind the layers
// from identify to share: credentials are not verified, and requests not counted.
func (e *Edge) Open(page http.Handler) http.Handler {
	return e.identify(e.log(e.recover(e.protect(e.share(page)))))
}

// refuse answers a request with an error.
func (e *Edge) refuse(w http.ResponseWriter, r *http.Request, err error) {
	err = Closed(r.Context(), store.Problem(err))
	if problem.Fault(err) {
		e.Log.ErrorContext(r.Context(), "request refused", "err", err)
	}
	e.Errors(w, r, err)
}

// Closed returns err, or, where the client has closed the connection before its
// answer, a problem.Error of the kind RequestTimeout with err as its cause: that is no
// failure of the service. net/http ends the context of a request also where the client
// has closed only its own half of the connection and still reads.
func Closed(ctx context.Context, err error) error {
	if errors.Is(err, context.Canceled) && errors.Is(ctx.Err(), context.Canceled) && problem.As(err) == nil {
		return problem.Wrap(err, problem.RequestTimeout, "the connection was closed before the answer")
	}
	return err
}

func (e *Edge) now() time.Time {
	if e.Now != nil {
		return e.Now()
	}
	return time.Now()
}
