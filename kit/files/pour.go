package files

import (
	"errors"
	"io"
	"sync"
)

// buffer is how much of a content is read at once. Two buffers of an upload are in memory.
const buffer = 128 << 10

var buffers = sync.Pool{New: func() any { return new([buffer]byte) }}

// pour copies a content to a file, and to its sums in another goroutine: a sum of one buffer is
// made while the next is read and written. The bytes that were read before an error are in both.
func pour(file, sums io.Writer, from io.Reader) (total int64, err error) {
	free, full := make(chan *[buffer]byte, 2), make(chan []byte, 1)
	for range cap(free) {
		free <- buffers.Get().(*[buffer]byte)
	}
	var summing sync.WaitGroup
	summing.Go(func() {
		for b := range full {
			_, _ = sums.Write(b) // a hash takes all
			free <- (*[buffer]byte)(b[:buffer])
		}
	})
	for err == nil {
		b := <-free
		n := 0
		for err == nil && n < buffer {
			var more int
			more, err = from.Read(b[n:])
			n += more
		}
		written, failed := file.Write(b[:n])
		if total += int64(written); failed != nil {
			err = failed
		}
		full <- b[:written]
	}
	close(full)
	summing.Wait()
	for range cap(free) {
		buffers.Put(<-free)
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return total, err
}
