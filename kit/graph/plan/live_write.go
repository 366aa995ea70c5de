package plan

import (
	"slices"
	"strconv"

	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/read"
)

// liveWriter writes an update of a live list: of a presence, which is of no entity, too.
type liveWriter struct {
	entity string
	u      live.Update
	token  string // of a presence
	info   read.Info
}

func (w *liveWriter) update(dst []byte, parts []livePart) []byte {
	w.info.Count = 1
	w.info.Members += len(parts)
	dst = append(dst, '{')
	for i, part := range parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, part.key...)
		switch part.name {
		case "position":
			dst = strconv.AppendQuote(dst, w.u.Position)
		case "token":
			if w.token == "" {
				dst = append(dst, "null"...)
				continue
			}
			dst = strconv.AppendQuote(dst, w.token)
		case "reset":
			dst = strconv.AppendBool(dst, w.u.Reset)
		case "totalCount":
			dst = strconv.AppendInt(dst, w.u.Total.Rows, 10)
		case "totalCountExact":
			dst = strconv.AppendBool(dst, !w.u.Total.AtLeast)
		case "steps":
			dst = w.steps(dst, part)
		default:
			dst = append(dst, part.raw...)
		}
	}
	return append(dst, '}')
}

func (w *liveWriter) steps(dst []byte, of livePart) []byte {
	dst = append(dst, '[')
	for i := range w.u.Steps {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = w.step(dst, of, i)
	}
	return append(dst, ']')
}

func (w *liveWriter) step(dst []byte, of livePart, at int) []byte {
	s := &w.u.Steps[at]
	w.info.Members += len(of.parts)
	dst = append(dst, '{')
	for i, part := range of.parts {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, part.key...)
		switch {
		case part.name == "kind":
			dst = strconv.AppendQuote(dst, string(s.Kind))
		case part.name == "id" && w.entity == "":
			dst = strconv.AppendQuote(dst, s.ID.String())
		case part.name == "id":
			dst = strconv.AppendQuote(dst, s.ID.Global(w.entity))
		case part.name == "index":
			dst = strconv.AppendInt(dst, int64(s.Index), 10)
		case part.name == "from" && s.Kind == live.Move:
			dst = strconv.AppendInt(dst, int64(s.From), 10)
		case part.name == "node" && s.Row != nil && s.Kind != live.Move:
			dst = w.node(dst, &s.Row.Views[part.view], []any{unquoted(of.key), at, unquoted(part.key)})
		case part.raw != "":
			dst = append(dst, part.raw...)
		default:
			dst = append(dst, "null"...)
		}
	}
	return append(dst, '}')
}

// node writes a row, and notes what of it could not be shown.
func (w *liveWriter) node(dst []byte, v *read.View, path []any) []byte {
	for _, e := range v.Errors {
		w.info.Errors = append(w.info.Errors, read.PathError{Path: append(slices.Clip(path), e.Path...), Err: e.Err})
	}
	if v.JSON == nil {
		return append(dst, "null"...)
	}
	return append(dst, v.JSON...)
}

// unquoted is a member's name.
func unquoted(key string) string { return key[1 : len(key)-2] }
