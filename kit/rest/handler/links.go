package handler

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"net/url"
	"strconv"
	"time"

	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/params"
)

// appendPagination appends the pagination object of the mode (doc/api/pagination.md).
func appendPagination(dst []byte, v *apiversion.Served, p *params.Params, info read.Info) []byte {
	limit := int64(p.Query.Page.Limit)
	switch p.Mode {
	case params.ByCursor:
		dst = strconv.AppendInt(append(dst, `{"limit":`...), limit, 10)
		dst = strconv.AppendBool(appendKey(dst, v.Pages.HasMore), info.HasNext)
		dst = appendKey(dst, v.Pages.NextCursor)
		if !info.HasNext {
			return append(dst, `null}`...)
		}
		return append(strconv.AppendQuote(dst, info.End), '}') // a cursor is base64url
	case params.ByKeyset:
		dst = strconv.AppendInt(append(dst, `{"limit":`...), limit, 10)
		dst = strconv.AppendBool(appendKey(dst, v.Pages.HasNextPage), info.HasNext)
		dst = append(dst, `,"next":`...)
		if !info.HasNext {
			return append(dst, `null}`...)
		}
		after, _ := json.Marshal(keysetText(info.Last)) // a string can be marshalled
		dst = append(append(dst, `{"after":`...), after...)
		id, _ := json.Marshal(v.IDs.Show(p.Selection.Entity.Name, info.Last.ID)) // an id can be marshalled
		return append(append(appendKey(dst, v.Pages.AfterID), id...), `}}`...)
	}
	dst = strconv.AppendInt(append(dst, `{"page":`...), int64(p.Page), 10)
	dst = strconv.AppendInt(append(dst, `,"limit":`...), limit, 10)
	dst = strconv.AppendInt(append(dst, `,"total":`...), info.Total, 10)
	dst = strconv.AppendInt(appendKey(dst, v.Pages.TotalPages), pages(info.Total, limit), 10)
	dst = strconv.AppendBool(appendKey(dst, v.Pages.HasNext), info.HasNext)
	dst = strconv.AppendBool(appendKey(dst, v.Pages.HasPrev), p.Page > 1)
	if info.AtLeast {
		dst = append(appendKey(dst, v.Pages.TotalExact), "false"...)
	}
	return append(dst, '}')
}

// appendKey appends the key of one more member of an object.
func appendKey(dst []byte, key string) []byte {
	return append(append(append(dst, ',', '"'), key...), '"', ':')
}

func pages(total, limit int64) int64 { return (total + limit - 1) / limit }

// keysetText is the value of a keyset as a parameter takes it.
func keysetText(k *read.Keyset) string {
	if t, ok := k.Value.(time.Time); ok {
		return t.UTC().Format(time.RFC3339Nano)
	}
	return ""
}

// link is the relation of a page to this one, and where it is.
type link struct{ rel, target string }

// links are the pages around this one, by path alone: a proxy in front of the
// service may have another host.
type links []link

func newLinks(x *Exchange, values url.Values, p *params.Params, info read.Info) links {
	path := x.linked()
	at := func(rel string, changes ...string) link {
		return link{rel, pageAt(path, values, changes...)}
	}
	l := links{at("self")}
	switch p.Mode {
	case params.ByCursor:
		l = append(l, at("first", "cursor", ""))
		if info.Before != "" {
			l = append(l, at("prev", "cursor", info.Before))
		}
		if info.HasNext {
			l = append(l, at("next", "cursor", info.End))
		}
	case params.ByKeyset:
		id := x.Version.Word("after_id")
		if values.Has("after_id") {
			id = "after_id"
		}
		l = append(l, at("first", "after", "", id, ""))
		if info.HasNext {
			l = append(l, at("next", "after", keysetText(info.Last), id, fmt.Sprint(x.Version.IDs.Show(p.Selection.Entity.Name, info.Last.ID))))
		}
	default:
		last := max(1, pages(info.Total, int64(p.Query.Page.Limit)))
		l = append(l, at("first", "page", "1"))
		if info.AtLeast { // which page is the last is not known
			last = math.MaxInt64
		} else {
			l = append(l, at("last", "page", strconv.FormatInt(last, 10)))
		}
		if p.Page > 1 {
			l = append(l, at("prev", "page", strconv.FormatInt(min(int64(p.Page-1), last), 10)))
		}
		if info.HasNext {
			l = append(l, at("next", "page", strconv.Itoa(p.Page+1)))
		}
	}
	return l
}

// pageAt is the path with the request's parameters but for the changes, encoded anew: a
// client's own text may not belong in a header.
func pageAt(path string, values url.Values, changes ...string) string {
	if len(values)+len(changes) == 0 {
		return path
	}
	changed := make(url.Values, len(values)+1)
	maps.Copy(changed, values)
	for i := 0; i < len(changes); i += 2 {
		changed[changes[i]] = []string{changes[i+1]}
	}
	return path + "?" + changed.Encode()
}

func (l links) appendJSON(dst []byte) []byte {
	dst = append(dst, '{')
	for i, one := range l {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(dst, '"'), one.rel...)
		dst = append(dst, `":`...)
		dst = append(append(append(dst, '"'), one.target...), '"')
	}
	return append(dst, '}')
}

// longestHeader is how long the Link header gets: proxies such as nginx refuse answers
// whose headers do not fit into a page of memory, 4 KiB.
const longestHeader = 2 << 10

// header is the Link header (RFC 8288). Targets are encoded: they hold neither
// ">" nor anything that JSON escapes. Where the query makes them long the last of them
// are kept, which lead to the pages beside this one: the body has them all.
func (l links) header() string {
	first := len(l)
	for size := 0; first > 0; first-- {
		if size += len(l[first-1].target); size > longestHeader {
			break
		}
	}
	var b []byte
	for i, one := range l[first:] {
		if i > 0 {
			b = append(b, ", "...)
		}
		b = append(append(append(b, '<'), one.target...), `>; rel="`...)
		b = append(append(b, one.rel...), '"')
	}
	return string(b)
}
