package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// emailGuards are the guards of the operations in emails.yaml.
var emailGuards = map[string]door.Guard{
	"sendEmail": {Entity: entity.Email, Verb: policy.Send},
}

const emailAccepted = "the message is on its way"

// SendEmail accepts a message: POST /emails/send.
func (o *operations) SendEmail(ctx context.Context, req *server.EmailRequest) (*server.AcceptedHeaders, error) {
	order := mailing.Order{
		To: req.To.Or(""), Subject: req.Subject.Or(""), Text: req.Text.Or(""), HTML: req.HTML.Or(""), Template: req.Template.Or(""),
	}
	if data, ok := req.Data.Get(); ok {
		order.Data = make(map[string]any, len(data))
		for name, raw := range data {
			d := json.NewDecoder(bytes.NewReader(raw))
			d.UseNumber() // a template shows a number as it was written
			var value any
			if err := d.Decode(&value); err != nil {
				return nil, fmt.Errorf("decode data.%s: %w", name, err)
			}
			order.Data[name] = value
		}
	}
	id, err := o.Postman.Send(ctx, order)
	if err != nil {
		return nil, err
	}
	return accepted(ctx, id, emailAccepted), nil
}
