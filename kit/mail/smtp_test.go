package mail_test

import (
	"context"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"mime/quotedprintable"
	"net"
	netmail "net/mail"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"

	"github.com/entwine-go/entwine/kit/mail"
)

var message = mail.Message{
	ID: "42.reset", Date: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), To: "ada@example.com",
	Subject: "Grüße, Ada", Text: "Follow the link =\n.\nThat is all.\n", HTML: "<p>Follow the <a href=\"https://x.example/?a=1\">link</a>",
}

func TestAServerGetsTheMessage(t *testing.T) {
	server := serve(t)
	sender := server.sender(t, "ada:secret@")
	if err := sender.Send(t.Context(), message); err != nil {
		t.Fatal(err)
	}
	if len(server.received) != 1 {
		t.Fatalf("%d messages arrived, want 1", len(server.received))
	}
	got := server.received[0]
	if got.from != "no-reply@example.com" || got.to != "ada@example.com" || got.user != "ada" {
		t.Errorf("envelope %q -> %q as %q", got.from, got.to, got.user)
	}
	m, err := netmail.ReadMessage(strings.NewReader(got.content))
	if err != nil {
		t.Fatal(err)
	}
	subject, err := new(mime.WordDecoder).DecodeHeader(m.Header.Get("Subject"))
	if err != nil || subject != message.Subject {
		t.Errorf("subject %q, %v", subject, err)
	}
	if id := m.Header.Get("Message-ID"); id != "<42.reset@example.com>" {
		t.Errorf("message id %q", id)
	}
	if date, err := m.Header.Date(); err != nil || !date.Equal(message.Date) {
		t.Errorf("date %v, %v", date, err)
	}
	text, html := parts(t, m)
	if text != strings.ReplaceAll(message.Text, "\n", "\r\n") || html != message.HTML {
		t.Errorf("text %q, html %q", text, html)
	}
}

func TestARepeatIsTheSameMessage(t *testing.T) {
	server := serve(t)
	sender := server.sender(t, "")
	for range 2 {
		if err := sender.Send(t.Context(), message); err != nil {
			t.Fatal(err)
		}
	}
	if server.received[0] != server.received[1] {
		t.Errorf("%q differs from %q", server.received[0], server.received[1])
	}
}

func TestPermanentTellsWhetherTryingAgainHelps(t *testing.T) {
	server := serve(t)
	sender := server.sender(t, "")
	for _, c := range []struct {
		name      string
		change    func(*mail.Message)
		permanent bool
	}{
		{"the mailbox is full", func(m *mail.Message) { m.To = "full@example.com" }, false},
		{"there is no such mailbox", func(m *mail.Message) { m.To = "nobody@example.com" }, true},
		{"the recipient is not one", func(m *mail.Message) { m.To = "ada@example.com>\r\nRCPT TO:<eve@example.com" }, true},
		{"the subject has lines", func(m *mail.Message) { m.Subject = "Hi\r\nBcc: eve@example.com" }, true},
		{"the id has signs", func(m *mail.Message) { m.ID = "a>b" }, true},
	} {
		m := message
		c.change(&m)
		err := sender.Send(t.Context(), m)
		if err == nil || mail.Permanent(err) != c.permanent {
			t.Errorf("%s: %v, permanent %v, want %v", c.name, err, mail.Permanent(err), c.permanent)
		}
	}
	if len(server.received) != 0 {
		t.Errorf("%d messages arrived", len(server.received))
	}
}

func TestTheContextEndsASilentServer(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		if conn, err := l.Accept(); err == nil {
			defer conn.Close()
			cancel()
			_, _ = io.Copy(io.Discard, conn)
		}
	}()
	sender, err := mail.ParseURL("smtp://"+l.Addr().String(), "no-reply@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if err := sender.Send(ctx, message); !errors.Is(err, context.Canceled) || mail.Permanent(err) {
		t.Errorf("Send = %v, want the context's error", err)
	}
	if err := sender.Ready(ctx); err == nil {
		t.Error("a silent server is ready")
	}
}

func TestTLSThatIsRequiredAndMissing(t *testing.T) {
	server := serve(t)
	sender, err := mail.ParseURL("smtp://"+server.addr+"?tls=required", "no-reply@example.com")
	if err != nil {
		t.Fatal(err)
	}
	if err := sender.Send(t.Context(), message); err == nil || !strings.Contains(err.Error(), "does not offer TLS") {
		t.Errorf("Send = %v", err)
	}
	if err := sender.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "does not offer TLS") {
		t.Errorf("Ready = %v", err)
	}
	if err := server.sender(t, "").Ready(t.Context()); err != nil {
		t.Errorf("a server that greets is not ready: %v", err)
	}
}

func TestParseURL(t *testing.T) {
	for text, want := range map[string]string{
		"smtp://mail.example.com":            "mail.example.com:587",
		"smtps://u:p@mail.example.com":       "mail.example.com:465",
		"smtp://[::1]:25?tls=required":       "[::1]:25",
		"https://mail.example.com":           "must begin with",
		"smtp://":                            "must name a host",
		"smtp://h?starttls=no":               "only ?tls=required",
		"smtp://u:hush%zz@mail.example.com/": "must be a URL",
	} {
		s, err := mail.ParseURL(text, "Entwine <no-reply@example.com>")
		if err != nil {
			if !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "hush") {
				t.Errorf("ParseURL(%q): %v, want %q", text, err, want)
			}
			continue
		}
		if s.Addr != want || s.From.Name != "Entwine" {
			t.Errorf("ParseURL(%q) = %+v, want %q", text, s, want)
		}
	}
}

// server is an SMTP server that keeps what it gets.
type server struct {
	addr     string
	mu       sync.Mutex
	received []received
}

type received struct{ user, from, to, content, failed string }

func serve(t *testing.T) *server {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &server{addr: l.Addr().String()}
	smtpServer := smtp.NewServer(s)
	smtpServer.AllowInsecureAuth = true
	go func() { _ = smtpServer.Serve(l) }()
	t.Cleanup(func() { _ = smtpServer.Close() })
	return s
}

func (s *server) sender(t *testing.T, user string) *mail.SMTP {
	t.Helper()
	sender, err := mail.ParseURL("smtp://"+user+s.addr, "Entwine <no-reply@example.com>")
	if err != nil {
		t.Fatal(err)
	}
	return sender
}

// NewSession implements smtp.Backend.
func (s *server) NewSession(*smtp.Conn) (smtp.Session, error) { return &session{server: s}, nil }

type session struct {
	server *server
	received
}

func (s *session) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *session) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if password != "secret" {
			return smtp.ErrAuthFailed
		}
		s.user = user
		return nil
	}), nil
}

func (s *session) Mail(from string, _ *smtp.MailOptions) error { s.from = from; return nil }

func (s *session) Rcpt(to string, _ *smtp.RcptOptions) error {
	switch to {
	case "full@example.com":
		return &smtp.SMTPError{Code: 452, Message: "the mailbox is full"}
	case "nobody@example.com":
		return &smtp.SMTPError{Code: 550, Message: "no such mailbox"}
	}
	s.to = to
	return nil
}

func (s *session) Data(r io.Reader) error {
	content, err := io.ReadAll(r)
	if s.content = string(content); err != nil {
		s.failed = err.Error()
	}
	s.server.mu.Lock()
	defer s.server.mu.Unlock()
	s.server.received = append(s.server.received, s.received)
	return err
}

func (s *session) Reset()        {}
func (s *session) Logout() error { return nil }

// parts returns both forms of a message.
func parts(t *testing.T, m *netmail.Message) (text, html string) {
	t.Helper()
	_, params, err := mime.ParseMediaType(m.Header.Get("Content-Type"))
	if err != nil {
		t.Fatal(err)
	}
	reader := multipart.NewReader(m.Body, params["boundary"])
	var both []string
	for {
		part, err := reader.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(quotedprintable.NewReader(part))
		if err != nil {
			t.Fatal(err)
		}
		both = append(both, string(content))
	}
	if len(both) != 2 {
		t.Fatalf("%d parts", len(both))
	}
	return both[0], both[1]
}
