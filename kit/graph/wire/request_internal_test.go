package wire

import (
	"fmt"
	"testing"
)

func TestWhatABodySays(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"query":"{ user(id: \"77\") { id } }"}`: `{ user(id: "77") { id } }||map[]|map[]`,
		` {"query" : "query A { a }", "operationName":"A", "variables":{"n":2.0,"s":"\u00e9"}, "extensions":{"x":[1]}, "other":1} `: `query A { a }|A|map[n:2 s:é]|map[x:[1]]`,
		`{"query":null,"operationName":null,"variables":null,"extensions":null,"id":null}`:                                          `||map[]|map[]`,
		`{"doc_id":"md5:0","id":"1"}`: `||map[]|map[persistedQuery:map[sha256Hash:md5:0 version:1]]`,
		`{"\u0071uery":"{ a }"}`:      `{ a }||map[]|map[]`,
		`{"Query":"{ a }"}`:           `||map[]|map[]`, // names are exact
		`null`:                        `||map[]|map[]`,
		`{}`:                          `||map[]|map[]`,
		`[{"query":"{ a }"}]`:         `the body is not an object with a query`,
		`"{ a }"`:                     `the body is not an object with a query`,
		`{"query":{}}`:                `the body is not an object with a query: query must be a string`,
		`{"operationName":5}`:         `the body is not an object with a query: operationName must be a string`,
		`{"id":1}`:                    `the body is not an object with a query: id must be a string`,
		`{"extensions":[]}`:           `the body is not an object with a query: extensions must be a JSON object`,
		`{"variables":[1]}`:           `the body is not an object with a query: variables must be a JSON object`,
		`{"query":"{ a }","query":1}`: `"query" is there twice`,
		`{"query":"{ a }"} 1`:         `there is more behind the value at byte 17`,
		``:                            `the text ends too early`,
	} {
		p, refused := decoded([]byte(body))
		var got string
		if refused != nil {
			got = refused.Message
		} else {
			got = fmt.Sprintf("%s|%s|%v|%v", p.Query, p.OperationName, p.Variables, p.Extensions)
		}
		if got != want {
			t.Errorf("%s:\n got %s\nwant %s", body, got, want)
		}
	}
}
