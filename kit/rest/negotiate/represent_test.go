package negotiate_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/rest/negotiate"
)

func TestNegotiate(t *testing.T) {
	list := []string{negotiate.JSON, negotiate.XML, negotiate.CSV}
	failure := []string{negotiate.JSON, negotiate.Problem, negotiate.XML}
	for accept, want := range map[string]struct {
		offers []string
		media  string
	}{
		"":                                  {list, negotiate.JSON},
		"*/*":                               {list, negotiate.JSON},
		"application/*":                     {list, negotiate.JSON},
		"text/*":                            {list, negotiate.CSV},
		"application/xml":                   {list, negotiate.XML},
		"Application/XML; charset=utf-8":    {list, negotiate.XML},
		"text/csv;q=0.5, application/xml":   {list, negotiate.XML},
		"text/csv; q=1, application/xml":    {list, negotiate.CSV},
		"application/xml, application/json": {list, negotiate.XML},
		"*/*, application/json;q=0":         {list, negotiate.XML},
		"*/*;q=0.1, text/csv;q=0.2":         {list, negotiate.CSV},
		"application/json;q=0.3, */*;q=0.2, text/csv;q=0":                    {list, negotiate.JSON},
		"text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.8": {list, negotiate.JSON},
		"text/html, application/json;q=0.1, text/csv":                        {list, negotiate.JSON},
		"text/xml":                                         {list, negotiate.XML},
		"text/xml;q=0.5, text/csv;q=0.4":                   {list, negotiate.XML},
		"application/xml;q=0, text/xml;q=0":                {list, ""},
		"text/html, application/xml":                       {list, negotiate.XML},
		"application/xml;q=0.9, */*;q=0.8":                 {list, negotiate.XML},
		"application/vnd.entwine.v1+json":                  {list, negotiate.JSON},
		"application/vnd.entwine.v9+json":                  {list, ""},
		"application/json;q=0":                             {list, ""},
		"application/json;q=2":                             {list, ""},
		"application/json;q=0.1234":                        {list, ""},
		"text/html":                                        {list, ""},
		"nonsense":                                         {list, ""},
		"*/json":                                           {list, ""},
		`text/html;level="1,application/json"`:             {list, ""},
		"application/problem+json":                         {failure, negotiate.Problem},
		"application/json, application/problem+json":       {failure, negotiate.JSON},
		"application/problem+json, application/json":       {failure, negotiate.Problem},
		"application/json;q=0.9, application/problem+json": {failure, negotiate.Problem},
	} {
		got, ok := negotiate.Negotiate([]string{accept}, want.offers, negotiate.Vendor("entwine", "1.0.0"))
		if got != want.media || ok != (want.media != "") {
			t.Errorf("Accept %q: %q, want %q", accept, got, want.media)
		}
	}
	if got, _ := negotiate.Negotiate([]string{"text/csv;q=0.1", "application/xml"}, list, negotiate.Vendor("entwine", "1.0.0")); got != negotiate.XML {
		t.Errorf("of two headers: %q", got)
	}
}

func TestXML(t *testing.T) {
	for body, want := range map[string]string{
		`{"status":"success","data":{"id":1,"tags":["a","b"],"none":null,"empty":{},"list":[],"ok":true,"price":-1.5}}`: `<status>success</status><data><id>1</id><tags><item>a</item><item>b</item></tags><none xsi:nil="true"/><empty></empty><list></list><ok>true</ok><price>-1.5</price></data>`,
		`{"text":"<b> & \"quotes\" \\ \n\t\r\u0007 \uD83D\uDE00 \u00e9 é"}`:                                             "<text>&lt;b&gt; &amp; &#34;quotes&#34; \\ \n\t&#xD;\uFFFD 😀 é é</text>",
		`{"1st":1,"a b":2,"xmlns":3,"":4,"a-b.c_1":5}`:                                                                  `<member name="1st">1</member><member name="a b">2</member><member name="xmlns">3</member><member name="">4</member><a-b.c_1>5</a-b.c_1>`,
		"[ 1 , [ 2 ] , { } ]":            `<item>1</item><item><item>2</item></item><item></item>`,
		`"text"`:                         `text`,
		"{\"a\":\"\uFFFE\"}":             "<a>\uFFFD</a>",
		"{ \"a\" : \"x\" ,\n\"b\" : 1 }": "<a>x</a><b>1</b>",
	} {
		got := string(negotiate.AppendXML(nil, []byte(body)))
		_, got, _ = strings.Cut(got, `XMLSchema-instance">`)
		if got = strings.TrimSuffix(got, "</response>\n"); got != want {
			t.Errorf("%s\n is %s\nwant %s", body, got, want)
		}
	}
}

func TestCSV(t *testing.T) {
	for name, c := range map[string]struct {
		body    string
		columns []string
		want    string
	}{
		"plain":          {`{"data":[{"id":1,"name":"Ada"},{"id":2,"name":"Bob"}]}`, nil, "id,name\r\n1,Ada\r\n2,Bob\r\n"},
		"quotes":         {`{"data":[{"a":"x,y","b":"say \"hi\"","c":"two\nlines","d":" edge"}]}`, nil, "a,b,c,d\r\n\"x,y\",\"say \"\"hi\"\"\",\"two\nlines\",\" edge\"\r\n"},
		"formulas":       {`{"data":[{"a":"=1+1","b":"+1","c":"-1","d":"@x","e":"\tx","f":"\rx","g":-1,"h":"a=b"}]}`, nil, "a,b,c,d,e,f,g,h\r\n\"'=1+1\",\"'+1\",\"'-1\",\"'@x\",\"'\tx\",\"'\rx\",-1,a=b\r\n"},
		"other formulas": {`{"data":[{"a":"\n=1","b":"＝1","c":"＋1","d":"－1","e":"＠x","f":"\uff1d1","g":"！1"}]}`, nil, "a,b,c,d,e,f,g\r\n\"'\n=1\",\"'＝1\",\"'＋1\",\"'－1\",\"'＠x\",\"'＝1\",！1\r\n"},
		"null and empty": {`{"data":[{"a":null,"b":""}]}`, nil, "a,b\r\n,\"\"\r\n"},
		"nested":         {`{"data":[{"id":1,"author":{"id":2,"name":"Ada"},"tags":["a","b"]}]}`, nil, "id,author.id,author.name,tags\r\n1,2,Ada,\"[\"\"a\"\",\"\"b\"\"]\"\r\n"},
		"given columns":  {`{"data":[{"id":1,"author":null},{"id":2,"author":{"id":3,"name":"x"},"more":1}]}`, []string{"id", "author.id", "author.name"}, "id,author.id,author.name\r\n1,,\r\n2,3,x\r\n"},
		"raw JSON":       {`{"data":[{"id":1,"meta":{"k":"v"}}]}`, []string{"id", "meta"}, "id,meta\r\n1,\"{\"\"k\"\":\"\"v\"\"}\"\r\n"},
		"empty list":     {`{"status":"success","data":[],"pagination":{}}`, []string{"id", "name"}, "id,name\r\n"},
		"differing":      {`{"data":[{"a":1},{"b":2,"a":3}]}`, nil, "a,b\r\n1,\r\n3,2\r\n"},
		"under a name":   {`{"results":1,"data":{"posts":[{"id":"UG9zdDox"}]},"pagination":{}}`, nil, "id\r\nUG9zdDox\r\n"},
		"values":         {`{"data":["x",2]}`, nil, "value\r\nx\r\n2\r\n"},
	} {
		if got := string(negotiate.AppendCSV(nil, []byte(c.body), c.columns, true)); got != c.want {
			t.Errorf("%s:\n is %q\nwant %q", name, got, c.want)
		}
	}
}

func TestWriterLeavesAloneWhatIsNotJSON(t *testing.T) {
	for media, want := range map[string]string{
		"application/json; charset=utf-8": "<a>1</a>", "application/pdf": `{"a":1}`,
	} {
		r := httptest.NewRecorder()
		w := &negotiate.Writer{ResponseWriter: r, Media: negotiate.XML}
		w.Header().Set("Content-Type", media)
		w.WriteHeader(201)
		_, _ = w.Write([]byte(`{"a"`))
		_, _ = w.Write([]byte(`:1}`))
		w.Close()
		if r.Code != 201 || !strings.Contains(r.Body.String(), want) {
			t.Errorf("%s: %d %s", media, r.Code, r.Body)
		}
	}
}

// page is a list of 100 posts.
func page() ([]byte, []string) {
	b := []byte(`{"status":"success","data":[`)
	for i := range 100 {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"id":%d,"title":"Post %d","content":"Some lines\nof text, with \"quotes\" & signs.","published":true,"published_at":"2026-01-02T03:04:05.678901Z","archived_at":null,"likes_count":3,"shares_count":0,"author_id":7,"category_id":null,"created_at":"2026-01-02T03:04:05.678901Z","updated_at":"2026-01-02T03:04:05.678901Z","version":1,"deleted_at":null}`, i, i)
	}
	return append(b, `],"pagination":{"page":1},"links":{}}`...),
		[]string{"id", "title", "content", "published", "published_at", "archived_at", "likes_count", "shares_count", "author_id", "category_id", "created_at", "updated_at", "version", "deleted_at"}
}

func BenchmarkRepresent(b *testing.B) {
	body, columns := page()
	for _, media := range []string{negotiate.XML, negotiate.CSV} {
		b.Run(media, func(b *testing.B) {
			var dst []byte
			b.ReportAllocs()
			for b.Loop() {
				dst = negotiate.Append(dst[:0], media, body, columns)
			}
		})
	}
}

// Of every JSON, the XML is well-formed, and the CSV has equally many columns in every row.
func FuzzRepresent(f *testing.F) {
	body, _ := page()
	f.Add(body)
	for _, s := range []string{`{}`, `[]`, `null`, `{"data":[{"a":{"b":{"c":"\u0000"}}}]}`, `{"data":[1,"\"",{"":""}]}`, `{"a\"b":1}`, "{\"a\":\"\xff\"}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if !json.Valid(body) || bytes.Contains(body, []byte(`\"":`)) || !slices.Equal(bytes.ToValidUTF8(body, nil), body) {
			return // the service writes neither
		}
		d := xml.NewDecoder(bytes.NewReader(negotiate.AppendXML(nil, body)))
		for {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%q: %v", body, err)
			}
		}
		if _, err := csv.NewReader(bytes.NewReader(negotiate.AppendCSV(nil, body, nil, true))).ReadAll(); err != nil {
			t.Fatalf("%q: %v", body, err)
		}
	})
}

// An Accept header takes an offer or none, and never more than it says.
func FuzzAccept(f *testing.F) {
	for _, s := range []string{"*/*", "text/csv;q=0.5, application/xml", `a/b;c="\"`, ",,;;", "application/json;q=", "text/*;q=0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		offers := []string{negotiate.JSON, negotiate.XML, negotiate.CSV}
		got, ok := negotiate.Negotiate([]string{accept}, offers, negotiate.Vendor("entwine", "1.0.0"))
		if ok != slices.Contains(offers, got) {
			t.Fatalf("%q: %q, %v", accept, got, ok)
		}
		if ok && accept != "" && !strings.Contains(accept, "/") {
			t.Fatalf("%q takes %s", accept, got)
		}
	})
}
