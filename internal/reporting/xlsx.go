package reporting

import (
	"archive/zip"
	"encoding/xml"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// xlsxSheet writes a workbook (ECMA-376) from its first row to its last,
// keeping none: texts stand in their cells, and what lists the sheets comes
// at the end of the archive. A sheet takes a million rows; more go on another.
type xlsxSheet struct {
	zip     *zip.Writer
	name    string
	columns []column
	sheet   io.Writer
	sheets  int
	rows    int // of the current sheet
	text    []byte
	err     error // of the beginning, for the first row to return
}

// sheetRows is how many rows a sheet can have (ECMA-376 part 1, 18.3.1.73).
const sheetRows = 1 << 20

func newXLSXSheet(w io.Writer, name string, columns []column) sheet {
	s := &xlsxSheet{zip: zip.NewWriter(w), name: name, columns: columns}
	s.err = s.begin()
	return s
}

// begin begins another sheet, with a row of names that stays in view.
func (s *xlsxSheet) begin() (err error) {
	s.sheets++
	if s.sheet, err = s.zip.Create(fmt.Sprintf("xl/worksheets/sheet%d.xml", s.sheets)); err != nil {
		return err
	}
	s.text = append(s.text[:0], xml.Header+`<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">`+
		`<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>`+
		`<sheetFormatPr defaultRowHeight="15"/><cols>`...)
	for i, c := range s.columns {
		s.text = fmt.Appendf(s.text, `<col min="%d" max="%d" width="%d" customWidth="1"/>`, i+1, i+1, c.width())
	}
	s.text = append(s.text, "</cols><sheetData><row>"...)
	for _, c := range s.columns {
		s.string(c.name, headStyle)
	}
	s.rows = 1
	return s.endRow()
}

func (c column) width() int {
	switch c.kind {
	case words, moment:
		return 20
	}
	return 12
}

// The styles, by their place in stylesText.
const (
	plainStyle = 0
	headStyle  = 1
	timeStyle  = 2
)

const stylesText = xml.Header + `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">` +
	`<numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd\ hh:mm:ss"/></numFmts>` +
	`<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>` +
	`<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
	`<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
	`<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
	`<cellXfs count="3"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>` +
	`<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>` +
	`<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>`

func (s *xlsxSheet) row(values []any) error {
	if s.err != nil {
		return s.err
	}
	if s.rows == sheetRows {
		if s.err = s.close(); s.err == nil {
			s.err = s.begin()
		}
	}
	s.rows++
	s.text = append(s.text, "<row>"...)
	for i, v := range values {
		switch v := v.(type) {
		case int64:
			s.text = append(s.text, "<c><v>"...)
			if s.columns[i].kind == amount {
				s.text = appendAmount(s.text, s.columns[i], v, values)
			} else {
				s.text = strconv.AppendInt(s.text, v, 10)
			}
			s.text = append(s.text, "</v></c>"...)
		case string:
			s.string(v, plainStyle)
		case time.Time:
			s.text = fmt.Appendf(s.text, `<c s="%d"><v>%s</v></c>`, timeStyle, serial(v))
		case bool:
			s.text = fmt.Appendf(s.text, `<c t="b"><v>%d</v></c>`, map[bool]int{true: 1}[v])
		default:
			s.text = append(s.text, "<c/>"...)
		}
	}
	return s.endRow()
}

func (s *xlsxSheet) endRow() error {
	s.text = append(s.text, "</row>"...)
	_, err := s.sheet.Write(s.text)
	s.text = s.text[:0]
	return err
}

// string writes a cell with a text. A cell never holds a formula, so nothing
// has to be defused.
func (s *xlsxSheet) string(v string, style int) {
	s.text = fmt.Appendf(s.text, `<c t="inlineStr" s="%d"><is><t xml:space="preserve">`, style)
	var escaped strings.Builder
	_ = xml.EscapeText(&escaped, []byte(v)) // writes what XML can't hold as U+FFFD
	s.text = append(append(s.text, escaped.String()...), "</t></is></c>"...)
}

// serial is a time as spreadsheets count it: days since the end of 1899.
func serial(t time.Time) string {
	days := t.Sub(time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC)).Seconds() / 86400
	return strconv.FormatFloat(days, 'f', 9, 64)
}

// close ends the current sheet.
func (s *xlsxSheet) close() error {
	_, err := io.WriteString(s.sheet, "</sheetData></worksheet>")
	return err
}

// end writes what lists the sheets.
func (s *xlsxSheet) end() error {
	if s.err != nil {
		return s.err
	}
	if err := s.close(); err != nil {
		return err
	}
	var types, sheets, relations strings.Builder
	for n := 1; n <= s.sheets; n++ {
		name := s.name
		if n > 1 {
			name += " " + strconv.Itoa(n)
		}
		fmt.Fprintf(&types, `<Override PartName="/xl/worksheets/sheet%d.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>`, n)
		fmt.Fprintf(&sheets, `<sheet name="%s" sheetId="%d" r:id="rId%d"/>`, name, n, n)
		fmt.Fprintf(&relations, `<Relationship Id="rId%d" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet%d.xml"/>`, n, n)
	}
	for _, part := range [][2]string{
		{"[Content_Types].xml", `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">` +
			`<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
			`<Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>` +
			`<Override PartName="/xl/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.styles+xml"/>` + types.String() + `</Types>`},
		{"_rels/.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` +
			`<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>`},
		{"xl/workbook.xml", `<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" ` +
			`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>` + sheets.String() + `</sheets></workbook>`},
		{"xl/_rels/workbook.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">` + relations.String() +
			`<Relationship Id="rIdStyles" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/></Relationships>`},
		{"xl/styles.xml", strings.TrimPrefix(stylesText, xml.Header)},
	} {
		w, err := s.zip.Create(part[0])
		if err == nil {
			_, err = io.WriteString(w, xml.Header+part[1])
		}
		if err != nil {
			return err
		}
	}
	return s.zip.Close()
}
