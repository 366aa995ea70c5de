package mail_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	netmail "net/mail"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/store"
)

// attached is a file of so many bytes.
func attached(name string, size int) (mail.Attachment, []byte) {
	content := bytes.Repeat([]byte("%PDF-\x00\r\n.\r\n"), size)[:size]
	return mail.Attachment{
		Name: name, MediaType: "application/pdf", Size: int64(size), URL: "/api/files/" + name,
		Open: func(context.Context) (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content)), nil },
	}, content
}

func TestAServerGetsTheAttachments(t *testing.T) {
	server := serve(t)
	sender := server.sender(t, "")
	m := message
	a, first := attached("Rechnung für Ada \"1\".pdf", 200_000)
	b, second := attached("2", 1)
	m.Attachments = []mail.Attachment{a, b}
	for range 2 {
		if err := sender.Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	if len(server.received) != 2 || server.received[0] != server.received[1] {
		t.Fatal("a repeat is not the same message")
	}
	got, err := netmail.ReadMessage(strings.NewReader(server.received[0].content))
	if err != nil {
		t.Fatal(err)
	}
	kind, params, err := mime.ParseMediaType(got.Header.Get("Content-Type"))
	if err != nil || kind != "multipart/mixed" {
		t.Fatalf("the message is %s (%v)", kind, err)
	}
	reader := multipart.NewReader(got.Body, params["boundary"])
	texts, err := reader.NextRawPart()
	if err != nil {
		t.Fatal(err)
	}
	text, html := parts(t, &netmail.Message{Header: netmail.Header(texts.Header), Body: texts})
	if text != strings.ReplaceAll(m.Text, "\n", "\r\n") || html != m.HTML {
		t.Errorf("text %q, html %q", text, html)
	}
	for i, want := range [][]byte{first, second} {
		part, err := reader.NextRawPart()
		if err != nil {
			t.Fatal(err)
		}
		encoded, err := io.ReadAll(part)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(string(encoded), "\r\n") {
			if len(line) > 76 {
				t.Fatalf("a line has %d characters", len(line))
			}
		}
		content, err := io.ReadAll(base64.NewDecoder(base64.StdEncoding, bytes.NewReader(encoded)))
		if err != nil || !bytes.Equal(content, want) {
			t.Errorf("attachment %d has %d bytes, want %d (%v)", i, len(content), len(want), err)
		}
		if part.FileName() != m.Attachments[i].Name || part.Header.Get("Content-Type") != "application/pdf" {
			t.Errorf("attachment %d is %q: %v", i, part.FileName(), part.Header)
		}
	}
	if _, err := reader.NextRawPart(); !errors.Is(err, io.EOF) {
		t.Errorf("after the attachments: %v", err)
	}
}

// The server is left with half of a message, which it does not take for one.
func TestAnAttachmentThatCannotBeRead(t *testing.T) {
	server := serve(t)
	m := message
	a, _ := attached("a.pdf", 300_000)
	gone := a
	gone.Open = func(context.Context) (io.ReadCloser, error) { return nil, errors.New("the store is away") }
	short := a
	short.Size++
	for _, bad := range []mail.Attachment{gone, short} {
		m.Attachments = []mail.Attachment{a, bad}
		if err := server.sender(t, "").Send(t.Context(), m); err == nil || mail.Permanent(err) || !strings.Contains(err.Error(), "attach a.pdf") {
			t.Errorf("Send = %v", err)
		}
	}
	server.mu.Lock()
	defer server.mu.Unlock()
	for _, r := range server.received {
		if !strings.Contains(r.failed, "EOF") {
			t.Errorf("the server took a message of %d bytes: %s", len(r.content), r.failed)
		}
	}
}

func TestTheMailboxSaysWhatWasAttached(t *testing.T) {
	t.Parallel()
	notes.Each(t, func(t *testing.T, db *store.DB) {
		m := message
		a, _ := attached("a.pdf", 3)
		m.Attachments = []mail.Attachment{a}
		if err := (&mail.Mailbox{DB: db, From: netmail.Address{Address: "no-reply@example.com"}}).Send(t.Context(), m); err != nil {
			t.Fatal(err)
		}
		var kept string
		rows, err := db.QueryContext(t.Context(), "SELECT attachments FROM emails")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		if !rows.Next() || rows.Scan(&kept) != nil || rows.Err() != nil {
			t.Fatal("nothing is kept", rows.Err())
		}
		if kept = strings.ReplaceAll(kept, ": ", ":"); !strings.Contains(kept, `"name":"a.pdf"`) || !strings.Contains(kept, `"url":"/api/files/a.pdf"`) || !strings.Contains(kept, `"size":3`) {
			t.Errorf("kept %s", kept)
		}
	})
}
