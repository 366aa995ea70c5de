package mail

import (
	"context"
	"fmt"
	"net/mail"

	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Mailbox keeps messages in the database, where admins can read them, in
// place of a server that sends them.
type Mailbox struct {
	DB *store.DB
	// From is whom messages are from.
	From mail.Address
}

// Send keeps the message. A repeat changes nothing.
func (b *Mailbox) Send(ctx context.Context, m Message) error {
	if err := m.check(); err != nil {
		return err
	}
	create := store.Client(b.DB).Email.Create().SetMessageID(messageID(m, b.From)).
		SetSender(b.From.Address).SetRecipient(m.To).SetSubject(m.Subject).SetText(m.Text).SetCreatedAt(m.Date)
	if m.HTML != "" {
		create.SetHTML(m.HTML)
	}
	// In a savepoint, so that a repeat does not end the caller's transaction.
	err := b.DB.InTx(viewer.With(ctx, viewer.System()), func(ctx context.Context) error { return create.Exec(ctx) })
	if err != nil && !store.IsUnique(err) {
		return fmt.Errorf("keep message %s: %w", m.ID, err)
	}
	return nil
}
