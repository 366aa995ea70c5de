// Package clamdtest speaks the protocol of clamd in tests, as far as files are judged by it:
// INSTREAM, with the length before each chunk, StreamMaxLength, and one signature; and PING.
package clamdtest

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/kit/files/clamd"
)

// EICAR is the text that every scanner of viruses takes for one.
const EICAR = `X5O!P%@AP[4\PZX54(P^)7CC)7}$EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*`

// Signature is clamd's name for it.
const Signature = "Win.Test.EICAR_HDB-1"

// Server answers as clamd does.
type Server struct {
	clamd.Daemon
	// Limit is its StreamMaxLength.
	Limit int64
	// Away has it close connections without an answer.
	Away atomic.Bool
	// Scans are how many contents it has judged.
	Scans atomic.Int64
}

// Start listens until the test ends, on "tcp" or "unix", there at the path.
func Start(t testing.TB, network, address string) *Server {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), network, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	s := &Server{Daemon: clamd.Daemon{Network: network, Address: l.Addr().String()}, Limit: 25 << 20}
	go func() {
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			go s.serve(conn)
		}
	}()
	return s
}

func (s *Server) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	command, err := in.ReadString(0)
	switch {
	case s.Away.Load() || err != nil:
		return
	case command == "zPING\x00":
		_, _ = io.WriteString(conn, "PONG\x00")
		return
	case command != "zINSTREAM\x00":
		return
	}
	var content bytes.Buffer
	for {
		var size uint32
		if err := binary.Read(in, binary.BigEndian, &size); err != nil {
			return
		}
		if size == 0 {
			break
		}
		if int64(content.Len())+int64(size) > s.Limit {
			_, _ = io.WriteString(conn, "INSTREAM size limit exceeded. ERROR\x00")
			return
		}
		if _, err := io.CopyN(&content, in, int64(size)); err != nil {
			return
		}
	}
	answer := "stream: OK\x00"
	if bytes.Contains(content.Bytes(), []byte(EICAR)) {
		answer = "stream: " + Signature + " FOUND\x00"
	}
	s.Scans.Add(1)
	_, _ = io.WriteString(conn, answer)
}
