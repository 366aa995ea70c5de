package store

import (
	"bytes"
	"database/sql/driver"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"slices"
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

// A read takes all that the server has sent, also where the caller asks for less.
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

// message is one as PostgreSQL sends it.
func message(kind byte, body ...byte) []byte {
	return append(binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(body)+4)), body...)
}

// dribbled is a connection over which so many bytes come at a time.
type dribbled struct {
	spoken
	most int
}

func (d *dribbled) Read(b []byte) (int, error) { return d.says.Read(b[:min(len(b), d.most)]) }

// Rows are taken wherever what is sent is cut, and lib/pq reads all the rest.
func TestRowsAreTakenOutOfWhatIsSent(t *testing.T) {
	t.Parallel()
	row := func(text string) []byte {
		return message('D', append([]byte{0, 2, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, byte(len(text))}, text...)...)
	}
	before := slices.Concat(message('N', make([]byte, 700)...), message('2'))
	after := slices.Concat(message('N', 'D', 0, 0), message('C', []byte("SELECT 2")...), message('Z', 'I'))
	said := slices.Concat(before, row("first"), message('S'), row(""), row("third"), after)
	for most := 1; most < 40; most++ {
		for part := 1; part < 40; part += 7 {
			w := &wire{plain: true, Conn: &dribbled{spoken{says: bytes.NewReader(said)}, most}}
			var heard, rows []byte
			buffer := make([]byte, part)
			for range 10 / part { // a message has begun when the statement runs
				n, _ := w.Read(buffer)
				heard = append(heard, buffer[:n]...)
			}
			w.sieve.take(make(columns, 2), func(values []driver.Value) error {
				if values[0] != nil {
					t.Error("null came as", values[0])
				}
				rows = append(append(rows, values[1].(*Sent).Bytes...), '.')
				return nil
			})
			for {
				n, err := w.Read(buffer)
				if heard = append(heard, buffer[:n]...); err != nil {
					break
				}
			}
			if err := w.sieve.outcome(); err != nil || string(rows) != "first..third." {
				t.Fatalf("by %d and %d bytes the rows are %q, %v", most, part, rows, err)
			}
			if want := slices.Concat(before, message('S'), after); !bytes.Equal(heard, want) {
				t.Fatalf("by %d and %d bytes lib/pq heard %q, want %q", most, part, heard, want)
			}
		}
	}
}

// A row that is none is an error, and nothing is read beyond it.
func FuzzARowIsSplit(f *testing.F) {
	for _, body := range []string{"", "\x00", "\x00\x01", "\x00\x02\xff\xff\xff\xff\x00\x00\x00\x01a", "\x00\x02\x00\x00\x00\x09a\x00\x00\x00\x00", "\x00\x03"} {
		f.Add([]byte(body))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var s sieve
		s.take(make(columns, 2), func(values []driver.Value) error {
			if len(values) != 2 || !bytes.HasPrefix(body, []byte{0, 2}) {
				t.Errorf("%q is a row of %d values", body, len(values))
			}
			return nil
		})
		s.pass(body)
		if err := s.outcome(); err != nil && !errors.Is(err, errMangled) {
			t.Error(err)
		}
	})
}
