package mail

import (
	"context"
	"encoding/json"
	"fmt"
	"net/mail"

	"github.com/entwine-go/entwine/kit/fold"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Mailbox keeps messages in the database, where admins can read them, in
// place of a server that sends them.
type Mailbox struct {
	DB *store.DB // where the messages are kept
	// From is the sender of messages.
	From mail.Address
	// Redact keeps messages without what is secret in them ([Redact]): an
	// admin who reads them could take it for theirs.
	Redact bool
}

// attached is an attachment as the mailbox keeps it: see tables.EmailAttachment.
type attached struct {
	Name      string `json:"name"`
	MediaType string `json:"media_type"`
	Size      int64  `json:"size"`
	URL       string `json:"url"`
}

var keepText = statement.Of(`
	INSERT INTO emails (message_id, sender, recipient, recipient_fold, subject, subject_fold, text, html, created_at, attachments)
	VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::jsonb)
	ON CONFLICT DO NOTHING`)

// Within is true: a message is a row. See [Within].
func (b *Mailbox) Within() bool { return true }

// Send keeps the message. A repeat changes nothing.
func (b *Mailbox) Send(ctx context.Context, m Message) error {
	if err := m.check(); err != nil {
		return err
	}
	if b.Redact {
		m.Text, m.HTML = Redact(m.Text, m.Secrets...), Redact(m.HTML, m.Secrets...)
	}
	var html any
	if m.HTML != "" {
		html = m.HTML
	}
	var files any
	if len(m.Attachments) > 0 {
		all := make([]attached, len(m.Attachments))
		for i, a := range m.Attachments {
			all[i] = attached{a.Name, a.MediaType, a.Size, a.URL}
		}
		text, err := json.Marshal(all)
		if err != nil {
			return fmt.Errorf("keep message %s: %w", m.ID, err)
		}
		files = string(text)
	}
	_, err := keepText.Exec(ctx, b.DB, messageID(m, b.From), b.From.Address,
		m.To, fold.String(m.To), m.Subject, fold.String(m.Subject), m.Text, html, store.Time(m.Date), files)
	if err != nil {
		return fmt.Errorf("keep message %s: %w", m.ID, err)
	}
	return nil
}
