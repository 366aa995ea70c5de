package mail_test

import (
	"context"
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/mail"
)

// provider sends through a provider's own API, in the place of SMTP.
type provider struct{ post func(path, body string) error }

// Send implements mail.Sender: a repetition has the same ID, by which the
// provider knows it.
func (p provider) Send(_ context.Context, m mail.Message) error {
	return p.post("/messages/"+m.ID, strings.Join([]string{m.To, m.Subject, m.Text}, "\n"))
}

// A mailer is any [mail.Sender]: a service names it in app.Service.
func ExampleSender() {
	var sender mail.Sender = provider{post: func(path, body string) error {
		fmt.Printf("POST %s %q\n", path, body)
		return nil
	}}
	err := sender.Send(context.Background(), mail.Message{ID: "reset-1", To: "ada@example.com", Subject: "Your password", Text: "Your code is 123456.", Secrets: []string{"123456"}})
	fmt.Println(err)
	// Output:
	// POST /messages/reset-1 "ada@example.com\nYour password\nYour code is 123456."
	// <nil>
}

// The stored copy of a message has none of its secrets.
func ExampleRedact() {
	fmt.Println(mail.Redact("Your code is 123456.", "123456"))
	// Output: Your code is [redacted].
}
