package gql

import (
	"context"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/kit/problem"
)

// SendEmail resolves sendEmail.
func (r *resolver) SendEmail(ctx context.Context, in generated.SendEmailInput) (*generated.Job, error) {
	o := mailing.Order{To: in.To, Subject: optional(in.Subject.Value()), Text: optional(in.Text.Value()), HTML: optional(in.HTML.Value()), Template: optional(in.Template.Value())}
	if data := in.Data.Value(); data != nil {
		members, ok := data.(map[string]any)
		if !ok {
			return nil, problem.Inputs(problem.Invalidf("input.data", nil, "must be an object"))
		}
		o.Data = members
	}
	id, err := r.Postman.Send(ctx, o)
	return jobOf(id, ofInput(err))
}
