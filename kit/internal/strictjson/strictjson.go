// Package strictjson refuses JSON that two readers could understand
// differently, or that a database would store differently than it was sent:
// duplicate names, trailing data, deep nesting, NUL, invalid UTF-8 and lone
// surrogates (RFC 8259 leaves all of these to the reader).
//
// The grammar, names, UTF-8 and surrogates are jsontext's, with its defaults,
// which RFC 7493 asks for. The bound on nesting and NUL are this package's.
package strictjson

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
)

// MaxDepth is how deep arrays and objects nest.
const MaxDepth = 32

// Check returns an error that says what is wrong with the text and where,
// or nil if it is one JSON value.
func Check(text []byte) error {
	return parse(text, func(d *jsontext.Decoder) error {
		_, err := d.ReadValue()
		return err
	})
}

// reader reads one text at a time. The results are parts of the text.
type reader struct {
	text bytes.Buffer
	json jsontext.Decoder
}

var readers = sync.Pool{New: func() any { return new(reader) }}

func (r *reader) open(text []byte) {
	r.text = *bytes.NewBuffer(text)
	r.json.Reset(&r.text)
}

// close keeps the reader for another text.
func (r *reader) close() {
	r.open(nil)
	readers.Put(r)
}

// parse has do read the one value of the text.
func parse(text []byte, do func(*jsontext.Decoder) error) error {
	if at := tooDeep(text); at >= 0 {
		return fmt.Errorf("more than %d levels at byte %d", MaxDepth, at)
	}
	r, _ := readers.Get().(*reader)
	r.open(text)
	defer r.close()
	if err := do(&r.json); err != nil {
		return explained(err)
	}
	if end := r.json.InputOffset(); r.json.PeekKind() != jsontext.KindInvalid {
		return fmt.Errorf("there is more behind the value at byte %d", end)
	}
	if _, err := r.json.ReadToken(); !errors.Is(err, io.EOF) {
		return explained(err)
	}
	if at := nul(text); at >= 0 {
		return fmt.Errorf("NUL at byte %d", at)
	}
	return nil
}

// explained says what jsontext found wrong.
func explained(err error) error {
	syntax, _ := errors.AsType[*jsontext.SyntacticError](err)
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the text ends too early")
	case syntax == nil:
		return err
	case errors.Is(err, jsontext.ErrDuplicateName):
		return fmt.Errorf("%q is there twice", syntax.JSONPointer.LastToken())
	}
	return fmt.Errorf("%s at byte %d", strings.TrimPrefix(syntax.Err.Error(), "jsontext: "), syntax.ByteOffset)
}

// tooDeep returns where the first bracket too many is, -1 where there is none. The
// text may be no JSON.
func tooDeep(text []byte) int {
	if bytes.Count(text, []byte{'{'})+bytes.Count(text, []byte{'['}) <= MaxDepth {
		return -1
	}
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '{', '[':
			if depth++; depth > MaxDepth {
				return i
			}
		case '}', ']':
			depth--
		case '"':
			for i++; i < len(text) && text[i] != '"'; i++ {
				if text[i] == '\\' {
					i++
				}
			}
		}
	}
	return -1
}

// nul returns where the first escape for NUL is in a text that is JSON, -1 where there
// is none.
func nul(text []byte) int {
	for at := 0; ; at += 2 {
		next := bytes.IndexByte(text[at:], '\\')
		if next < 0 {
			return -1
		}
		if at += next; bytes.HasPrefix(text[at:], []byte(`\u0000`)) {
			return at
		}
	}
}
