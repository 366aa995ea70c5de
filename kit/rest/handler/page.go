package handler

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"

	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
	"github.com/entwine-go/entwine/kit/rest/params"
)

// Page is a part of a list that is no entity's listing, by offset.
type Page struct {
	// Items is a slice of values with the shown members, in the names of the first
	// version, and Noun their name in the plural.
	Items any
	Noun  string
	// Number counts pages from 1, Size is how many items one has.
	Number, Size int
	Count        int // of the items
	Total        int64
	// Columns are those of the items as CSV.
	Columns []string
	// Members stand beside the items, in this order.
	Members []Member
}

// Member is a member of an answer's body.
type Member struct {
	Name  string
	Value any
}

// Items is a list that is no entity's listing and has no pages.
type Items struct {
	// Items, Noun and the next fields are as in [Page].
	Items   any
	Noun    string
	Count   int
	Columns []string
	Members []Member
	// Next are the parameters of the request that goes on from here, a name before each
	// value: for the header Link, which CSV and NDJSON have, too. Empty: there is none.
	Next []string
}

// AnswerItems answers with the list.
func (x *Exchange) AnswerItems(w http.ResponseWriter, i Items) error {
	body, err := x.items(i)
	if err != nil {
		return err
	}
	if body, err = x.members(body, i.Members); err != nil {
		return err
	}
	if negotiate.IsCSV(x.Media) {
		x.Columns = i.Columns
	}
	answer := Answer{Body: append(body, '}')}
	if len(i.Next) > 0 {
		answer.Link = "<" + pageAt(x.linked(), x.Request.URL.Query(), i.Next...) + `>; rel="next"`
	}
	return x.Answer(w, answer)
}

// items begins an answer with the items.
func (x *Exchange) items(i Items) ([]byte, error) {
	items, err := encoded(i.Items)
	if err != nil {
		return nil, fmt.Errorf("encode items: %w", err)
	}
	x.Translated = true // here, also for a writer that makes XML or CSV of it
	body, list := x.Version.BeginHits(nil, i.Noun)
	return list.End(append(body, items...), i.Count), nil
}

// members adds members beside the items.
func (x *Exchange) members(body []byte, all []Member) ([]byte, error) {
	for _, m := range all {
		value, err := encoded(m.Value)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", m.Name, err)
		}
		body = append(appendKey(body, x.Version.Word(m.Name)), value...)
	}
	return body, nil
}

// AnswerPage answers with the page, in the shape that listings have.
func (x *Exchange) AnswerPage(w http.ResponseWriter, page Page) error {
	body, err := x.items(Items{Items: page.Items, Noun: page.Noun, Count: page.Count})
	if err != nil {
		return err
	}
	p := &params.Params{Mode: params.ByOffset, Page: page.Number}
	p.Query.Page.Limit = page.Size
	info := read.Info{Total: page.Total, HasNext: int64(page.Number)*int64(page.Size) < page.Total}
	l := newLinks(x, x.Request.URL.Query(), p, info)
	body = appendPagination(append(body, `,"pagination":`...), x.Version, p, info)
	body = l.appendJSON(append(body, `,"links":`...))
	if body, err = x.members(body, page.Members); err != nil {
		return err
	}
	if negotiate.IsCSV(x.Media) {
		x.Columns = page.Columns
	}
	return x.Answer(w, Answer{Body: append(body, '}'), Link: l.header()})
}

// encoded is the value as JSON, without escapes for HTML.
func encoded(value any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// Beside is a success with the members of the object, a struct with tags for
// JSON, beside its status: in the names of the first version.
func Beside(object any) ([]byte, error) {
	text, err := encoded(object)
	if err != nil {
		return nil, err
	}
	const begin = `{"status":"success"`
	if string(text) == "{}" {
		return []byte(begin + "}"), nil
	}
	return append([]byte(begin+","), text[1:]...), nil
}

// Plain answers with JSON that is no resource: without validators. It was made
// in the names of the first version.
func (x *Exchange) Plain(w http.ResponseWriter, status int, body []byte) error {
	body = x.translated(status, body)
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=utf-8")
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // the client may be gone
	return nil
}
