package coding_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/entwine-go/entwine/kit/runtime/coding"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]coding.Coding{
		"gzip":                         coding.Gzip,
		"x-gzip":                       coding.Gzip,
		"GZIP ; Q=0.5":                 coding.Gzip,
		"gzip, deflate, br":            coding.Gzip,
		"gzip, deflate, br, zstd":      coding.Zstd,
		"zstd;q=0.9, gzip":             coding.Gzip,
		"zstd;q=0.9, gzip;q=0.8":       coding.Zstd,
		"*":                            coding.Zstd,
		"zstd;q=0, *":                  coding.Gzip,
		"*;q=0":                        coding.Identity,
		"gzip;q=0":                     coding.Identity,
		"gzip;q=0.000, identity":       coding.Identity,
		"identity, gzip;q=0.5":         coding.Identity,
		"identity;q=0.5, gzip;q=0.5":   coding.Gzip,
		"identity;q=0, br":             coding.Identity,
		"br":                           coding.Identity,
		"":                             coding.Identity,
		"gzip;q=two":                   coding.Identity,
		"gzip;q=2":                     coding.Identity,
		"deflate, gzip;q=1.0, *;q=0.5": coding.Gzip,
	} {
		if got := coding.Choose([]string{header}, coding.Gzip, coding.Zstd); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
	if got := coding.Choose([]string{"br", "gzip"}, coding.Gzip); got != coding.Gzip {
		t.Errorf("two headers: %v", got)
	}
	if got := coding.Choose(nil, coding.Gzip); got != coding.Identity {
		t.Errorf("no header: %v", got)
	}
}

func TestTag(t *testing.T) {
	t.Parallel()
	for _, c := range []coding.Coding{coding.Identity, coding.Gzip, coding.Zstd} {
		for _, tag := range []string{`"12.abc"`, `W/"x"`, `"12.abc-xml"`} {
			if got := coding.Plain(c.Tag(tag)); got != tag {
				t.Errorf("%s in %v: %s", tag, c, got)
			}
		}
	}
	if got := coding.Gzip.Tag(`"12.abc"`); got != `"12.abc-gzip"` {
		t.Error(got)
	}
}

func TestACompressorIsUsedAgain(t *testing.T) {
	t.Parallel()
	open := map[coding.Coding]func(io.Reader) (io.Reader, error){
		coding.Gzip: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		coding.Zstd: func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
	}
	for c, reader := range open {
		for _, text := range []string{strings.Repeat("once upon a time ", 5000), "twice"} {
			var b bytes.Buffer
			w := c.NewWriter(&b)
			if _, err := io.WriteString(w, text); err != nil {
				t.Fatal(err)
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			c.Release(w)
			r, err := reader(&b)
			if err != nil {
				t.Fatal(err)
			}
			if got, err := io.ReadAll(r); string(got) != text || err != nil {
				t.Errorf("%v: %d bytes, %v", c, len(got), err)
			}
		}
	}
}
