package wire

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/kit/runtime/graph/response"
	"github.com/entwine-go/entwine/kit/runtime/web"
)

// The parts of an answer, as RFC 2046 has them. A boundary follows each part at
// once, so that the client knows that it is whole.
const (
	mediaParts   = "multipart/mixed"
	partsType    = mediaParts + `; boundary="-"; deferSpec=20220824`
	partHeader   = "Content-Type: application/json; charset=utf-8\r\n\r\n"
	partBoundary = "\r\n---\r\n"
	partsEnd     = "\r\n-----\r\n"
)

// takesParts reports whether a request's Accept asks for parts in the form that
// they have here.
func takesParts(r *http.Request) bool {
	for media := range strings.SplitSeq(strings.Join(r.Header["Accept"], ","), ",") {
		name, params, err := mime.ParseMediaType(media)
		if err != nil || name != mediaParts || isZero(params["q"]) || params["incrementaldeliveryspec"] != "" || params["subscriptionspec"] != "" {
			continue
		}
		if spec := params["deferspec"]; spec == "" || spec == "20220824" {
			return true
		}
	}
	return false
}

func isZero(quality string) bool {
	q, err := strconv.ParseFloat(quality, 64)
	return err == nil && q == 0
}

// writeParts writes the first response and those that come later, each as soon
// as it is there.
func writeParts(w http.ResponseWriter, r *http.Request, first *graphql.Response, next func() *graphql.Response) {
	h := w.Header()
	h.Set("Content-Type", partsType)
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // for a proxy that would collect the parts
	w.WriteHeader(http.StatusOK)
	start := partBoundary
	for res, more := first, true; more; {
		part := append([]byte(start+partHeader), response.Encode(r.Context(), res)...)
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
