package rest

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/go-faster/jx"

	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/internal/rest/docs"
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/announce"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/viewer"
)

// stage asks for the state of the version of the request. Where that is
// deprecated or retired it returns the writer that says so; the error refuses
// the request.
func (a *api) stage(w http.ResponseWriter, r *http.Request, x *handler.Exchange) (*announce.Writer, error) {
	state, at := a.state(x.Version), a.Lifecycle.At()
	if state != lifecycle.Deprecated && state != lifecycle.Retired || a.isWebhook(x) {
		return nil, nil
	}
	planned := a.Lifecycle.Of(x.Version.Major())
	a.count(r, lifecycle.OfVersion, "v"+planned.Major)
	v := a.notice(r, x.Version, x.Prefix)
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

// state is where the version stands.
func (a *api) state(v *apiversion.Served) lifecycle.State {
	return a.Lifecycle.Of(v.Major()).State(a.Lifecycle.At())
}

// notice has the facts of the version's end for an answer. The request's path is below base.
func (a *api) notice(r *http.Request, v *apiversion.Served, base string) announce.Version {
	return announce.Version{Version: a.Lifecycle.Of(v.Major()), Prefix: a.Prefix, Path: strings.TrimPrefix(r.URL.EscapedPath(), base), Names: v.Word}
}

// announced calls answer with a writer that adds the header fields of a version that is
// deprecated or retired. It is for answers that no operation makes.
func (a *api) announced(w http.ResponseWriter, r *http.Request, version apiversion.Choice, answer func(http.ResponseWriter)) {
	if state := a.state(version.Served); state != lifecycle.Deprecated && state != lifecycle.Retired {
		answer(w)
		return
	}
	out := announce.Of(w, a.Lifecycle, a.notice(r, version.Served, version.Base))
	out.Document = true
	answer(out)
	out.Close() // not after a panic
}

// site is the document of the version, and its page: of one that is deprecated with
// a notice that says so.
func (a *api) site(v *apiversion.Served) *docs.Site {
	if state := a.state(v); state == lifecycle.Deprecated || state == lifecycle.Retired {
		return a.ended[v]
	}
	return a.sites[v]
}

// noticed has the parts of a deprecated version's document.
func (a *api) noticed(v *apiversion.Served) apiversion.Published {
	p := a.Published
	planned := announce.Version{Version: a.Lifecycle.Of(v.Major()), Prefix: a.Prefix}
	p.Notice = "Deprecated: " + planned.Stands(a.Lifecycle.At())
	return p
}

// isWebhook reports whether the request is what another service sends: it does
// so to the address that it was given, and reads no notice.
func (a *api) isWebhook(x *handler.Exchange) bool { return a.Webhook != "" && x.Path() == a.Webhook }

// count counts who uses something that is deprecated.
func (a *api) count(r *http.Request, kind lifecycle.Kind, name string) {
	if a.Usage != nil {
		a.Usage.Count(viewer.From(r.Context()), r.UserAgent(), kind, name)
	}
}

// ending refuses the operation where it is gone, and says that it is deprecated
// where it is.
func (a *api) ending(r *http.Request, x *handler.Exchange, notice *announce.Notice) error {
	if x.Former != nil {
		name := strings.ToUpper(a.Operations[x.Operation].Method) + " " + x.Former.Path
		if err := a.ends(r, name, x.Former.Ending, notice); err != nil {
			return err
		}
	}
	return a.ends(r, x.Operation, a.Operations[x.Operation].Ending, notice)
}

func (a *api) ends(r *http.Request, name string, e *lifecycle.Ending, notice *announce.Notice) error {
	at := a.Lifecycle.At()
	if e.State(at) == lifecycle.Active {
		return nil
	}
	a.count(r, lifecycle.OfOperation, name)
	next, _ := a.Lifecycle.Next(at)
	notice.Ending(name, e, at, next)
	if !a.Lifecycle.Gone(e) {
		return nil
	}
	out, _ := a.Lifecycle.Out(at)
	return announce.Gone(name, e, out, at)
}

// parts does the same for what the request names of a field that ends, in its
// body or its query.
func (a *api) parts(r *http.Request, x *handler.Exchange, notice *announce.Notice) error {
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
func names(x *handler.Exchange, query url.Values, part openapi.Part) bool {
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

func called(x *handler.Exchange, query url.Values, part openapi.Part) bool {
	switch part.In {
	case openapi.InQuery:
		if part.Value == "" {
			return query.Has(part.Name)
		}
		return slices.ContainsFunc(query[part.Name], func(list string) bool { return slices.Contains(strings.Split(list, ","), part.Value) })
	case openapi.InList:
		return slices.ContainsFunc(query[part.List], func(list string) bool {
			return slices.ContainsFunc(strings.Split(list, ","), func(one string) bool {
				return strings.TrimLeft(strings.TrimSpace(one), "+-") == part.Name
			})
		})
	}
	return len(x.Body) > 0 && holds(jx.DecodeBytes(x.Body), strings.Split(part.Name, "."), part.Value)
}

// holds reports whether JSON has a member at the path, in any item of lists on the
// way, that has the value: any, if it is empty. Other media types have none.
func holds(d *jx.Decoder, path []string, value string) (found bool) {
	switch d.Next() {
	case jx.Object:
		_ = d.Obj(func(d *jx.Decoder, name string) error {
			if name != path[0] || found {
				return d.Skip()
			}
			if len(path) == 1 && value != "" && d.Next() == jx.String {
				text, err := d.Str()
				found = text == value
				return err
			}
			if len(path) == 1 {
				found = value == ""
				return d.Skip()
			}
			found = holds(d, path[1:], value)
			return nil
		})
	case jx.Array:
		_ = d.Arr(func(d *jx.Decoder) error {
			if found {
				return d.Skip()
			}
			found = holds(d, path, value)
			return nil
		})
	default:
		_ = d.Skip()
	}
	return found
}
