package reporting_test

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/reporting"
)

// report writes a report and returns its file.
func (s *shop) report(q reporting.Report) string {
	s.Helper()
	var file strings.Builder
	if err := s.reporter.Write(s.ctx, &file, q, func(float64) {}); err != nil {
		s.Fatalf("Write(%+v): %v", q, err)
	}
	return file.String()
}

// trade is a small history: two currencies, a refund, a text that no program
// must take for a formula.
func (s *shop) trade() {
	lamp, tea := s.product(`=Lamp, "blue"`, "USD", 1999), s.product("＝Tea & milk", "JPY", 300)
	paid := s.sell(at("2026-07-01T10:00:00Z"), 2, lamp)
	s.refund(paid, at("2026-07-02T10:00:00Z"), 998)
	s.sell(at("2026-07-01T10:00:00Z"), 1, tea)
	s.sell(at("2026-07-03T10:00:00.5Z"), 3, tea)
}

func TestASalesReportAddsUp(t *testing.T) {
	each(t, func(s *shop) {
		s.trade()
		want := "order_id,payment_id,paid_at,status,user_id,items,currency,gross,refunded,net\r\n" +
			"1,1,2026-07-01T10:00:00Z,paid,,2,USD,39.98,9.98,30\r\n" +
			"2,2,2026-07-01T10:00:00Z,paid,,1,JPY,300,0,300\r\n" +
			"3,3,2026-07-03T10:00:00.5Z,paid,,3,JPY,900,0,900\r\n"
		if got := s.report(reporting.Report{Type: "sales", Format: "csv"}); got != want {
			s.Errorf("got\n%s, want\n%s", got, want)
		}
		from, to := at("2026-07-01T10:00:00Z"), at("2026-07-03T10:00:00Z")
		got := s.report(reporting.Report{Type: "sales", Format: "csv", From: &from, To: &to})
		if lines := strings.Count(got, "\r\n"); lines != 3 {
			s.Errorf("of the first two days:\n%s", got)
		}
	})
}

func TestTheFormatsSayTheSame(t *testing.T) {
	each(t, func(s *shop) {
		s.trade()
		records, err := csv.NewReader(strings.NewReader(s.report(reporting.Report{Type: "inventory", Format: "csv"}))).ReadAll()
		if err != nil {
			s.Fatal(err)
		}
		if got := records[2][1]; got != "'＝Tea & milk" {
			s.Errorf("in CSV the tea is %q, want it defused", got)
		}
		if got := records[1][1]; got != `'=Lamp, "blue"` {
			s.Errorf("in CSV the lamp is %s, want it defused", got)
		}
		var objects []map[string]any
		if err := json.Unmarshal([]byte(s.report(reporting.Report{Type: "inventory", Format: "json"})), &objects); err != nil {
			s.Fatal(err)
		}
		if len(objects) != 2 || objects[0]["name"] != `=Lamp, "blue"` || objects[0]["price"] != 19.99 || objects[1]["sold"] != 4.0 || objects[1]["category"] != nil {
			s.Errorf("JSON %v", objects)
		}
		cells := workbook(s.T, s.report(reporting.Report{Type: "inventory", Format: "xlsx"}))
		want := [][]string{
			{"id", "name", "category", "price", "currency", "stock", "in_stock", "sold", "created_at"},
			{"1", `=Lamp, "blue"`, "", "19.99", "USD", "7", "1", "2"},
			{"2", "＝Tea & milk", "", "300", "JPY", "7", "1", "4"},
		}
		for i, row := range want {
			if got := cells[i][:len(row)]; !slices.Equal(got, row) {
				s.Errorf("row %d of the workbook is %q, want %q", i, got, row)
			}
		}
		if len(cells) != 3 {
			s.Errorf("the workbook has %d rows, want 3", len(cells))
		}
	})
}

// workbook reads the cells of the first sheet, having made sure that every
// part of the archive is XML.
func workbook(t *testing.T, file string) [][]string {
	t.Helper()
	archive, err := zip.NewReader(strings.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	var sheet []byte
	for _, part := range archive.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		for d := xml.NewDecoder(bytes.NewReader(content)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", part.Name, err)
			}
		}
		if part.Name == "xl/worksheets/sheet1.xml" {
			sheet = content
		}
	}
	var parsed struct {
		Rows []struct {
			Cells []struct {
				Value  string `xml:"v"`
				Inline string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if err := xml.Unmarshal(sheet, &parsed); err != nil {
		t.Fatal(err)
	}
	var cells [][]string
	for _, row := range parsed.Rows {
		var texts []string
		for _, c := range row.Cells {
			texts = append(texts, c.Value+c.Inline)
		}
		cells = append(cells, texts)
	}
	return cells
}

func TestAReportIsReadPageByPage(t *testing.T) {
	each(t, func(s *shop) {
		const users = 4500 // more than two pages
		if _, err := fillUsers.Exec(s.ctx, s.db, users); err != nil {
			s.Fatal(err)
		}
		s.reporter.Now = nil
		var file strings.Builder
		var progress []float64
		err := s.reporter.Write(s.ctx, &file, reporting.Report{Type: "users", Format: "csv"}, func(done float64) { progress = append(progress, done) })
		if err != nil {
			s.Fatal(err)
		}
		records, err := csv.NewReader(strings.NewReader(file.String())).ReadAll()
		if err != nil || len(records) != users+1 {
			s.Fatalf("%d records, %v, want %d", len(records), err, users+1)
		}
		seen := make(map[string]bool)
		for _, r := range records {
			seen[r[0]] = true
		}
		if len(seen) != users+1 {
			s.Errorf("%d different ids", len(seen)-1)
		}
		if want := []float64{2000.0 / users, 4000.0 / users}; !reflect.DeepEqual(progress, want) {
			s.Errorf("progress %v, want %v", progress, want)
		}
	})
}
