package handler

import (
	"net/url"
	"slices"
	"sort"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/params"
)

// OnlyQuery refuses query parameters other than the named ones, which the
// request may have by the names of its version: it has those of the first then.
func (x *Exchange) OnlyQuery(names ...string) error {
	if x.Request.URL.RawQuery == "" {
		return nil
	}
	x.renameQuery(names)
	allowed := "none"
	if len(names) > 0 {
		words := make([]string, len(names))
		for i, name := range names {
			words[i] = x.Version.Word(name)
		}
		allowed = strings.Join(words, ", ")
	}
	var details []problem.Detail
	for name, given := range x.Request.URL.Query() {
		switch {
		case !slices.Contains(names, name):
			// An unknown parameter may hold a secret: its value is not repeated.
			details = append(details, problem.Invalidf(name, nil, "is not a parameter of this request; allowed: %s", allowed))
		case len(given) > 1:
			details = append(details, problem.Invalidf(x.Version.Word(name), params.Shown(given), "is given %d times; once is allowed", len(given)))
		}
	}
	sort.Slice(details, func(i, j int) bool { return details[i].Field < details[j].Field })
	return problem.Inputs(details...)
}

// renameQuery gives parameters the names of the first version.
func (x *Exchange) renameQuery(names []string) {
	if !slices.ContainsFunc(names, func(name string) bool { return x.Version.Word(name) != name }) {
		return
	}
	values := x.Request.URL.Query()
	for _, name := range names {
		if word := x.Version.Word(name); word != name && values.Has(word) {
			values[name] = append(values[name], values[word]...)
			values.Del(word)
		}
	}
	x.SetQuery(values)
}

// SetQuery gives the request another query.
func (x *Exchange) SetQuery(values url.Values) {
	asked := *x.Request
	u := *asked.URL
	u.RawQuery = values.Encode()
	asked.URL = &u
	x.Request = &asked
}
