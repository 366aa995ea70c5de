package store

import (
	"bytes"
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// spoken is a connection over which a server has said all that it will.
type spoken struct {
	net.Conn
	says  *bytes.Reader
	reads int
}

func (s *spoken) SetReadDeadline(time.Time) error { return nil }

func (s *spoken) Read(b []byte) (int, error) { s.reads++; return s.says.Read(b) }

// What the server has sent is taken at once, however little is asked for.
func TestAPageIsReadAtOnce(t *testing.T) {
	t.Parallel()
	said := bytes.Repeat([]byte("0123456789"), 1000)
	server := &spoken{says: bytes.NewReader(said)}
	w := &wire{Conn: server}
	var heard []byte
	for part := make([]byte, 300); ; {
		n, err := w.Read(part)
		heard = append(heard, part[:n]...)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || n == 0 {
			t.Fatal(n, err)
		}
		if len(heard) < len(said) && w.quiet() {
			t.Error("a connection on which something is unread is called quiet")
		}
	}
	if !bytes.Equal(heard, said) {
		t.Errorf("%d bytes were heard of %d", len(heard), len(said))
	}
	if server.reads != 2 { // and one for the end
		t.Errorf("the connection was read %d times", server.reads)
	}
	if !w.quiet() {
		t.Error("a connection that was heard of just now is not called quiet")
	}
}
