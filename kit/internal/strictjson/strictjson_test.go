package strictjson_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/internal/strictjson"
)

func TestCheck(t *testing.T) {
	many := make([]string, 40)
	for i := range many {
		many[i] = fmt.Sprintf(`"m%d":%d`, i, i)
	}
	for text, want := range map[string]string{
		`{}`: "",
		` [1, -2.5e+3, "a\u00e9", true, false, null, {"a": {"a": 1}}] `: "",
		`"\ud83d\ude00"`:                                      "",
		"{" + strings.Join(many, ",") + "}":                   "",
		"{" + strings.Join(append(many, `"m3":1`), ",") + "}": `"m3" is there twice`,
		strings.Repeat("[", 32) + strings.Repeat("]", 32):     "",
		strings.Repeat("[", 33) + strings.Repeat("]", 33):     "more than 32 levels",
		strings.Repeat("[", 33) + `"\`:                        "more than 32 levels at byte 32",
		"[" + strings.Repeat(`"[",`, 33) + `"\"["]`:           "",
		strings.Repeat("{}", 33):                              "there is more behind the value at byte 2",
		``:                                                    "the text ends too early",
		`{"a":1,"a":2}`:                                       `"a" is there twice`,
		`{"a":1,"\u0061":2}`:                                  `"a" is there twice`,
		`{"a":1} {}`:                                          "there is more behind the value at byte 7",
		`{"a":1}]`:                                            "there is more behind the value at byte 7",
		`{"a":1,}`:                                            "invalid character '}' at start of string (expecting '\"') at byte 7",
		`[1,]`:                                                "invalid character ']' at start of value at byte 3",
		`[1 2]`:                                               "invalid character '2' after array element (expecting ',' or ']') at byte 3",
		`{"a" 1}`:                                             "invalid character '1' after object name (expecting ':') at byte 5",
		`"a\u0000"`:                                           "NUL at byte 2",
		`"\\u0000"`:                                           "",
		`"\\\u0000"`:                                          "NUL at byte 3",
		"\"a\x00\"":                                           "expecting non-control character",
		"\"a\nb\"":                                            "expecting non-control character",
		"\"\xff\"":                                            "invalid UTF-8",
		`"\ud83d"`:                                            "invalid surrogate pair",
		`"\ude00"`:                                            "invalid surrogate pair",
		`"\ud83d\u0041"`:                                      "invalid surrogate pair",
		`"\x"`:                                                "invalid escape sequence",
		`"\u12g4"`:                                            "invalid escape sequence",
		`01`:                                                  "there is more behind the value at byte 1",
		`1.`:                                                  "the text ends too early",
		`-`:                                                   "the text ends too early",
		`1e`:                                                  "the text ends too early",
		`nul`:                                                 "the text ends too early",
		`nil`:                                                 "invalid character 'i' in literal null",
		`"a`:                                                  "the text ends too early",
		`{'a':1}`:                                             "invalid character '\\''",
		`NaN`:                                                 "invalid character 'N'",
	} {
		err := strictjson.Check([]byte(text))
		switch {
		case want == "" && err != nil:
			t.Errorf("Check(%s): %v", text, err)
		case want != "" && (err == nil || !strings.Contains(err.Error(), want)):
			t.Errorf("Check(%s): %v, want %q", text, err, want)
		}
	}
}

// The package accepts JSON alone, and all of JSON except the forms that it exists to
// refuse.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,"\u00e9"]}`, `{"a":1,"a":2}`, `"\ud800"`, `[[[[]]]]`, "\xff", `1 2`} {
		f.Add([]byte(seed))
	}
	refused := []string{"twice", "levels", "NUL", "surrogate", "UTF-8"}
	f.Fuzz(func(t *testing.T, text []byte) {
		err := strictjson.Check(text)
		if err == nil && !json.Valid(text) {
			t.Errorf("Check(%q) accepts what is not JSON", text)
		}
		if err != nil && json.Valid(text) {
			for _, reason := range refused {
				if strings.Contains(err.Error(), reason) {
					return
				}
			}
			t.Errorf("Check(%q): %v", text, err)
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	text := []byte(`{"title":"On the Analytical Engine","content":"` + strings.Repeat("It can do whatever we know. ", 40) + `","published":true,"category_id":7}`)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if err := strictjson.Check(text); err != nil {
			b.Fatal(err)
		}
	}
}

// Members and texts equal those that encoding/json finds in the same text.
func FuzzMembers(f *testing.F) {
	for _, seed := range []string{
		`{"query":"{ user(id: \"77\") { id } }","variables":{"a":[1,{}]}, "x" : null }`,
		`{"\u0061\n":"\ud83d\ude00 \\ \/ \b\f\n\r\t \u00e9 \u20ac"}`, `[{"a":1}]`, `"a"`, `{}`, `{"a":{"b":"c"},"":""}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		got := map[string]string{}
		members, err := strictjson.Members(nil, text)
		if other := strictjson.Check(text); fmt.Sprint(err) != fmt.Sprint(other) {
			t.Fatalf("Members(%q): %v, and Check: %v", text, err, other)
		}
		if err != nil {
			return
		}
		for _, m := range members {
			got[string(m.Name)] = string(m.Value)
		}
		var whole any
		decoder := json.NewDecoder(bytes.NewReader(text))
		decoder.UseNumber()
		if _ = decoder.Decode(&whole); !reflect.DeepEqual(strictjson.Value(text), whole) {
			t.Fatalf("Value(%q): %#v, want %#v", text, strictjson.Value(text), whole)
		}
		want := map[string]json.RawMessage{}
		if json.Unmarshal(text, &want) != nil {
			want = nil // no object
		}
		if len(got) != len(want) {
			t.Fatalf("Members(%q): %q, want %q", text, got, want)
		}
		for name, value := range want {
			if got[name] != string(value) {
				t.Errorf("Members(%q): %q is %q, want %q", text, name, got[name], value)
			}
			var is string
			isText := len(value) > 0 && value[0] == '"' && json.Unmarshal(value, &is) == nil
			if said, ok := strictjson.Text([]byte(got[name])); ok != isText || said != is {
				t.Errorf("Text(%q): %q %t, want %q", value, said, ok, is)
			}
		}
	})
}

func BenchmarkMembers(b *testing.B) {
	text := []byte(`{"query":"{ user(id: \"77\") { id name email role age created_at:createdAt updated_at:updatedAt version deleted_at:deletedAt } }"}`)
	b.ReportAllocs()
	for b.Loop() {
		var space [4]strictjson.Member
		members, err := strictjson.Members(space[:0], text)
		if err != nil {
			b.Fatal(err)
		}
		if query, ok := strictjson.Text(members[0].Value); !ok || query == "" {
			b.Fatal(query)
		}
	}
}
