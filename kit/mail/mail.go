// Package mail sends messages to people: through an SMTP server where one is
// configured, into the mailbox of the database otherwise.
//
// It owns what a message looks like on the wire (RFC 5322, MIME) and how it
// is handed over (RFC 5321). When a message is sent, and how often it is
// tried, is left to jobs: a [Sender] tries once. A retry carries the same
// Message-ID, so that mail programs show it once.
package mail

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/mail"
	"net/textproto"
	"strings"
	"time"
)

// Message is one mail to one recipient.
type Message struct {
	// ID is the message's identity, the same each time it is tried: letters,
	// digits, dots and hyphens. It becomes the left half of the Message-ID.
	ID string
	// Date is when the message was asked for.
	Date time.Time
	// To is the recipient's address, without a name.
	To      string
	Subject string // one line
	// Text is the message in plain text, HTML the same with markup, if any.
	Text string
	HTML string
	// Attachments are files that it is sent with, in this order.
	Attachments []Attachment
	// Secrets are the parts of the message that only its reader may know. They are
	// kept nowhere but in the message itself.
	Secrets []string
}

// Attachment is a file that a message is sent with. Its content is read while the message is
// sent, and is never in memory whole.
type Attachment struct {
	// Name is the file's name, MediaType the media type of its content, and Size how many bytes
	// that has.
	Name, MediaType string
	Size            int64
	// URL is where the mailbox says that it can be downloaded, empty where it is kept nowhere.
	URL string
	// Open opens the content. The caller closes it.
	Open func(ctx context.Context) (io.ReadCloser, error)
}

// Sender hands messages over.
type Sender interface {
	// Send tries once. An error that [Permanent] reports will be the same
	// next time; after any other error the message may have been sent.
	Send(ctx context.Context, m Message) error
}

// Within reports whether what the sender is given takes effect with the context's transaction:
// a message is then sent, and its job completed, by one commit.
func Within(s Sender) bool {
	w, says := s.(interface{ Within() bool })
	return says && w.Within()
}

// errMessage is returned for a malformed message.
var errMessage = errors.New("the message can't be sent")

// Permanent reports whether trying again is useless: the message is
// malformed, or the server refused it for good.
func Permanent(err error) bool {
	if reply, ok := errors.AsType[*textproto.Error](err); ok {
		return reply.Code >= 500
	}
	return errors.Is(err, errMessage)
}

// check refuses what could put a header or a recipient into the message that
// its author did not mean.
func (m Message) check() error {
	a, err := mail.ParseAddress(m.To)
	if err != nil || a.Address != m.To {
		return fmt.Errorf("%w: the recipient is not an address", errMessage)
	}
	if strings.ContainsAny(m.Subject, "\r\n") {
		return fmt.Errorf("%w: the subject has more than one line", errMessage)
	}
	if m.ID == "" || strings.IndexFunc(m.ID, notIDChar) >= 0 {
		return fmt.Errorf("%w: the id %q has characters that an id can't have", errMessage, m.ID)
	}
	return nil
}

func notIDChar(r rune) bool {
	return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '.' && r != '-'
}
