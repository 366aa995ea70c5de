package apiversion

import (
	"bytes"
	"net/url"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/lifecycle"
)

// Linked is the version whose paths are shown where no request names one: in GraphQL, on
// pages and in messages. That is the first version where it is offered, else the default,
// and neither of them once it has ended, as long as there is another.
func (vs *Versions) Linked(plan *lifecycle.Plan) *Served {
	order := append([]*Served{vs.first}, vs.all...)
	if i := slices.IndexFunc(vs.all, func(s *Served) bool { return s.Base == expose.LinkBase }); i >= 0 {
		order = append([]*Served{vs.all[i]}, order...)
	}
	at := plan.At()
	for _, s := range order {
		if plan.Of(s.Major()).State(at) != lifecycle.Retired {
			return s
		}
	}
	return order[0]
}

// link shows a link that is kept as one of this version.
func (s *Served) link(dst, value []byte) []byte {
	if path, ok := bytes.CutPrefix(value, []byte(`"`+expose.LinkBase)); ok {
		dst = append(append(dst, '"'), s.Base...)
		value = path
		if s.IDs == Global {
			return s.identified(dst, value)
		}
	}
	return append(dst, value...)
}

// identified shows a path below the base, in which integers that stand behind the
// path of an entity are ids.
func (s *Served) identified(dst, path []byte) []byte {
	at := ""
	for i := 0; i < len(path); {
		end := i + 1
		for end < len(path) && path[end] != '/' && path[end] != '"' {
			end++
		}
		segment := path[i+1 : end]
		if global := s.segment(s.paths[at], string(segment)); global != "" {
			dst, at = append(append(dst, '/'), global...), ""
		} else {
			dst, at = append(dst, path[i:end]...), strings.TrimPrefix(at+"/"+string(segment), "/")
		}
		if i = end; i < len(path) && path[i] == '"' {
			return append(dst, path[i:]...)
		}
	}
	return dst
}

// segment is the segment of a path that is an id of a row of the entity, as this version
// has it: empty where it is no id.
func (s *Served) segment(entity, segment string) string {
	if entity == "" {
		return ""
	}
	plain, err := url.PathUnescape(segment)
	if err != nil {
		return ""
	}
	id, err := s.Rows(entity).Form.Plain(plain)
	if err != nil {
		return ""
	}
	return s.IDs.Segment(entity, id)
}
