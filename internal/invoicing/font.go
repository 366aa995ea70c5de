package invoicing

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"fmt"
	"io"
	"sync"
)

// DejaVu Sans has Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew and
// Arabic letters, and the signs of currencies. Chinese, Japanese and Korean
// ones become boxes. The files are without hints and tables of layouts, which a PDF does not
// need (pyftsubset --unicodes='*' --no-hinting --layout-features=), and half of the size when
// compressed. The first invoice decompresses them.
var (
	//go:embed font/DejaVuSans.ttf.gz
	regularFile []byte
	//go:embed font/DejaVuSans-Bold.ttf.gz
	boldFile []byte

	regular = sync.OnceValue(func() []byte { return font(regularFile) })
	bold    = sync.OnceValue(func() []byte { return font(boldFile) })
)

// font decompresses a file that is part of the program.
func font(file []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		panic(fmt.Sprintf("an embedded font: %v", err))
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(fmt.Sprintf("an embedded font: %v", err))
	}
	return text
}
