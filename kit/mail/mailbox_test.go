package mail_test

import (
	netmail "net/mail"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestTheMailboxKeepsAMessageOnce(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		box := &mail.Mailbox{DB: db, From: netmail.Address{Name: "Entwine", Address: "no-reply@example.com"}}
		for range 2 {
			if err := box.Send(t.Context(), message); err != nil {
				t.Fatal(err)
			}
		}
		kept, err := store.Client(db).Email.Query().Only(viewer.With(t.Context(), viewer.System()))
		if err != nil {
			t.Fatal(err)
		}
		if kept.MessageID != "<42.reset@example.com>" || kept.Recipient != message.To || kept.Text != message.Text || *kept.HTML != message.HTML || !kept.CreatedAt.Equal(message.Date) {
			t.Errorf("kept %+v", kept)
		}
	})
}
