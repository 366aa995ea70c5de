package files

import (
	"io"
	"os"
)

// sender is a content on the disk: see [Content.Send].
type sender interface {
	send(to func(*os.File, int64) (int64, error)) (int64, error)
}

// Send calls a function with a file of the disk, open where the next bytes of the content are, and with
// their number, and so with each further file of the content. It ends once the function has
// taken less than these, and returns how many were taken. The others are read. It does not call the
// function where the content is not on the disk.
func (c *Content) Send(to func(file *os.File, n int64) (int64, error)) (int64, error) {
	if s, ok := c.ReadCloser.(sender); ok {
		return s.send(to)
	}
	return 0, nil
}

// opened is a part of a file.
type opened struct {
	io.LimitedReader
	file *os.File
}

// send implements sender.
func (o *opened) send(to func(*os.File, int64) (int64, error)) (int64, error) {
	n, err := to(o.file, o.N)
	o.N -= n
	return n, err
}

// Close implements io.Closer.
func (o *opened) Close() error { return o.file.Close() }
