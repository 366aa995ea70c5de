package compress_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"

	"github.com/entwine-go/entwine/kit/internal/compress"
)

func TestChoose(t *testing.T) {
	t.Parallel()
	for header, want := range map[string]compress.Coding{
		"gzip":                         compress.Gzip,
		"x-gzip":                       compress.Gzip,
		"GZIP ; Q=0.5":                 compress.Gzip,
		"gzip, deflate, br":            compress.Gzip,
		"gzip, deflate, br, zstd":      compress.Zstd,
		"zstd;q=0.9, gzip":             compress.Gzip,
		"zstd;q=0.9, gzip;q=0.8":       compress.Zstd,
		"*":                            compress.Zstd,
		"zstd;q=0, *":                  compress.Gzip,
		"*;q=0":                        compress.Identity,
		"gzip;q=0":                     compress.Identity,
		"gzip;q=0.000, identity":       compress.Identity,
		"identity, gzip;q=0.5":         compress.Identity,
		"identity;q=0.5, gzip;q=0.5":   compress.Gzip,
		"identity;q=0, br":             compress.Identity,
		"br":                           compress.Identity,
		"":                             compress.Identity,
		"gzip;q=two":                   compress.Identity,
		"gzip;q=2":                     compress.Identity,
		"deflate, gzip;q=1.0, *;q=0.5": compress.Gzip,
	} {
		if got := compress.Choose([]string{header}, compress.Gzip, compress.Zstd); got != want {
			t.Errorf("%q: %v, want %v", header, got, want)
		}
	}
	if got := compress.Choose([]string{"br", "gzip"}, compress.Gzip); got != compress.Gzip {
		t.Errorf("two headers: %v", got)
	}
	if got := compress.Choose(nil, compress.Gzip); got != compress.Identity {
		t.Errorf("no header: %v", got)
	}
}

func TestTag(t *testing.T) {
	t.Parallel()
	for _, c := range []compress.Coding{compress.Identity, compress.Gzip, compress.Zstd} {
		for _, tag := range []string{`"12.abc"`, `W/"x"`, `"12.abc-xml"`} {
			if got := compress.Plain(c.Tag(tag)); got != tag {
				t.Errorf("%s in %v: %s", tag, c, got)
			}
		}
	}
	if got := compress.Gzip.Tag(`"12.abc"`); got != `"12.abc-gzip"` {
		t.Error(got)
	}
}

func TestACompressorIsUsedAgain(t *testing.T) {
	t.Parallel()
	open := map[compress.Coding]func(io.Reader) (io.Reader, error){
		compress.Gzip: func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
		compress.Zstd: func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r) },
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
