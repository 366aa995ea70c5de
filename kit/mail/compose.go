package mail

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"strings"
	"time"
)

// compose returns the message as it goes over the wire: the same bytes each
// time, so that a repeat is one.
func compose(m Message, from mail.Address) ([]byte, error) {
	if err := m.check(); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	for _, h := range [][2]string{
		{"From", from.String()},
		{"To", (&mail.Address{Address: m.To}).String()},
		{"Subject", mime.QEncoding.Encode("utf-8", m.Subject)},
		{"Date", m.Date.UTC().Format(time.RFC1123Z)},
		{"Message-ID", messageID(m, from)},
		{"Auto-Submitted", "auto-generated"},
		{"MIME-Version", "1.0"},
	} {
		fmt.Fprintf(&b, "%s: %s\r\n", h[0], h[1])
	}
	if err := writeBody(&b, m); err != nil {
		return nil, fmt.Errorf("compose message: %w", err)
	}
	return b.Bytes(), nil
}

func messageID(m Message, from mail.Address) string { return "<" + m.ID + "@" + domain(from) + ">" }

func domain(a mail.Address) string { return a.Address[strings.LastIndexByte(a.Address, '@')+1:] }

func writeBody(b *bytes.Buffer, m Message) error {
	if m.HTML == "" {
		b.WriteString("Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n")
		return writeQuoted(b, m.Text)
	}
	// The plain form goes first: a reader shows the last that it can.
	parts := multipart.NewWriter(b)
	if err := parts.SetBoundary(fmt.Sprintf("=_%x", sha256.Sum256([]byte(m.ID)))[:40]); err != nil {
		return err
	}
	fmt.Fprintf(b, "Content-Type: multipart/alternative; boundary=%q\r\n\r\n", parts.Boundary())
	for _, part := range [][2]string{{"text/plain", m.Text}, {"text/html", m.HTML}} {
		w, err := parts.CreatePart(textproto.MIMEHeader{
			"Content-Type":              {part[0] + "; charset=utf-8"},
			"Content-Transfer-Encoding": {"quoted-printable"},
		})
		if err != nil {
			return err
		}
		if err := writeQuoted(w, part[1]); err != nil {
			return err
		}
	}
	return parts.Close()
}

func writeQuoted(w io.Writer, text string) error {
	q := quotedprintable.NewWriter(w)
	if _, err := io.WriteString(q, text); err != nil {
		return err
	}
	return q.Close()
}
