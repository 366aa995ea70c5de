// Package announce writes the header fields of deprecated versions and operations
// of a resource API, and refuses requests for retired ones (doc/api/lifecycle.md).
//
// It owns the headers (RFC 9745 Deprecation, RFC 8594 Sunset, RFC 8288 Link,
// Warning 299), the member _meta of bodies, and the messages of 410. Package
// lifecycle has the dates.
package announce

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/problem"
)

// Brownout is the header with the time at which what an answer is about will be
// gone for a while, as ISO 8601 writes intervals.
const Brownout = "X-Api-Brownout"

// Notice has the header fields of one answer. Each of its methods adds to it.
type Notice struct {
	// Dated has Deprecation say since when.
	Dated bool

	said          bool // that something ends
	since, sunset time.Time
	next          lifecycle.Window
	links         []string
	warnings      []string
	meta          []byte
}

// Version is a version that an answer is made in.
type Version struct {
	*lifecycle.Version
	// Prefix is where the paths of all versions begin, and Path the request's
	// below its version, escaped: /posts/1.
	Prefix, Path string
	// Names gives members of bodies the version's names. Nil: they stay unchanged.
	Names func(string) string
}

// Version says that the version is deprecated, or retired.
func (n *Notice) Version(v Version, at time.Time) {
	n.ends(v.Deprecated, v.Sunset)
	if next, ok := v.Next(at); ok {
		n.upcoming(next)
	}
	if v.Successor != "" {
		n.links = append(n.links, "<"+v.Prefix+"/v"+v.Successor+v.Path+`>; rel="successor-version"`)
	}
	if v.Guide != "" {
		n.links = append(n.links, "<"+v.Guide+`>; rel="deprecation"; type="text/html"`)
	}
	n.warn(v.Stands(at))
	n.meta = v.meta()
}

// Ending says that the operation or the field of the name ends.
func (n *Notice) Ending(name string, e *lifecycle.Ending, at time.Time, next lifecycle.Window) {
	n.ends(e.Since, e.Sunset)
	if next != (lifecycle.Window{}) && (e.Sunset.IsZero() || next.From.Before(e.Sunset)) {
		n.upcoming(next)
	}
	n.warn(name + stands(e.Sunset, "removed", at) + ": " + e.Instead)
}

// ends keeps the earliest dates: an answer has one of each.
func (n *Notice) ends(since, sunset time.Time) {
	n.said = true
	n.since, n.sunset = earlier(n.since, since), earlier(n.sunset, sunset)
}

func (n *Notice) upcoming(w lifecycle.Window) {
	if n.next.From.IsZero() || w.From.Before(n.next.From) {
		n.next = w
	}
}

// warn adds a warning (RFC 7234 section 5.5): a quoted string of ASCII.
func (n *Notice) warn(text string) {
	text = strings.Map(func(c rune) rune {
		if c < ' ' || c > '~' {
			return '?'
		}
		return c
	}, text)
	text = `299 - "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
	if !slices.Contains(n.warnings, text) {
		n.warnings = append(n.warnings, text)
	}
}

// write sets the headers, where there is something to say. Links are added to
// those that there are.
func (n *Notice) write(h http.Header) {
	if !n.said {
		return
	}
	h["Deprecation"] = []string{"true"}
	if n.Dated && !n.since.IsZero() {
		h["Deprecation"] = []string{"@" + strconv.FormatInt(n.since.Unix(), 10)}
	}
	if !n.sunset.IsZero() {
		h["Sunset"] = []string{n.sunset.UTC().Format(http.TimeFormat)}
	}
	if len(n.links) > 0 {
		h["Link"] = append(slices.Clip(h["Link"]), n.links...)
	}
	if !n.next.From.IsZero() {
		h[Brownout] = []string{n.next.String()}
	}
	h["Warning"] = append(slices.Clip(h["Warning"]), n.warnings...)
}

// meta is the member that bodies have in a deprecated version.
func (v Version) meta() []byte {
	name := v.Names
	if name == nil {
		name = func(s string) string { return s }
	}
	b := append([]byte(nil), `"_meta":{`...)
	for _, m := range []struct {
		name  string
		value any
	}{
		{"api_version", "v" + v.Major}, {"deprecated", true}, {"sunset_date", day(v.Sunset)}, {"migration_guide", v.Guide},
	} {
		if m.value == "" {
			continue
		}
		text, _ := json.Marshal(m.value) //nolint:errchkjson // texts and a boolean
		b = append(append(b, strconv.Quote(name(m.name))+":"...), text...)
		b = append(b, ',')
	}
	b[len(b)-1] = '}'
	return b
}

// Retired refuses a request in a version that is retired.
func (v Version) Retired() *problem.Error {
	return problem.New(problem.Gone, "version %s was retired on %s%s", v.Major, day(v.Sunset), v.instead())
}

// Out refuses a request in a version that has a brown-out.
func (v Version) Out(w lifecycle.Window, at time.Time) *problem.Error {
	p := problem.New(problem.Gone, "version %s is switched off until %s%s%s", v.Major, w.Until.UTC().Format(time.RFC3339), before(v.Sunset, "retired"), v.instead())
	p.RetryAfter = w.Until.Sub(at)
	return p
}

// Stands says where the version stands, and what to use in its place.
func (v Version) Stands(at time.Time) string {
	return "version " + v.Major + stands(v.Sunset, "retired", at) + v.instead()
}

// instead says where to go.
func (v Version) instead() string {
	text := ""
	if v.Successor != "" {
		text = ": use version " + v.Successor + " at " + v.Prefix + "/v" + v.Successor
	}
	switch {
	case v.Guide == "":
		return text
	case text == "":
		return ": see " + v.Guide
	}
	return text + ", and see " + v.Guide
}

// Gone refuses the operation or the field of the name after its sunset, or in
// a brown-out.
func Gone(name string, e *lifecycle.Ending, out lifecycle.Window, at time.Time) *problem.Error {
	if e.State(at) == lifecycle.Retired {
		return problem.New(problem.Gone, "%s was removed on %s: %s", name, day(e.Sunset), e.Instead)
	}
	p := problem.New(problem.Gone, "%s is switched off until %s%s: %s", name, out.Until.UTC().Format(time.RFC3339), before(e.Sunset, "removed"), e.Instead)
	p.RetryAfter = out.Until.Sub(at)
	return p
}

// stands says where something stands that is deprecated.
func stands(sunset time.Time, done string, at time.Time) string {
	switch {
	case sunset.IsZero():
		return " is deprecated"
	case at.Before(sunset):
		return " is deprecated and will be " + done + " on " + day(sunset)
	}
	return " was " + done + " on " + day(sunset)
}

// before says what a brown-out is for.
func before(sunset time.Time, done string) string {
	if sunset.IsZero() {
		return " (a brown-out: it is deprecated)"
	}
	return " (a brown-out before it is " + done + " on " + day(sunset) + ")"
}

func day(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.UTC().Format(time.DateOnly)
}

func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}
