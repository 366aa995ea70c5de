package mail

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/smtp"
	"net/url"
	"time"
)

// SMTP sends through a server.
type SMTP struct {
	// Addr is the server's host:port.
	Addr string
	// TLS says how the connection is protected.
	TLS TLSMode
	// User and Password authenticate, where User is not empty. They are sent
	// over TLS or to this machine only.
	User, Password string
	// From is the sender of messages.
	From mail.Address
	// Config is the TLS configuration, nil for the default one.
	Config *tls.Config
	// Timeout bounds one message, but for what is attached: 30 s if 0.
	Timeout time.Duration
}

// slowest is how many bytes of an attachment are sent in a second at least.
const slowest = 128 << 10

// TLSMode says how a connection is protected.
type TLSMode int

// The modes.
const (
	// StartTLS switches to TLS if the server offers it.
	StartTLS TLSMode = iota
	// RequireTLS switches to TLS and refuses a server that does not offer it.
	RequireTLS
	// ImplicitTLS speaks TLS from the first byte.
	ImplicitTLS
)

// ParseURL returns the server that a URL names: smtp://user:password@host:587
// with STARTTLS where it is offered (?tls=required insists on it), smtps://
// with TLS from the start. Ports are 587 and 465 by default. Anything else
// than the address of the sender, which is from, follows from the URL.
func ParseURL(text, from string) (*SMTP, error) {
	u, err := url.Parse(text)
	if err != nil {
		return nil, errors.New("must be a URL, as in smtp://user:password@mail.example.com:587") // err shows the password
	}
	s := &SMTP{}
	port := "587"
	switch u.Scheme {
	case "smtp":
	case "smtps":
		s.TLS, port = ImplicitTLS, "465"
	default:
		return nil, errors.New("must begin with smtp:// or smtps://")
	}
	if u.Hostname() == "" {
		return nil, errors.New("must name a host, as in smtp://mail.example.com:587")
	}
	if u.Port() != "" {
		port = u.Port()
	}
	s.Addr = net.JoinHostPort(u.Hostname(), port)
	for name, values := range u.Query() {
		if name != "tls" || len(values) != 1 || values[0] != "required" {
			return nil, errors.New("only ?tls=required may follow the host")
		}
		if s.TLS == StartTLS {
			s.TLS = RequireTLS
		}
	}
	if u.User != nil {
		s.User = u.User.Username()
		s.Password, _ = u.User.Password()
	}
	address, err := mail.ParseAddress(from)
	if err != nil {
		return nil, errors.New("the sender must be an address, as in Entwine <no-reply@example.com>")
	}
	s.From = *address
	return s, nil
}

// Send hands the message to the server.
func (s *SMTP) Send(ctx context.Context, m Message) error {
	if err := m.check(); err != nil {
		return err
	}
	timeout := s.Timeout
	if timeout == 0 {
		timeout = 30 * time.Second
	}
	for _, a := range m.Attachments {
		timeout += time.Duration(a.Size/slowest) * time.Second
	}
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	conn, err := s.dial(ctx)
	if err != nil {
		return fmt.Errorf("reach SMTP server: %w", err)
	}
	// The end of the context ends the conversation at any point.
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	if err := s.converse(ctx, conn, m); err != nil {
		if ctx.Err() != nil {
			err = errors.Join(ctx.Err(), err)
		}
		return fmt.Errorf("send message %s: %w", m.ID, err)
	}
	return nil
}

// Ready returns an error unless the server greets, and protects the connection where it
// has to. It does not sign in: a server that counts failures would lock the user out.
func (s *SMTP) Ready(ctx context.Context) error {
	conn, err := s.dial(ctx)
	if err != nil {
		return fmt.Errorf("reach SMTP server: %w", err)
	}
	stop := context.AfterFunc(ctx, func() { _ = conn.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	c, err := s.begin(conn)
	if err != nil {
		return fmt.Errorf("talk to SMTP server: %w", err)
	}
	_ = c.Quit() // how the conversation ends does not matter
	_ = c.Close()
	return nil
}

func (s *SMTP) dial(ctx context.Context) (net.Conn, error) {
	if s.TLS == ImplicitTLS {
		d := tls.Dialer{Config: s.tlsConfig()}
		return d.DialContext(ctx, "tcp", s.Addr)
	}
	var d net.Dialer
	return d.DialContext(ctx, "tcp", s.Addr)
}

func (s *SMTP) host() string {
	host, _, _ := net.SplitHostPort(s.Addr)
	return host
}

func (s *SMTP) tlsConfig() *tls.Config {
	config := &tls.Config{MinVersion: tls.VersionTLS12}
	if s.Config != nil {
		config = s.Config.Clone()
	}
	if config.ServerName == "" {
		config.ServerName = s.host()
	}
	return config
}

// begin greets the server over the connection, and protects that. It closes the
// connection where it fails.
func (s *SMTP) begin(conn net.Conn) (*smtp.Client, error) {
	c, err := smtp.NewClient(conn, s.host())
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	if err = c.Hello(domain(s.From)); err == nil {
		err = s.secure(c)
	}
	if err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// converse speaks SMTP over the connection, and closes it.
func (s *SMTP) converse(ctx context.Context, conn net.Conn, m Message) error {
	c, err := s.begin(conn)
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }() // where it has not quit
	if s.User != "" {
		if err := c.Auth(smtp.PlainAuth("", s.User, s.Password, s.host())); err != nil {
			return fmt.Errorf("authenticate: %w", err)
		}
	}
	if err := c.Mail(s.From.Address); err != nil {
		return err
	}
	if err := c.Rcpt(m.To); err != nil {
		return err
	}
	w, err := c.Data()
	if err != nil {
		return err
	}
	if err := compose(ctx, w, m, s.From); err != nil {
		return err // the connection is closed before the message has an end: the server drops it
	}
	if err := w.Close(); err != nil {
		return err
	}
	// The server has the message: how the conversation ends does not matter.
	_ = c.Quit()
	return nil
}

func (s *SMTP) secure(c *smtp.Client) error {
	if s.TLS == ImplicitTLS {
		return nil
	}
	if ok, _ := c.Extension("STARTTLS"); ok {
		return c.StartTLS(s.tlsConfig())
	}
	if s.TLS == RequireTLS {
		return errors.New("the server does not offer TLS")
	}
	return nil
}
