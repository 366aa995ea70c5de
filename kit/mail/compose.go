package mail

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net/mail"
	"net/textproto"
	"slices"
	"strings"
	"time"
)

// compose writes the message as it goes over the wire: the same bytes each
// time, so that a repeat is one.
func compose(ctx context.Context, w io.Writer, m Message, from mail.Address) error {
	b := bufio.NewWriter(w)
	for _, h := range [][2]string{
		{"From", from.String()},
		{"To", (&mail.Address{Address: m.To}).String()},
		{"Subject", mime.QEncoding.Encode("utf-8", m.Subject)},
		{"Date", m.Date.UTC().Format(time.RFC1123Z)},
		{"Message-ID", messageID(m, from)},
		{"Auto-Submitted", "auto-generated"},
		{"MIME-Version", "1.0"},
	} {
		fmt.Fprintf(b, "%s: %s\r\n", h[0], h[1])
	}
	c := m.texts()
	if len(m.Attachments) > 0 {
		c = multiple("mixed", "mixed "+m.ID, func(parts *multipart.Writer) error {
			if err := m.texts().part(parts); err != nil {
				return err
			}
			for _, a := range m.Attachments {
				if err := a.part(ctx, parts); err != nil {
					return fmt.Errorf("attach %s: %w", a.Name, err)
				}
			}
			return nil
		})
	}
	for _, name := range slices.Sorted(maps.Keys(c.header)) {
		fmt.Fprintf(b, "%s: %s\r\n", name, c.header.Get(name))
	}
	_, err := b.WriteString("\r\n")
	if err == nil {
		err = c.write(b)
	}
	if err != nil {
		return fmt.Errorf("compose message: %w", err)
	}
	return b.Flush()
}

// content is the header fields and the body of a message, or of a part of one.
type content struct {
	header textproto.MIMEHeader
	write  func(w io.Writer) error
}

// part writes the content as a part.
func (c content) part(parts *multipart.Writer) error {
	w, err := parts.CreatePart(c.header)
	if err != nil {
		return err
	}
	return c.write(w)
}

// multiple is a content of several parts. Its boundary follows from the seed.
func multiple(kind, seed string, write func(parts *multipart.Writer) error) content {
	boundary := fmt.Sprintf("=_%x", sha256.Sum256([]byte(seed)))[:40]
	return content{
		textproto.MIMEHeader{"Content-Type": {fmt.Sprintf("multipart/%s; boundary=%q", kind, boundary)}},
		func(w io.Writer) error {
			parts := multipart.NewWriter(w)
			if err := parts.SetBoundary(boundary); err != nil {
				return err
			}
			if err := write(parts); err != nil {
				return err
			}
			return parts.Close()
		},
	}
}

// texts are the message as text, and as HTML where it has that. The plain form goes first: a
// reader shows the last that it can.
func (m Message) texts() content {
	plain := quoted("text/plain", m.Text)
	if m.HTML == "" {
		return plain
	}
	return multiple("alternative", m.ID, func(parts *multipart.Writer) error {
		if err := plain.part(parts); err != nil {
			return err
		}
		return quoted("text/html", m.HTML).part(parts)
	})
}

// quoted is a text that any server passes on.
func quoted(mediaType, text string) content {
	return content{
		textproto.MIMEHeader{"Content-Type": {mediaType + "; charset=utf-8"}, "Content-Transfer-Encoding": {"quoted-printable"}},
		func(w io.Writer) error {
			q := quotedprintable.NewWriter(w)
			if _, err := io.WriteString(q, text); err != nil {
				return err
			}
			return q.Close()
		},
	}
}

// part writes the attachment as a part.
func (a Attachment) part(ctx context.Context, parts *multipart.Writer) error {
	content, err := a.Open(ctx)
	if err != nil {
		return err
	}
	defer content.Close()
	w, err := parts.CreatePart(textproto.MIMEHeader{
		"Content-Type":              {a.MediaType},
		"Content-Disposition":       {mime.FormatMediaType("attachment", map[string]string{"filename": a.Name})},
		"Content-Transfer-Encoding": {"base64"},
	})
	if err != nil {
		return err
	}
	lines := &lineWriter{w: w}
	encoder := base64.NewEncoder(base64.StdEncoding, lines)
	n, err := io.Copy(encoder, content)
	if err != nil {
		return err
	}
	if n != a.Size {
		return fmt.Errorf("it has %d bytes, want %d", n, a.Size)
	}
	return encoder.Close()
}

// lineWriter breaks what is written into lines of 76 characters, as RFC 2045 wants it of base64.
type lineWriter struct {
	w  io.Writer
	at int
}

// Write implements io.Writer.
func (l *lineWriter) Write(b []byte) (int, error) {
	const longest = 76
	for done := 0; done < len(b); {
		if l.at == longest {
			if _, err := io.WriteString(l.w, "\r\n"); err != nil {
				return done, err
			}
			l.at = 0
		}
		n, err := l.w.Write(b[done:min(done+longest-l.at, len(b))])
		if done, l.at = done+n, l.at+n; err != nil {
			return done, err
		}
	}
	return len(b), nil
}

func messageID(m Message, from mail.Address) string { return "<" + m.ID + "@" + domain(from) + ">" }

func domain(a mail.Address) string { return a.Address[strings.LastIndexByte(a.Address, '@')+1:] }
