package read

import (
	"strconv"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
)

// CutsName is the member that names the lists of an item which were cut: how
// many rows there are, and where the rest is (doc/api/rest.md).
const CutsName = "more"

// TotalExact is the member that is false where there may be more than the total
// (doc/api/pagination.md).
const TotalExact = "total_exact"

// Expand writes the rows at the other end of a to-many edge as a list, of
// [MaxLimit] rows at most. Of a list that is longer its length is read too.
func (s *Selection) Expand(key string, e *entity.Edge, sub *Selection) {
	l := s.load(e, sub, Query{Page: Page{Limit: MaxLimit}}, false)
	l.told = true
	s.items = append(s.items, item{kind: itemMany, key: quoteKey(key), load: l})
}

// TellCuts adds the member that names the expanded lists which were cut,
// where there are any.
func (s *Selection) TellCuts() {
	for i := range s.items {
		if l := s.items[i].load; l != nil && l.told {
			s.items = append(s.items, item{kind: itemCuts, key: quoteKey(CutsName)})
			return
		}
	}
}

// appendCuts appends the member, nothing where no list of the row was cut:
//
//	"more":{"comments":{"total":250,"href":"/api/v1/posts/1/comments"}}
func appendCuts(dst []byte, s *set, row int, sel *Selection) []byte {
	none := true
	for i := range sel.items {
		it := &sel.items[i]
		if it.kind != itemMany || !it.load.told {
			continue
		}
		g := &s.groups[it.load.position]
		if g.total == nil || int(g.spans[row].n) <= g.limit {
			continue
		}
		if none {
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(append(dst, quoteKey(CutsName)...), '{')
		} else {
			dst = append(dst, ',')
		}
		none = false
		dst = strconv.AppendInt(append(append(dst, it.key...), `{"total":`...), g.total[row], 10)
		if g.atLeast[row] {
			dst = append(append(append(dst, ','), quoteKey(sel.names.NameOfWord(TotalExact))...), "false"...)
		}
		if it.load.edge.List != "" {
			dst = append(dst, `,"href":`...)
			dst = appendText(dst, sel.Base+sel.names.list(it.load.edge, sel.Entity, s.id(row)))
		}
		dst = append(dst, '}')
	}
	if none {
		return dst
	}
	return append(dst, '}')
}

// cut returns the ids of the parents whose rows are more than the page has.
func (g *group) cut(parents *set) []gid.ID {
	var keys []gid.ID
	for row := range parents.count {
		if int(g.spans[row].n) > g.limit {
			keys = append(keys, parents.id(row))
		}
	}
	return keys
}
