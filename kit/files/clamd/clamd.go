// Package clamd has the content of files judged by clamd, the daemon of ClamAV, or by
// whatever else speaks its protocol. A service that imports it for its side effect can name a
// daemon in ENTWINE_FILES_SCANNER:
//
//	clamd://scanner.internal:3310    over TCP
//	clamd:///run/clamav/clamd.sock   over a socket of this machine
//
// It leans on package files for what a scanner is, and leaves to it when content is scanned.
package clamd

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/files"
)

// Daemon is where clamd listens. It implements files.Scanner.
type Daemon struct{ Network, Address string }

func init() {
	files.RegisterScanner("clamd", func(u *url.URL) (files.Scanner, error) { return Open(u) })
}

// Open returns the daemon at an address.
func Open(u *url.URL) (*Daemon, error) {
	switch {
	case u.Host == "" && u.Path != "" && u.Path != "/":
		return &Daemon{"unix", u.Path}, nil
	case u.Hostname() != "" && u.Port() != "" && strings.Trim(u.Path, "/") == "":
		return &Daemon{"tcp", u.Host}, nil
	}
	return nil, errors.New("the address of clamd is clamd://HOST:PORT or clamd:///PATH/TO/SOCKET")
}

// The sizes of the protocol: of what is sent at a time, and of an answer.
const (
	chunk      = 64 << 10
	mostAnswer = 4 << 10
)

// connecting is how long a connection may take to be made.
const connecting = 5 * time.Second

// Scan sends the content by INSTREAM, and returns the signature that clamd finds in it. More
// than clamd's StreamMaxLength is an error: there is no verdict on such a content. No more
// than 64 KiB are in memory.
func (d *Daemon) Scan(ctx context.Context, content io.Reader) (threat string, err error) {
	answer, err := d.ask(ctx, func(conn io.Writer) (connected bool, err error) { return send(conn, content) })
	if err != nil {
		return "", err
	}
	return verdict(answer)
}

// Ready returns an error unless clamd answers PING.
func (d *Daemon) Ready(ctx context.Context) error {
	answer, err := d.ask(ctx, func(conn io.Writer) (connected bool, err error) {
		_, err = io.WriteString(conn, "zPING\x00")
		return true, err
	})
	if err == nil && answer != "PONG" {
		err = fmt.Errorf("clamd answers %q", answer)
	}
	return err
}

// ask sends a command on a connection of its own, and returns what is answered. An error of
// say is the connection's or, where it is not connected to that, of what was to be sent.
func (d *Daemon) ask(ctx context.Context, say func(io.Writer) (connected bool, err error)) (string, error) {
	dialer := net.Dialer{Timeout: connecting}
	conn, err := dialer.DialContext(ctx, d.Network, d.Address)
	if err != nil {
		return "", fmt.Errorf("connect to clamd: %w", err)
	}
	defer func() { _ = conn.Close() }()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	connected, fault := say(conn)
	if fault != nil && !connected {
		return "", fault // the content could not be read
	}
	answer, err := io.ReadAll(io.LimitReader(conn, mostAnswer)) // clamd may have answered, and closed, before all was sent
	text := strings.Trim(string(answer), "\x00\r\n ")
	if text == "" {
		return "", fmt.Errorf("ask clamd: %w", errors.Join(fault, err, ctx.Err(), errSilent))
	}
	return text, nil
}

var errSilent = errors.New("the connection was closed without an answer")

// send writes the content in chunks, each with its length before it, and the empty one that
// ends them. Reading reports whether the error is one of the connection.
func send(conn io.Writer, content io.Reader) (connected bool, err error) {
	if _, err := io.WriteString(conn, "zINSTREAM\x00"); err != nil {
		return true, err
	}
	buf := make([]byte, 4+chunk)
	for {
		n, err := io.ReadFull(content, buf[4:])
		if n > 0 {
			binary.BigEndian.PutUint32(buf, uint32(n))
			if _, err := conn.Write(buf[:4+n]); err != nil {
				return true, err
			}
		}
		switch {
		case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
			_, err := conn.Write(make([]byte, 4))
			return true, err
		case err != nil:
			return false, err
		}
	}
}

// verdict reads an answer: "stream: OK", "stream: Eicar-Signature FOUND", and errors, as
// "INSTREAM size limit exceeded. ERROR".
func verdict(answer string) (threat string, err error) {
	text := strings.TrimPrefix(answer, "stream: ")
	if text == "OK" {
		return "", nil
	}
	if name, found := strings.CutSuffix(text, " FOUND"); found && name != "" {
		return name, nil
	}
	return "", fmt.Errorf("clamd answers %q", answer)
}
