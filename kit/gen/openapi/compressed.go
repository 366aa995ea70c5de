package openapi

import (
	"bytes"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// Compressed returns the text as the program holds it, with gzip (RFC 1952). The same text
// is always the same bytes, which a version of the library decides, and not one of Go.
func Compressed(text []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err == nil {
		_, err = w.Write(text)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic(fmt.Sprintf("compress into memory: %v", err)) // no write into it fails
	}
	return b.Bytes()
}

// Decompressed returns the text that was compressed. It panics for anything else: the text is
// part of the program.
func Decompressed(data []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		panic(fmt.Sprintf("the embedded document: %v", err))
	}
	text, err := io.ReadAll(r)
	if err != nil {
		panic(fmt.Sprintf("the embedded document: %v", err))
	}
	return text
}
