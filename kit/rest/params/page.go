package params

import (
	"errors"
	"strconv"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
)

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
		return p.entity.IDs().Parse(text)
	}
	return p.entity.IDs().Form.Plain(text)
}
