package wire

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
	"github.com/entwine-go/entwine/kit/internal/graph/response"
	"github.com/entwine-go/entwine/kit/web"
)

// The parts of an answer, as RFC 2046 has them. A boundary follows each part at
// once, so that the client knows that it is whole.
const (
	mediaParts   = "multipart/mixed"
	partsType    = mediaParts + `; boundary="-"`
	partHeader   = "Content-Type: application/json; charset=utf-8\r\n\r\n"
	partBoundary = "\r\n---\r\n"
	partsEnd     = "\r\n-----\r\n"
)

// onlyParts reports whether a request's Accept names multipart/mixed and no
// JSON: a client that names neither format of parts gets one then, with all in it.
func onlyParts(r *http.Request) bool {
	parts := false
	for media := range strings.SplitSeq(strings.Join(r.Header["Accept"], ","), ",") {
		switch name, params, err := mime.ParseMediaType(media); {
		case err != nil || isZero(params["q"]):
		case name == mediaParts && params["subscriptionspec"] == "":
			parts = true
		case name == mediaJSON || name == mediaResponse || name == "*/*" || name == "application/*":
			return false
		}
	}
	return parts
}

func isZero(quality string) bool {
	q, err := strconv.ParseFloat(quality, 64)
	return err == nil && q == 0
}

// writeParts writes the first response and those that come later, each without
// waiting for the next.
func writeParts(w http.ResponseWriter, r *http.Request, first *graphql.Response, next func() *graphql.Response) {
	h := w.Header()
	encoder := response.Encoder{Format: deferral.Allowed(r.Context())}
	h.Set("Content-Type", partsType)
	if encoder.Format != deferral.Whole {
		h.Set("Content-Type", partsType+"; "+encoder.Format.String())
	}
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // for a proxy that would collect the parts
	w.WriteHeader(http.StatusOK)
	start := partBoundary
	for res, more := first, true; more; {
		part := append([]byte(start+partHeader), encoder.Encode(r.Context(), res)...)
		if more = response.HasNext(res); more {
			part = append(part, partBoundary...)
		} else {
			part = append(part, partsEnd...)
		}
		_, _ = w.Write(part) // the client may be gone: then the context has ended
		web.FlushPart(w)
		if start = ""; more {
			res = next()
		}
	}
}
