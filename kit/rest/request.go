package rest

import (
	"bytes"
	"encoding/json"
	"io"
	"maps"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/internal/strictjson"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/web"
)

// wellFormed refuses a query that net/url would read a part of only.
func wellFormed(query string) error {
	if !strings.ContainsAny(query, "%;") { // nothing else can be malformed
		return nil
	}
	if _, err := url.ParseQuery(query); err != nil {
		return problem.New(problem.Invalid, "the query is malformed: %v", err)
	}
	return nil
}

// readBody reads a JSON body, refuses what is not plain JSON, and hands it on.
// The service's own names for JSON are JSON; other media types are left to the
// operation.
func (a *api) readBody(r *http.Request, x *handler.Exchange) error {
	kind, more, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil && r.ContentLength != 0 {
		return problem.New(problem.UnsupportedMedia, "a Content-Type is needed: application/json")
	}
	merge := kind == "application/merge-patch+json" && r.Method == http.MethodPatch
	ours := slices.Contains(x.Version.Vendor, kind)
	if kind != "application/json" && kind != "" && !merge && !ours {
		if a.byHand(x) {
			return nil // the operation says so
		}
		if r.ContentLength != 0 {
			return a.errMedia(kind)
		}
	}
	if !strictjson.IsUTF8(more["charset"]) {
		return problem.New(problem.UnsupportedMedia, "the charset %q is not taken here: utf-8 is", more["charset"])
	}
	if x.Body, err = io.ReadAll(r.Body); err != nil {
		return web.Unread(err)
	}
	if len(x.Body) > 0 {
		if err := strictjson.Check(x.Body); err != nil {
			return problem.New(problem.InvalidJSON, "the body is not valid JSON: %v", err)
		}
	}
	if op := a.Operations[x.Operation]; !op.Declared {
		x.Body = x.Version.Request(a.shapes, op, x.Body)
	}
	if merge || ours || kind == "" {
		r.Header = r.Header.Clone()
		r.Header.Set("Content-Type", "application/json")
	}
	decoded := x.Body
	if a.byHand(x) {
		decoded = strictjson.PlainWholes(x.Body) // not in x.Body, which may be signed
	}
	r.Body = io.NopCloser(bytes.NewReader(decoded))
	r.ContentLength = int64(len(decoded))
	return nil
}

// noBody refuses a body with members where an operation that writes takes none:
// to ignore it would be to do something else than the request says. The content of
// GET has no meaning (RFC 9110 section 9.3.1).
func noBody(r *http.Request) error {
	if r.ContentLength == 0 || r.Body == nil || r.Method == http.MethodGet || r.Method == http.MethodHead {
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return web.Unread(err)
	}
	r.Body, r.ContentLength = http.NoBody, 0
	if len(bytes.TrimSpace(body)) == 0 {
		return nil
	}
	if err := strictjson.Check(body); err != nil {
		return errBody
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil || members == nil {
		return errBody
	}
	var details []problem.Detail
	for _, name := range slices.Sorted(maps.Keys(members)) {
		details = append(details, problem.Invalidf(name, nil, "is unknown: this request takes no body"))
	}
	return problem.Inputs(details[:min(len(details), mostNamed)]...)
}

// mostNamed is how many members of a body that is not taken are named.
const mostNamed = 10

var errBody = problem.New(problem.Invalid, "this request takes no body")

// errMedia refuses the media type of a body. Where it names a version that is not offered,
// those that are offered are listed.
func (a *api) errMedia(kind string) error {
	if a.Versions.NamesMedia([]string{kind}) {
		return problem.New(problem.UnsupportedMedia, "%q is not taken here: application/json, %s are", kind, strings.Join(a.Versions.MediaTypes(), ", "))
	}
	return problem.New(problem.UnsupportedMedia, "%q is not taken here: application/json is", kind)
}
