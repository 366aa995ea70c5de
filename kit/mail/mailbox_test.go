package mail_test

import (
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/internal/notes"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/store"
)

func TestTheMailboxKeepsAMessageOnce(t *testing.T) {
	t.Parallel()
	notes.Each(t, func(t *testing.T, db *store.DB) {
		box := &mail.Mailbox{DB: db, From: netmail.Address{Name: "Entwine", Address: "no-reply@example.com"}}
		for range 2 {
			if err := box.Send(t.Context(), message); err != nil {
				t.Fatal(err)
			}
		}
		rows, err := db.QueryContext(t.Context(), "SELECT message_id, recipient, recipient_fold, text, html, created_at FROM emails")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		n := 0
		for ; rows.Next(); n++ {
			var id, recipient, folded, text, html string
			var at time.Time
			if err := rows.Scan(&id, &recipient, &folded, &text, &html, &at); err != nil {
				t.Fatal(err)
			}
			if id != "<42.reset@example.com>" || recipient != message.To || folded != strings.ToLower(message.To) ||
				text != message.Text || html != message.HTML || !at.Equal(message.Date) {
				t.Errorf("kept %s to %s (%s) at %v: %s %s", id, recipient, folded, at, text, html)
			}
		}
		if n != 1 || rows.Err() != nil {
			t.Errorf("%d messages (%v), want 1", n, rows.Err())
		}
	})
}

func TestAMailboxThatRedacts(t *testing.T) {
	t.Parallel()
	notes.Each(t, func(t *testing.T, db *store.DB) {
		box := &mail.Mailbox{DB: db, From: netmail.Address{Address: "no-reply@example.com"}, Redact: true}
		secret := message
		secret.Text, secret.HTML, secret.Secrets = "Your code is 123456.", `<a href="https://example.com/?token=abc">here</a>`, []string{"123456"}
		if err := box.Send(t.Context(), secret); err != nil {
			t.Fatal(err)
		}
		rows, err := db.QueryContext(t.Context(), "SELECT text, html FROM emails")
		if err != nil {
			t.Fatal(err)
		}
		defer rows.Close()
		var text, html string
		if !rows.Next() || rows.Scan(&text, &html) != nil || rows.Err() != nil {
			t.Fatal("nothing is kept", rows.Err())
		}
		if text != "Your code is [redacted]." || html != `<a href="https://example.com/?token=[redacted]">here</a>` {
			t.Errorf("kept %s %s", text, html)
		}
	})
}
