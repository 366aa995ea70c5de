package reporting

import (
	"encoding/json"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/money"
)

// sheet writes the rows of a report in a format.
type sheet interface {
	// row writes a row. The values are int64, string, time.Time, bool or nil.
	row(values []any) error
	// end writes what comes after the last row.
	end() error
}

// formats are how a report can be written.
var formats = map[Format]struct {
	mediaType string
	sheet     func(w io.Writer, name string, columns []column) sheet
}{
	CSV:  {"text/csv; charset=utf-8", newCSVSheet},
	JSON: {"application/json", newJSONSheet},
	XLSX: {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", newXLSXSheet},
}

// timeLayout is how times are written, as in the API.
const timeLayout = "2006-01-02T15:04:05.999999Z07:00"

// appendAmount appends an amount in the row's currency as a decimal number.
func appendAmount(dst []byte, c column, minor int64, row []any) []byte {
	currency, _ := row[c.currency].(string)
	return money.Append(dst, minor, currency)
}

// csvSheet writes RFC 4180.
type csvSheet struct {
	w       io.Writer
	columns []column
	line    []byte
}

func newCSVSheet(w io.Writer, _ string, columns []column) sheet {
	s := &csvSheet{w: w, columns: columns}
	for i, c := range columns {
		s.comma(i)
		s.line = append(s.line, c.name...)
	}
	s.line = append(s.line, "\r\n"...)
	return s
}

func (s *csvSheet) row(values []any) error {
	for i, v := range values {
		s.comma(i)
		switch v := v.(type) {
		case int64:
			if s.columns[i].kind == amount {
				s.line = appendAmount(s.line, s.columns[i], v, values)
			} else {
				s.line = strconv.AppendInt(s.line, v, 10)
			}
		case string:
			s.text(v)
		case time.Time:
			s.line = v.AppendFormat(s.line, timeLayout)
		case bool:
			s.line = strconv.AppendBool(s.line, v)
		}
	}
	s.line = append(s.line, "\r\n"...)
	return s.flush()
}

func (s *csvSheet) comma(i int) {
	if i > 0 {
		s.line = append(s.line, ',')
	}
}

// text writes a text, quoted where it must be, and so that no program takes
// it for a formula.
func (s *csvSheet) text(v string) {
	if first, size := utf8.DecodeRuneInString(v); size > 0 && strings.ContainsRune("=+-@\t\r\n＝＋－＠", first) {
		v = "'" + v
	}
	if !strings.ContainsAny(v, "\",\r\n") {
		s.line = append(s.line, v...)
		return
	}
	s.line = append(s.line, '"')
	s.line = append(s.line, strings.ReplaceAll(v, `"`, `""`)...)
	s.line = append(s.line, '"')
}

func (s *csvSheet) flush() error {
	_, err := s.w.Write(s.line)
	s.line = s.line[:0]
	return err
}

func (s *csvSheet) end() error { return s.flush() }

// jsonSheet writes an array of objects.
type jsonSheet struct {
	w       io.Writer
	columns []column
	text    []byte
}

func newJSONSheet(w io.Writer, _ string, columns []column) sheet {
	return &jsonSheet{w: w, columns: columns, text: []byte("[")}
}

func (s *jsonSheet) row(values []any) error {
	if len(s.text) == 0 {
		s.text = append(s.text, ',')
	}
	s.text = append(s.text, "\n{"...)
	for i, v := range values {
		if i > 0 {
			s.text = append(s.text, ',')
		}
		s.text = append(append(append(s.text, '"'), s.columns[i].name...), `":`...)
		switch v := v.(type) {
		case int64:
			if s.columns[i].kind == amount {
				s.text = appendAmount(s.text, s.columns[i], v, values)
			} else {
				s.text = strconv.AppendInt(s.text, v, 10)
			}
		case string:
			quoted, err := json.Marshal(v)
			if err != nil {
				return err
			}
			s.text = append(s.text, quoted...)
		case time.Time:
			s.text = append(v.AppendFormat(append(s.text, '"'), timeLayout), '"')
		case bool:
			s.text = strconv.AppendBool(s.text, v)
		default:
			s.text = append(s.text, "null"...)
		}
	}
	s.text = append(s.text, '}')
	return s.flush()
}

func (s *jsonSheet) flush() error {
	_, err := s.w.Write(s.text)
	s.text = s.text[:0]
	return err
}

func (s *jsonSheet) end() error {
	s.text = append(s.text, "\n]\n"...)
	return s.flush()
}
