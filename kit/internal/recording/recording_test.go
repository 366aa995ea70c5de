package recording_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/internal/recording"
)

// redactor keeps ids and prices, and texts that name a tag.
func redactor() *recording.Redactor {
	is := func(names ...string) func(string) bool {
		return func(name string) bool { return strings.Contains(" "+strings.Join(names, " ")+" ", " "+name+" ") }
	}
	return recording.NewRedactor(is("id", "price", "sort"), is("api", "v1", "posts", "tags", "people"), is("tags"))
}

// A text that is not kept is replaced by one of its form, and equal texts by equal ones.
func TestValuesHaveStandIns(t *testing.T) {
	t.Parallel()
	r := redactor()
	body, err := r.JSON([]byte(`{"id":7,"price":{"amount":12,"note":"kept"},"email":"Ada.Lovelace@example.com","again":["Ada.Lovelace@example.com"],"age":1815,"admin":true,"none":null,"at":"https://example.com/a1"}`))
	if err != nil {
		t.Fatal(err)
	}
	text := string(body)
	for _, want := range []string{`"id":7`, `"price":{"amount":12,"note":"kept"}`, `"admin":false`, `"none":null`, `"at":"https://`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s has no %s", text, want)
		}
	}
	for _, secret := range []string{"Ada", "Lovelace", "example", "1815", "true"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s has %s", text, secret)
		}
	}
	email, _, _ := strings.Cut(strings.SplitAfter(text, `"email":"`)[1], `"`)
	if !strings.Contains(text, `["`+email+`"]`) || len(email) != len("Ada.Lovelace@example.com") || email[3] != '.' || email[12] != '@' {
		t.Errorf("the stand-in of an address is %s in %s", email, text)
	}
	if other, _ := redactor().JSON([]byte(`{"email":"Ada.Lovelace@example.com"}`)); strings.Contains(string(other), email) {
		t.Error("two recordings can be compared")
	}
}

func TestURLsKeepIDs(t *testing.T) {
	t.Parallel()
	got := redactor().URL("/api/v1/posts/12/tags/go/people/ada", "price[gte]=5&sort=-id&name=Ada+Lovelace&author.email[in]=a%40b&flag")
	for _, want := range []string{"/api/v1/posts/12/tags/go/people/", "price[gte]=5&sort=-id&name=", "&flag"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s has no %s", got, want)
		}
	}
	for _, secret := range []string{"ada", "Ada", "a%40b"} {
		if strings.Contains(got, secret) {
			t.Errorf("%s has %s", got, secret)
		}
	}
}

func TestDocumentsHaveStandIns(t *testing.T) {
	t.Parallel()
	body, err := redactor().GraphQL([]byte(`{"query":"query Q($who: ID!, $name: String = \"Ada\") { post(id: \"UG9zdDox\") { id } find(where: {price: {gte: 5}, name: {has: \"Ada\"}, kind: WILD, age: 42}) @tag(of: \"Ada\") { ... on Post { by(name: $name, secret: \"Ada\") } } }",
"variables":{"who":"VXNlcjox","name":"Ada","input":{"price":3,"email":"Ada"}},"operationName":"Q","extensions":{"persistedQuery":{"sha256Hash":"x"},"more":"Ada"}}`))
	if err != nil {
		t.Fatal(err)
	}
	text := string(body)
	for _, want := range []string{`post(id: \"UG9zdDox\")`, `price:{gte:5}`, `kind:WILD`, `"who":"VXNlcjox"`, `"price":3`, `"operationName":"Q"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s has no %s", text, want)
		}
	}
	for _, secret := range []string{"Ada", "42", "sha256"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s has %s", text, secret)
		}
	}
	if _, err := redactor().GraphQL([]byte(`{"query":"{ broken"}`)); err == nil {
		t.Error("a document that can't be read is recorded as it stands")
	}
}

// A recording ends in time, and is its owner's alone.
func TestRecordingsEnd(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "requests")
	now, why := time.Date(2026, 11, 27, 12, 0, 0, 0, time.UTC), ""
	head := recording.Head{Program: "notes", Until: now.Add(time.Hour)}
	w, err := recording.Create(name, head, func() time.Time { return now }, func(reason string) { why = reason })
	if err != nil {
		t.Fatal(err)
	}
	w.Write(recording.Request{Method: "GET", URL: "/a"})
	now = now.Add(time.Hour)
	w.Write(recording.Request{Method: "GET", URL: "/b"})
	if why != "its time is over" || w.Open() {
		t.Errorf("it ends because %q", why)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	heads, all, err := recording.Read(strings.NewReader(string(text) + `{"method":"G`))
	if err != nil || len(heads) != 1 || len(all) != 1 || all[0].URL != "/a" {
		t.Errorf("Read: %v, %v, %v", heads, all, err)
	}
	if err := os.Chmod(name, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := recording.Create(name, head, time.Now, nil); err == nil || !strings.Contains(err.Error(), "chmod 600") {
		t.Errorf("a file that others read: %v", err)
	}
	if _, _, err := recording.Read(strings.NewReader("{}\n")); err == nil {
		t.Error("another file is taken for a recording")
	}
}
