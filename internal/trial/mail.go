package trial

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/emersion/go-sasl"
	"github.com/emersion/go-smtp"
)

// MailServer is an SMTP server that demands a login, over TLS unless it is
// plain, and passes on what it is sent.
type MailServer struct {
	URL      string // with the password, as the setting has it
	trust    string // the file with its certificate
	password string
	Received chan string
}

// ServeMail starts a mail server: "smtp" without TLS, "starttls", or "smtps".
func ServeMail(t *testing.T, mode, password string) *MailServer {
	t.Helper()
	s := &MailServer{password: password, Received: make(chan string, 100), trust: filepath.Join(t.TempDir(), "cert.pem")}
	config := &tls.Config{Certificates: []tls.Certificate{s.certificate(t)}}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := smtp.NewServer(s)
	server.AllowInsecureAuth = mode == "smtp"
	address := "entwine:" + password + "@" + l.Addr().String()
	switch mode {
	case "smtp":
		s.URL = "smtp://" + address
	case "starttls":
		s.URL, server.TLSConfig = "smtp://"+address+"?tls=required", config
	case "smtps":
		s.URL, l = "smtps://"+address, tls.NewListener(l, config)
	}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	return s
}

// certificate makes one that is good for this machine, and trusted by a program that reads the file.
func (s *MailServer) certificate(t *testing.T) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(s.trust, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// Settings have a service send its mail there.
func (s *MailServer) Settings() []string {
	return []string{"ENTWINE_SMTP_URL=" + s.URL, "SSL_CERT_FILE=" + s.trust, "ENTWINE_RESET_URL=https://app.example.com/reset"}
}

var resetLink = regexp.MustCompile(`https://app\.example\.com/reset\?token=3?D?([0-9a-f=\r\n]+)`)

// ResetToken waits for a mail and returns the token in it.
func (s *MailServer) ResetToken(t *testing.T) string {
	t.Helper()
	select {
	case content := <-s.Received:
		found := resetLink.FindStringSubmatch(content)
		if found == nil {
			t.Fatalf("there is no link in %s", content)
		}
		return regexp.MustCompile(`[=\r\n]`).ReplaceAllString(found[1], "")[:64]
	case <-time.After(time.Minute):
		t.Fatal("no mail comes")
	}
	return ""
}

// NewSession implements smtp.Backend.
func (s *MailServer) NewSession(*smtp.Conn) (smtp.Session, error) {
	return &mailSession{server: s}, nil
}

type mailSession struct {
	server *MailServer
	known  bool
}

func (s *mailSession) AuthMechanisms() []string { return []string{sasl.Plain} }

func (s *mailSession) Auth(string) (sasl.Server, error) {
	return sasl.NewPlainServer(func(_, user, password string) error {
		if s.known = user == "entwine" && password == s.server.password; !s.known {
			return smtp.ErrAuthFailed
		}
		return nil
	}), nil
}

func (s *mailSession) Mail(string, *smtp.MailOptions) error {
	if !s.known {
		return smtp.ErrAuthRequired
	}
	return nil
}

func (s *mailSession) Rcpt(string, *smtp.RcptOptions) error { return nil }

func (s *mailSession) Data(r io.Reader) error {
	content, err := io.ReadAll(r)
	s.server.Received <- string(content)
	return err
}

func (s *mailSession) Reset() {}

func (s *mailSession) Logout() error { return nil }
