package mailing

import (
	"context"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// Emails are the methods behind the actions of schema.Email.
type Emails struct{ *Postman }

// Check says what is wrong with a letter that is to be sent.
func Check(in writing.Values, right func(...string) bool) []problem.Detail {
	if !right("template") {
		return nil // what else is needed depends on it
	}
	_, bad := Order{
		To: writing.Of[string](in, "to"), Subject: writing.Of[string](in, "subject"), Text: writing.Of[string](in, "text"),
		HTML: writing.Of[string](in, "html"), Template: writing.Of[string](in, "template"), Data: writing.Of[map[string]any](in, "data"),
	}.judged()
	return bad
}

// Send accepts a letter, and answers with the job that sends it.
func (e Emails) Send(ctx context.Context, in rows.EmailRequest) (writing.Result, error) {
	id, err := e.Postman.Send(ctx, Order(in))
	return writing.Result{Job: id}, err
}
