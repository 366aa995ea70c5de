package negotiate

import (
	"bytes"
	"slices"
	"unicode/utf8"
)

// AppendCSV appends the list of a JSON body, its member "data", as CSV
// (RFC 4180), with a header row where that is wanted. Members of objects have columns of their own,
// named by dots: author.name. Arrays are JSON in their cell, null is an empty
// cell and an empty text a quoted one.
//
// Columns are those of the header, in order. Where they are nil, they are
// those that the list has.
func AppendCSV(dst, body []byte, columns []string, header bool) []byte {
	s := listed(body)
	t := table{columns: columns, fixed: columns != nil}
	if !t.fixed {
		t.find(s)
	}
	if header {
		for i, name := range t.columns {
			dst = csvComma(dst, i)
			dst = csvText(dst, []byte(name), false)
		}
		dst = append(dst, "\r\n"...)
	}
	t.cells = make([][]byte, len(t.columns))
	if s.next() != '[' {
		return dst
	}
	s.open()
	for s.more() {
		clear(t.cells)
		t.next = 0
		t.row(&s, t.path[:0])
		for i, cell := range t.cells {
			dst = csvComma(dst, i)
			dst, t.scratch = csvCell(dst, t.scratch, cell)
		}
		dst = append(dst, "\r\n"...)
	}
	return dst
}

// listed returns a scanner that stands before the list of a body: its member
// "data", or the only member of that.
func listed(body []byte) scanner {
	s := member(body, "data")
	if s.text == nil || s.next() != '{' {
		return s
	}
	s.open()
	if s.more() {
		s.name()
		return s
	}
	return scanner{}
}

// member returns a scanner that stands before a member of the object, or at the
// end of nothing.
func member(object []byte, wanted string) scanner {
	s := scanner{text: object}
	if s.next() != '{' {
		return scanner{}
	}
	s.open()
	for s.more() {
		if string(s.name()) == wanted {
			return s
		}
		s.value()
	}
	return scanner{}
}

// table places the members of objects in columns.
type table struct {
	columns []string
	fixed   bool // no column is added
	cells   [][]byte
	next    int // where the next member most likely belongs
	path    []byte
	scratch []byte
}

// find adds the columns of the list that the scanner stands before.
func (t *table) find(s scanner) {
	if s.next() != '[' {
		return
	}
	s.open()
	for s.more() {
		t.next = 0
		t.row(&s, t.path[:0])
	}
	t.fixed = true
}

// row places a value and what is in it.
func (t *table) row(s *scanner, path []byte) {
	if s.next() != '{' {
		t.place(s.value(), append(path, "value"...))
		return
	}
	s.open()
	for s.more() {
		at := append(path, s.name()...) //nolint:gocritic // the path of the next member goes into its place
		if s.next() == '{' && t.column(at) < 0 {
			t.row(s, append(at, '.'))
		} else {
			t.place(s.value(), at)
		}
		t.path = at[:0] // keep the room it grew to
	}
}

func (t *table) place(value, path []byte) {
	i := t.column(path)
	if i < 0 && !t.fixed {
		i = len(t.columns)
		t.columns = append(t.columns, string(path))
	}
	if i >= 0 {
		t.next = i + 1
	}
	if i >= 0 && i < len(t.cells) {
		t.cells[i] = value
	}
}

func (t *table) column(path []byte) int {
	if t.next < len(t.columns) && t.columns[t.next] == string(path) {
		return t.next
	}
	return slices.Index(t.columns, string(path))
}

func csvComma(dst []byte, i int) []byte {
	if i > 0 {
		return append(dst, ',')
	}
	return dst
}

// csvCell appends a JSON value as a cell. Scratch is room that it may use.
func csvCell(dst, scratch, value []byte) (cell, room []byte) {
	switch {
	case len(value) == 0 || value[0] == 'n':
		return dst, scratch
	case value[0] == '"':
		text := value[1 : len(value)-1]
		if !formula(text) && plain(text) {
			return append(dst, text...), scratch
		}
		if bytes.IndexByte(text, '\\') >= 0 {
			scratch = plainText(scratch[:0], text)
			text = scratch
		}
		return csvText(dst, text, len(text) == 0), scratch
	case value[0] == '{' || value[0] == '[':
		return csvText(dst, value, true), scratch
	}
	return append(dst, value...), scratch // a negative number is a number, not a formula
}

// csvText appends a text, in quotes where it must be, and defused: a text that a
// spreadsheet would take for a formula gets an apostrophe before it.
func csvText(dst, text []byte, quoted bool) []byte {
	defuse := formula(text)
	if !quoted && !defuse && plain(text) {
		return append(dst, text...)
	}
	dst = append(dst, '"')
	if defuse {
		dst = append(dst, '\'')
	}
	for {
		i := bytes.IndexByte(text, '"')
		if i < 0 {
			break
		}
		dst = append(append(dst, text[:i]...), `""`...)
		text = text[i+1:]
	}
	return append(append(dst, text...), '"')
}

// formula reports whether a spreadsheet might run the text.
func formula(text []byte) bool {
	first, _ := utf8.DecodeRune(text)
	switch first {
	case '=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠':
		return true
	}
	return false
}

// plain reports whether the text is the same in a cell without quotes, and
// has no escapes of JSON.
func plain(text []byte) bool {
	if len(text) == 0 || text[0] == ' ' || text[len(text)-1] == ' ' {
		return false
	}
	for _, c := range text {
		if csvSpecial[c] {
			return false
		}
	}
	return true
}

var csvSpecial = [256]bool{',': true, '"': true, '\n': true, '\r': true, '\\': true}

// plainText appends a JSON string without its escapes.
func plainText(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:i]...)
		var r rune
		r, text = unescape(text[i+1:])
		dst = utf8.AppendRune(dst, r)
	}
}
