package compress

import (
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Writer compresses what is written, until it is closed.
type Writer interface {
	io.WriteCloser
	Flush() error
	Reset(w io.Writer)
}

// How hard is tried: answers are compressed anew each time, so what a level more
// saves on the wire is soon lost in time.
const (
	gzipLevel = 2
	zstdLevel = zstd.SpeedFastest
	// zstdWindow bounds the memory of an encoder, and of the client's decoder.
	zstdWindow = 256 << 10
)

var pools = [...]*sync.Pool{
	Gzip: {New: func() any {
		w, _ := gzip.NewWriterLevel(nil, gzipLevel) // the level is one there is
		return w
	}},
	Zstd: {New: func() any {
		w, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstdLevel), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(zstdWindow), zstd.WithLowerEncoderMem(true))
		if err != nil {
			panic(err) // the options are right
		}
		return w
	}},
}

// NewWriter returns a compressor into w, which is not for Identity. After its
// Close it goes back with [Coding.Release].
func (c Coding) NewWriter(w io.Writer) Writer {
	z := pools[c].Get().(Writer)
	z.Reset(w)
	return z
}

// Release has the compressor used again.
func (c Coding) Release(z Writer) {
	z.Reset(nil)
	pools[c].Put(z)
}

// Append appends the text, compressed as a whole.
func (c Coding) Append(dst, text []byte) ([]byte, error) {
	z := pools[c].Get().(Writer)
	defer c.Release(z)
	if e, ok := z.(*zstd.Encoder); ok {
		return e.EncodeAll(text, dst), nil
	}
	b := appender{dst}
	z.Reset(&b)
	if _, err := z.Write(text); err != nil {
		return dst, err
	}
	err := z.Close()
	return b.text, err
}

type appender struct{ text []byte }

func (a *appender) Write(b []byte) (int, error) {
	a.text = append(a.text, b...)
	return len(b), nil
}
