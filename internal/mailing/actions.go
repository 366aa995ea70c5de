package mailing

import (
	"context"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/write"
)

// Emails are the methods behind the actions of schema.Email.
type Emails struct{ *Postman }

// Check says what is wrong with a letter that is to be sent.
func Check(in write.Values, right func(...string) bool) []problem.Detail {
	if !right("template") {
		return nil // what else is needed depends on it
	}
	_, bad := Order{
		To: write.Of[string](in, "to"), Subject: write.Of[string](in, "subject"), Text: write.Of[string](in, "text"),
		HTML: write.Of[string](in, "html"), Template: write.Of[string](in, "template"), Data: write.Of[map[string]any](in, "data"),
	}.judged()
	return bad
}

// Send accepts a letter, and answers with the job that sends it.
func (e Emails) Send(ctx context.Context, in rows.EmailRequest) (write.Result, error) {
	id, err := e.Postman.Send(ctx, Order(in))
	return write.Result{Job: id}, err
}
