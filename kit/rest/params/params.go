// Package params reads the query parameters of a REST request on the rows of an
// entity: fields and expand, filters, search, sort and paging, arguments of computed
// values.
//
// It makes a [read.Selection] and a [read.Query] of them, as the viewer may ask and as
// a version of the API names things, and reports whatever is wrong with any of them at
// once. Reading is left to package read, headers and paths to package handler.
package params

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Mode is how a REST listing is paged.
type Mode uint8

// The modes (doc/api/pagination.md).
const (
	ByOffset Mode = iota
	ByCursor
	ByKeyset
)

// Params is what the query parameters of a REST read ask for.
type Params struct {
	Selection *read.Selection
	Query     read.Query
	Mode      Mode
	// Page counts from 1, in ByOffset.
	Page int
	// All is set where all rows are asked for, limit=all: the query is for the first
	// batch of them, and each next one begins behind the cursor of the one before.
	All bool

	asked int // what the filters cost that are the client's: see [Params.Scans]
}

// Options say what a path adds to its entity's parameters.
type Options struct {
	// Base is where the paths of this version begin, for links: "/api/v1".
	Base string
	// Names are those of the version, in parameters and in what is shown: nil
	// for the first.
	Names *read.Names
	// Scope restricts the rows to those below the path's parent.
	Scope read.Filter
	// Single reads one row: only fields, expand and include_deleted are allowed.
	Single bool
	// Plain allows only fields, expand and paging by page or cursor.
	Plain bool
	// Filters are parameters of this path alone, by name.
	Filters map[string]func(value string) (read.Filter, error)
	// Sort is the order of a request that does not choose one, the entity's
	// own if empty.
	Sort []entity.Term
	// Mode is the paging of a request that does not choose one.
	Mode Mode
	// All says that the list can be asked for as a whole.
	All bool
	// Elsewhere names parameters that others read.
	Elsewhere []string
}

// Parse reads the query parameters of a REST request for the viewer
// of the context. Whatever is wrong with any of them is reported at once, as 400.
func Parse(ctx context.Context, e *entity.Entity, values url.Values, opt Options) (*Params, error) {
	v := viewer.From(ctx)
	if len(values) == 0 {
		return plainParams(e, v, opt), nil
	}
	p := &parser{
		entity: e, viewer: v, opt: opt, values: values,
		params: &Params{Mode: opt.Mode, Page: 1, Query: read.Query{Sort: opt.Sort, Page: read.Page{Limit: e.Limit, Cursors: opt.Mode != ByOffset}}},
	}
	p.translate()
	p.read()
	if p.forbidden != nil && len(p.details) == 0 {
		return nil, p.forbidden
	}
	if err := problem.Inputs(p.details...); err != nil {
		return nil, err
	}
	return p.params, nil
}

// plainParams is the answer to a request without parameters.
func plainParams(e *entity.Entity, v *viewer.Viewer, opt Options) *Params {
	p := &Params{
		Selection: whole(e, v, opt), Mode: opt.Mode, Page: 1,
		Query: read.Query{Where: opt.Scope, Sort: opt.Sort, Page: read.Page{Limit: e.Limit, Cursors: opt.Mode != ByOffset, Total: opt.Mode == ByOffset}},
	}
	if opt.Single {
		p.Query.Page = read.Page{Limit: 1}
	}
	return p
}

type parser struct {
	entity    *entity.Entity
	viewer    *viewer.Viewer
	opt       Options
	values    url.Values
	params    *Params
	where     read.And
	details   []problem.Detail
	forbidden error
	// taken are the parameters that were looked for. Here and in values all have
	// the names of the first version; sent are those that the request has for them.
	taken []string
	sent  map[string]string
	// calcs are the computed values with their arguments, nil for those that are wrong.
	calcs map[*entity.Calc]*entity.Field
}

// bad notes what is wrong with a parameter, given by its name in the first version:
// the finding has the name that the request used.
func (p *parser) bad(name, format string, args ...any) {
	var value any
	if given := p.values[name]; len(given) > 0 {
		value = given[0]
	}
	p.details = append(p.details, problem.Invalidf(p.called(name), value, format, args...))
}

// get returns the parameter's only value and whether it was given.
func (p *parser) get(name string) (string, bool) {
	p.taken = append(p.taken, name)
	given, ok := p.values[name]
	if !ok {
		return "", false
	}
	if len(given) > 1 {
		p.details = append(p.details, problem.Invalidf(p.called(name), Shown(given), "is given %d times; once is allowed", len(given)))
	}
	if !entity.ValidText(given[0]) {
		p.bad(name, "is not valid UTF-8 without NUL")
		return "", false
	}
	return given[0], true
}

// Shown is what a parameter was given as, for an error.
func Shown(given []string) any {
	if len(given) == 1 {
		return given[0]
	}
	values := make([]any, len(given))
	for i, one := range given {
		values[i] = one
	}
	return values
}

func (p *parser) read() {
	if p.opt.Scope != nil {
		p.where = append(p.where, p.opt.Scope)
	}
	p.params.All = len(p.values["limit"]) == 1 && p.values["limit"][0] == all && !p.opt.Single
	p.calculate()
	p.selection()
	if !p.opt.Plain {
		p.includeDeleted()
	}
	switch {
	case p.opt.Single:
		p.params.Query.Page = read.Page{Limit: 1}
	case p.opt.Plain:
		p.paging()
	default:
		p.paging()
		p.sorting()
		p.searching()
		p.period()
		p.filters()
		p.bounds()
	}
	p.unknown()
	p.params.asked = read.Scans(p.where)
	if p.opt.Scope != nil {
		p.params.asked -= read.Scans(p.opt.Scope)
	}
	if len(p.where) > 0 {
		p.params.Query.Where = p.where
	}
}

// unknown refuses the parameters that the listing does not have, and lists those there are.
func (p *parser) unknown() {
	var names []string
	for name := range p.values {
		if !slices.Contains(p.taken, name) && !slices.Contains(p.opt.Elsewhere, name) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	for i, name := range names {
		// An unknown parameter may be a secret: it is not repeated.
		said := "is not a parameter of this request"
		if i == 0 {
			said += "; allowed: " + p.allowed()
		}
		p.details = append(p.details, problem.Invalidf(p.called(name), nil, "%s", said))
	}
}

// allowed lists the parameters, as the version names them: each once, with what may
// stand behind the names at the end.
func (p *parser) allowed() string {
	var names, compares []string
	example := ""
	for _, name := range p.parameters() {
		if bare, suffix, ok := strings.Cut(name, "["); ok && slices.Contains(names, p.called(bare)) {
			if suffix = "[" + suffix; !slices.Contains(compares, suffix) {
				compares = append(compares, suffix)
				example = p.called(name)
			}
			continue
		}
		names = append(names, p.called(name))
	}
	text := strings.Join(names, ", ")
	if len(compares) > 0 {
		text += "; fields take " + strings.Join(compares, ", ") + " as well where they have an order, as in " + example
	}
	return text
}

func (p *parser) parameters() []string {
	names := []string{"fields"}
	if len(p.entity.Edges) > 0 {
		names = append(names, "expand")
	}
	names = append(names, p.calcParameters(!p.opt.Plain && !p.opt.Single)...)
	if p.opt.Plain {
		return append(names, "page", "limit", "cursor")
	}
	if p.entity.Rules.SoftDelete {
		names = append(names, "include_deleted")
	}
	if p.opt.Single {
		return names
	}
	names = append(names, "page", "limit", "cursor", "after", "after_id", "sort", "order")
	if len(p.searchable()) > 0 {
		names = append(names, "search")
	}
	if p.created() != nil {
		names = append(names, "from", "to")
	}
	for _, f := range p.entity.Fields {
		if !f.Filter || !f.Visible(p.viewer) {
			continue
		}
		names = append(names, f.REST, f.REST+"[in]")
		if f.Kind == entity.Ref {
			if short := strings.TrimSuffix(f.REST, "_id"); !slices.Contains(names, short) {
				names = append(names, short)
			}
		}
		if f.Kind.Ordered() {
			names = append(names, f.REST+"[gte]", f.REST+"[gt]", f.REST+"[lte]", f.REST+"[lt]")
		}
		if f.Lowest != "" {
			names = append(names, f.Lowest, f.Highest)
		}
	}
	for _, g := range p.entity.Edges {
		if filters(g) {
			names = append(names, g.Name)
		}
	}
	for name := range p.opt.Filters {
		names = append(names, name)
	}
	return names
}

func (p *parser) includeDeleted() {
	if !p.entity.Rules.SoftDelete {
		return
	}
	text, ok := p.get("include_deleted")
	if !ok {
		return
	}
	deleted, err := entity.ParseBool(text)
	if err != nil {
		p.bad("include_deleted", "%v", err)
		return
	}
	if deleted {
		p.forbidden = p.entity.Rules.Check(p.viewer, policy.ReadDeleted)
	}
	p.params.Query.Deleted = deleted
}

// all is the limit of a list as a whole.
const all = "all"

// batch and batchExpanded are how many rows of a list as a whole are read at once:
// fewer where rows that belong to them are read, too.
const batch, batchExpanded = 500, read.MaxLimit

// wholeList asks for the first batch of all rows.
func (p *parser) wholeList() {
	p.taken = append(p.taken, "limit")
	if !p.opt.All {
		p.bad("limit", "all is for answers in text/csv or application/x-ndjson alone")
	}
	for _, name := range []string{"page", "cursor", "after", "after_id"} {
		if p.values.Has(name) {
			p.taken = append(p.taken, name)
			p.bad(name, "cannot be combined with limit=all")
		}
	}
	limit := batch
	if p.values.Has("expand") {
		limit = batchExpanded
	}
	p.params.Mode = ByCursor
	p.params.Query.Page = read.Page{Limit: limit, Cursors: true, Endless: true}
}

func (p *parser) paging() {
	if p.params.All {
		p.wholeList()
		return
	}
	p.params.Query.Page.Limit = p.entity.Limit
	if text, ok := p.get("limit"); ok {
		if n, ok := p.atLeast1("limit", text); ok {
			p.params.Query.Page.Limit = min(n, read.MaxLimit)
		}
	}
	page, paged := p.get("page")
	cursor, cursored := p.get("cursor")
	after, afterID := p.values.Has("after"), p.values.Has("after_id")
	switch {
	case paged && (cursored || after || afterID):
		p.bad("page", "cannot be combined with cursor, after or %s", p.opt.Names.NameOfWord("after_id"))
	case cursored && (after || afterID):
		p.bad("cursor", "cannot be combined with after or %s", p.opt.Names.NameOfWord("after_id"))
	case cursored:
		p.params.Mode = ByCursor
		if read.AsksBackward(cursor) {
			p.params.Query.Page.Before, p.params.Query.Page.Backward = cursor, true
		} else {
			p.params.Query.Page.After = cursor
		}
	case after || afterID:
		p.params.Mode = ByKeyset
	case paged:
		p.params.Mode = ByOffset
		p.offset(page)
	}
	p.params.Query.Page.Cursors = p.params.Mode != ByOffset
	p.params.Query.Page.Endless = p.params.Mode != ByOffset
	p.params.Query.Page.Total, p.params.Query.Page.Most = p.params.Mode == ByOffset, read.MostCounted
}

func (p *parser) offset(text string) {
	n, ok := p.atLeast1("page", text)
	if !ok {
		return
	}
	p.params.Page = n
	if limit := p.params.Query.Page.Limit; n-1 > read.MaxOffset/limit {
		p.bad("page", "reaches beyond row %d: use cursor= instead", read.MaxOffset)
		return
	}
	p.params.Query.Page.Offset = (n - 1) * p.params.Query.Page.Limit
}

func (p *parser) atLeast1(name, text string) (int, bool) {
	n, err := strconv.Atoi(text) // what is out of range is the nearest integer
	if err != nil && !errors.Is(err, strconv.ErrRange) || n < 1 {
		p.bad(name, "must be a whole number of at least 1")
		return 0, false
	}
	return n, true
}

func (p *parser) sorting() {
	direction, directed := p.get("order")
	if directed && direction != "asc" && direction != "desc" {
		p.bad("order", "must be asc or desc")
	}
	text, ok := p.get("sort")
	if !ok {
		if directed {
			p.params.Query.Sort = slices.Clone(p.entity.Sort)
			for i := range p.params.Query.Sort {
				p.params.Query.Sort[i].Desc = direction == "desc"
			}
		}
		return
	}
	var terms []entity.Term
	for name := range strings.SplitSeq(text, ",") {
		bare, desc := strings.CutPrefix(name, "-")
		if !desc {
			bare = strings.TrimPrefix(bare, "+")
			desc = bare == name && direction == "desc"
		}
		f := find(p.opt.Names, p.entity, bare)
		if f == nil {
			var found bool
			if f, found = p.calcOf(p.entity, bare, ""); found && f == nil {
				return
			}
		}
		if f == nil || !f.Sort || !f.Visible(p.viewer) {
			p.bad("sort", "cannot be by %q; allowed: %s", bare, strings.Join(append(p.names(func(f *entity.Field) bool { return f.Sort }), p.calcNames(p.entity)...), ", "))
			return
		}
		if slices.ContainsFunc(terms, func(t entity.Term) bool { return t.Field.Same(f) }) {
			p.bad("sort", "names %q twice", bare)
			return
		}
		terms = append(terms, entity.Term{Field: f, Desc: desc})
	}
	p.params.Query.Sort = terms
}

// names lists the visible fields with a property.
func (p *parser) names(has func(*entity.Field) bool) []string { return p.namesOf(p.entity, has) }

func (p *parser) namesOf(e *entity.Entity, has func(*entity.Field) bool) []string {
	var names []string
	for _, f := range e.Fields {
		if has(f) && f.Visible(p.viewer) {
			names = append(names, p.opt.Names.NameOf(f))
		}
	}
	return names
}

// seenOf lists the fields that the viewer sees in some row.
func (p *parser) seenOf(e *entity.Entity) []string {
	var names []string
	for _, f := range e.Fields {
		if seen(f, p.viewer) {
			names = append(names, p.opt.Names.NameOf(f))
		}
	}
	return names
}

func (p *parser) searchable() []*entity.Field {
	var fields []*entity.Field
	for _, f := range p.entity.Fields {
		if f.Fold != "" && f.Visible(p.viewer) {
			fields = append(fields, f)
		}
	}
	return fields
}

// bounds reads the keyset, once the order is known.
func (p *parser) bounds() {
	after, bounded := p.get("after")
	afterID, tied := p.get("after_id")
	if p.params.Mode != ByKeyset {
		return
	}
	terms := p.params.Query.Order(p.entity)
	if len(terms) != 2 || terms[0].Field.Kind != entity.Time || terms[0].Field.Nullable {
		p.bad("after", "needs a sort by one time, such as -%s", p.opt.Names.NameOfWord("created_at"))
		return
	}
	if !bounded || after == "" {
		if tied && afterID != "" {
			p.bad("after_id", "needs after")
		}
		return // the first page
	}
	t, err := entity.ParseMoment(after)
	if err != nil {
		p.bad("after", "%v", err)
	}
	var id gid.ID
	var badID error
	switch {
	case tied:
		if id, badID = p.id(afterID); badID != nil {
			p.bad("after_id", "%v", badID)
		}
	case err == nil:
		p.bad("after", "needs %s, the id of the last item", p.opt.Names.NameOfWord("after_id"))
	}
	if err != nil || badID != nil || !tied {
		return
	}
	p.params.Query.Page.Keyset = &read.Keyset{Value: t, ID: id}
}

// id reads the id of one of the entity's rows.
func (p *parser) id(text string) (gid.ID, error) {
	if p.opt.Names != nil && p.opt.Names.Global {
		return gid.Parse(p.entity.Name, text)
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return gid.ID{}, errors.New("must be a whole number")
	}
	return gid.Int(id), nil
}

// whole selects what a request shows that does not choose.
func whole(e *entity.Entity, v *viewer.Viewer, opt Options) *read.Selection {
	if opt.Single {
		return read.WholeAs(e, v, opt.Names)
	}
	return read.WholeOfMany(e, v, opt.Names)
}

// Scans is what a listing makes the database read beside what it answers with:
// for its total, and for the filters that its client has asked for.
func (p *Params) Scans() int {
	sum := p.asked
	if p.Query.Page.Total {
		sum += read.TotalCost
	}
	for _, t := range p.Query.Sort {
		if t.Field.Computed != nil {
			sum += read.CalcCost
		}
	}
	return sum
}
