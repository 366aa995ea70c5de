package mailing

import (
	"context"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/runtime/writing"
)

// Emails are the methods behind the actions of schema.Email.
type Emails struct{ *Postman }

// Send accepts a letter, and answers with the job that sends it.
func (e Emails) Send(ctx context.Context, in rows.EmailRequest) (writing.Result, error) {
	id, err := e.Postman.Send(ctx, Order(in))
	return writing.Result{Job: id}, err
}
