package web

import (
	"io"
	"net"
	"net/http"
	"os"

	"github.com/entwine-go/entwine/kit/internal/fastpath"
)

// SendFile sends n bytes of a file, from where it stands on, as the next bytes of an answer of which
// so many were written: from the disk to the connection, without a copy in this process
// (sendfile(2)). It returns how many were sent: none where the answer is encrypted, compressed or
// of HTTP/2, or a layer still holds some of what was written. The caller writes the others.
func SendFile(w http.ResponseWriter, file *os.File, n, written int64) (int64, error) {
	x := exchangeOf(w)
	if x == nil || x.conn == nil || x.packing || x.bytes != written || fastpath.Off() {
		return 0, nil
	}
	if _, plain := x.conn.Conn.(*net.TCPConn); !plain {
		return 0, nil
	}
	to, ok := x.ResponseWriter.(io.ReaderFrom)
	if !ok {
		return 0, nil
	}
	x.leave() // as a stream does
	sent, err := to.ReadFrom(&io.LimitedReader{R: file, N: n})
	x.bytes += sent
	return sent, err
}

// ReadFrom implements io.ReaderFrom, for [SendFile]. The connection counts as one that waits for its
// client to read.
func (c *conn) ReadFrom(r io.Reader) (int64, error) {
	part, _ := r.(*io.LimitedReader)
	to, plain := c.Conn.(*net.TCPConn)
	if part == nil || !plain {
		return io.Copy(struct{ io.Writer }{c}, r)
	}
	file, ok := part.R.(*os.File)
	if !ok {
		return io.Copy(struct{ io.Writer }{c}, r)
	}
	start, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	c.writing.Lock()
	defer c.writing.Unlock()
	size, sent := part.N, int64(0)
	err = c.slowly(func() (int, error) {
		// Where the deadline interrupts a system's copy by hand, more was read than was sent.
		if _, err := file.Seek(start+sent, io.SeekStart); err != nil {
			return 0, err
		}
		part.N = size - sent
		n, err := to.ReadFrom(part)
		sent += n
		return int(n), err
	})
	part.N = size - sent
	if err != nil {
		c.lost()
	}
	return sent, err
}
