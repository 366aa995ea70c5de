package entity_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/entity"
)

func TestJSONThatBothDatabasesTake(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		`{"b": [1, 2.50, "<é>"], "a": null}`:              `{"a":null,"b":[1,2.50,"<é>"]}`,
		`12345678901234567890`:                            `12345678901234567890`,
		`"\ud800"`:                                        `"�"`,
		strings.Repeat("[", 63) + strings.Repeat("]", 63): strings.Repeat("[", 63) + strings.Repeat("]", 63),
	} {
		if got, err := entity.DecodeJSON[json.RawMessage]([]byte(sent)); err != nil || string(got) != want {
			t.Errorf("%s: %s, %v", sent, got, err)
		}
	}
	for sent, says := range map[string]string{
		`{"a\u0000": 1}`: "NUL", `["\u0000"]`: "NUL", "\"\xff\"": "UTF-8", `1e999`: "out of range", `{`: "must be JSON",
		strings.Repeat("[", 70) + strings.Repeat("]", 70): "too deep",
	} {
		if got, err := entity.DecodeJSON[json.RawMessage]([]byte(sent)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %s, %v, want %s", sent, got, err, says)
		}
	}
	type place struct {
		City string `json:"city"`
	}
	if got, err := entity.DecodeJSON[[]place]([]byte(`[{"city":"Oslo"}]`)); err != nil || got[0].City != "Oslo" {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := entity.DecodeJSON[[]place]([]byte(`[{"town":"Oslo"}]`)); err == nil {
		t.Error("a member that there is not is taken")
	}
}

func TestUUIDsAndBytesHaveOneForm(t *testing.T) {
	t.Parallel()
	const id = "0191f6ae-7e3c-7b5a-9c1e-2f8d4b6a0c3d"
	if got, err := entity.ParseUUID(strings.ToUpper(id)); err != nil || got.String() != id {
		t.Errorf("%s, %v", got, err)
	}
	for _, text := range []string{"", "7", "{" + id + "}", "urn:uuid:" + id, strings.ReplaceAll(id, "-", "")} {
		if _, err := entity.ParseUUID(text); err == nil {
			t.Errorf("%q is a UUID", text)
		}
	}
	if got, err := entity.ParseBytes("AP8Q"); err != nil || string(got) != "\x00\xff\x10" {
		t.Errorf("%v, %v", got, err)
	}
	for _, text := range []string{"***", "AP8", "AP\n8Q", "AB=="} {
		if _, err := entity.ParseBytes(text); err == nil {
			t.Errorf("%q is base64", text)
		}
	}
}
