package announce

import (
	"net/http"
	"strings"

	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/ratelimit"
)

// Front gives the layers in front of an API the facts of its versions: the rate
// limit of a version, and the header fields of the answers with which they refuse
// a request.
type Front struct {
	Plan *lifecycle.Plan
	// Prefix is where the paths of all versions begin: "/api".
	Prefix string
	// Major is the version that a request is for, by its number.
	Major func(r *http.Request) string
}

// version is that of a request to the API, with nothing planned if there is
// nothing to say of it.
func (f Front) version(r *http.Request) Version {
	if f.Plan == nil || !strings.HasPrefix(r.URL.Path, f.Prefix+"/") {
		return Version{}
	}
	major := f.Major(r)
	base := f.Prefix + "/v" + major
	if !strings.HasPrefix(r.URL.Path, base+"/") {
		base = f.Prefix
	}
	return Version{Version: f.Plan.Of(major), Prefix: f.Prefix, Path: strings.TrimPrefix(r.URL.EscapedPath(), base)}
}

// Rate is how much callers of a version may ask of a rate, and the name under
// which that is counted: apart from other versions, once it is less. It is for
// the edge of package web.
func (f Front) Rate(rate ratelimit.Rate) func(r *http.Request) (string, ratelimit.Rate) {
	if rate.Count == 0 || !f.Plan.Slows() {
		return func(*http.Request) (string, ratelimit.Rate) { return "", rate }
	}
	return func(r *http.Request) (string, ratelimit.Rate) {
		v := f.version(r)
		if v.Version == nil {
			return "", rate
		}
		share := v.Share(f.Plan.At())
		if share == 100 {
			return "", rate
		}
		lowered := rate
		lowered.Count = max(1, rate.Count*share/100)
		return "v" + v.Major + " ", lowered
	}
}

// Errors writes errors as write does, with the header fields of the version.
func (f Front) Errors(write func(w http.ResponseWriter, r *http.Request, err error)) func(w http.ResponseWriter, r *http.Request, err error) {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		v := f.version(r)
		if v.State(f.Plan.At()) == lifecycle.Active || v.State(f.Plan.At()) == lifecycle.Stable {
			write(w, r, err)
			return
		}
		out := Of(w, f.Plan, v)
		write(out, r, err)
		out.Close()
	}
}

// Of returns a writer for an answer in a version that is deprecated or retired.
func Of(w http.ResponseWriter, plan *lifecycle.Plan, v Version) *Writer {
	notice := &Notice{Dated: plan.IsDated()}
	notice.Version(v, plan.At())
	return NewWriter(w, notice)
}
