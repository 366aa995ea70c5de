package rest

import (
	"cmp"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
)

// acceptable returns the media type that a success will have, and refuses a
// request that takes none of those there are. application/problem+json is
// about errors: where nothing else is named, a success is JSON.
func (a *api) acceptable(r *http.Request, x *handler.Exchange, op *openapi.Operation) (string, error) {
	accept := r.Header["Accept"]
	if op.Media != nil {
		return negotiate.JSON, nil // the handler finds out
	}
	media, ok := negotiate.Negotiate(accept, op.Produces, x.Version.Vendor)
	if media == negotiate.CSV && negotiate.WithoutHeader(accept) {
		media = negotiate.BareCSV
	}
	if ok {
		return media, nil
	}
	if _, ok := negotiate.Negotiate(accept, problemOnly, x.Version.Vendor); ok {
		return negotiate.JSON, nil
	}
	return "", problem.New(problem.NotAcceptable, "%s can be had", strings.Join(a.produces(accept, op.Produces), ", "))
}

// produces are the media types to list where none of those in Accept can be had: with
// those of the versions where it names one that is not offered.
func (a *api) produces(accept, media []string) []string {
	if !slices.Contains(media, negotiate.JSON) || !a.Versions.NamesMedia(accept) {
		return media
	}
	return append(slices.Clip(media), a.Versions.MediaTypes()...)
}

var problemOnly = []string{negotiate.Problem}

// represented returns a writer that turns the answer into the media type that
// was asked for, and tags what the handlers of reads do not; nil where the
// answer is sent unchanged.
func (a *api) represented(w http.ResponseWriter, x *handler.Exchange) *negotiate.Writer {
	out := &negotiate.Writer{ResponseWriter: w, Media: x.Media, Columns: func() []string { return x.Columns }, Name: path.Base(x.Path())}
	op := a.Operations[x.Operation]
	if told := x.Version.Deleted; op.Method == "delete" && told != nil {
		out.Empty = func() []byte { return told(cmp.Or(x.Done, "deleted")) }
		return out
	}
	if op.Media != nil {
		return nil
	}
	if !op.Declared && x.Translate != nil {
		out.Translate = func(status int, body []byte) []byte {
			if x.Translated {
				return body
			}
			return x.Translate(status, body)
		}
	}
	if op.Method == "get" && !op.Parsed && !a.credentials(op.Path) {
		out.Fresh = func(h http.Header, body []byte) bool {
			if h.Get("Cache-Control") == "" {
				h.Set("Cache-Control", handler.Private)
			}
			return h.Get("Etag") == "" && x.Tagged(h, body)
		}
		return out
	}
	if op.Parsed && !negotiate.Converts(x.Media) {
		return nil // package handler has written it as it should be
	}
	return out
}
