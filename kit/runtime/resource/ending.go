package resource

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-faster/jx"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/lifecycle"
	"github.com/entwine-go/entwine/kit/runtime/resource/announce"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/runtime/resource/openapi"
	"github.com/entwine-go/entwine/kit/viewer"
)

// stage asks for the state of the version of the request. Where that is
// deprecated or retired it returns the writer that says so; the error refuses
// the request.
func (a *api) stage(w http.ResponseWriter, r *http.Request, x *door.Exchange) (*announce.Writer, error) {
	planned := a.Lifecycle.Of(x.Version.Major())
	if planned == nil {
		return nil, nil
	}
	at := a.Lifecycle.At()
	state := planned.State(at)
	if state != lifecycle.Deprecated && state != lifecycle.Retired || a.isWebhook(x) {
		return nil, nil
	}
	a.count(r, lifecycle.OfVersion, "v"+planned.Major)
	v := announce.Version{Version: planned, Prefix: a.Prefix, Path: strings.TrimPrefix(r.URL.EscapedPath(), x.Base), Names: x.Version.Word}
	out := announce.Of(w, a.Lifecycle, v)
	asked := *x.Request
	asked.Header = out.Request(asked.Header)
	x.Request, r.Header = &asked, asked.Header
	if state == lifecycle.Retired {
		return out, v.Retired()
	}
	if window, on := planned.Out(at); on {
		return out, v.Out(window, at)
	}
	return out, nil
}

// isWebhook reports whether the request is what another service sends: it does
// so to the address that it was given, and reads no notice.
func (a *api) isWebhook(x *door.Exchange) bool { return a.Webhook != "" && x.Path() == a.Webhook }

// count counts who uses something that is deprecated.
func (a *api) count(r *http.Request, kind lifecycle.Kind, name string) {
	if a.Usage != nil {
		a.Usage.Count(viewer.From(r.Context()), r.UserAgent(), kind, name)
	}
}

// ending refuses the operation where it is gone, and says that it is deprecated
// where it is.
func (a *api) ending(r *http.Request, x *door.Exchange, notice *announce.Notice) error {
	op := a.Operations[x.Operation]
	at := a.Lifecycle.At()
	if op.Ending.State(at) == lifecycle.Active {
		return nil
	}
	a.count(r, lifecycle.OfOperation, x.Operation)
	next, _ := a.Lifecycle.Next(at)
	notice.Ending(x.Operation, op.Ending, at, next)
	if !a.Lifecycle.Gone(op.Ending) {
		return nil
	}
	out, _ := a.Lifecycle.Out(at)
	return announce.Gone(x.Operation, op.Ending, out, at)
}

// parts does the same for what the request names of a field that ends, in its
// body or its query.
func (a *api) parts(r *http.Request, x *door.Exchange, notice *announce.Notice) error {
	var details []problem.Detail
	at := a.Lifecycle.At()
	for _, part := range a.Operations[x.Operation].Ends {
		if part.Ending.State(at) == lifecycle.Active || !names(x, r.URL.Query(), part) {
			continue
		}
		a.count(r, lifecycle.OfField, part.Of)
		next, _ := a.Lifecycle.Next(at)
		notice.Ending(part.Of, part.Ending, at, next)
		if a.Lifecycle.Gone(part.Ending) {
			details = append(details, problem.Detail{Field: part.Field(), Message: "is gone: " + part.Ending.Instead})
		}
	}
	return problem.Inputs(details...)
}

// names reports whether the request names the part, as its version does or as
// the document.
func names(x *door.Exchange, query url.Values, part openapi.Part) bool {
	if called(x, query, part) {
		return true
	}
	word := x.Version.Word(part.Name)
	if word == part.Name {
		return false
	}
	part.Name = word
	return called(x, query, part)
}

func called(x *door.Exchange, query url.Values, part openapi.Part) bool {
	switch part.In {
	case openapi.InQuery:
		return query.Has(part.Name)
	case openapi.InList:
		return slices.ContainsFunc(query[part.List], func(list string) bool {
			return slices.ContainsFunc(strings.Split(list, ","), func(one string) bool {
				return strings.TrimLeft(strings.TrimSpace(one), "+-") == part.Name
			})
		})
	}
	return len(x.Body) > 0 && holds(jx.DecodeBytes(x.Body), strings.Split(part.Name, "."))
}

// holds reports whether JSON has a member at the path, in any item of lists on
// the way. What is no JSON has none.
func holds(d *jx.Decoder, path []string) (found bool) {
	switch d.Next() {
	case jx.Object:
		_ = d.Obj(func(d *jx.Decoder, name string) error {
			if name != path[0] || found {
				return d.Skip()
			}
			if len(path) == 1 {
				found = true
				return d.Skip()
			}
			found = holds(d, path[1:])
			return nil
		})
	case jx.Array:
		_ = d.Arr(func(d *jx.Decoder) error {
			if found {
				return d.Skip()
			}
			found = holds(d, path)
			return nil
		})
	default:
		_ = d.Skip()
	}
	return found
}
