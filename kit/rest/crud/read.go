package crud

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/rest/params"
	"github.com/entwine-go/entwine/kit/write"
)

// readBeside answers with what an action reads, whose input is the query.
func (a *API) readBeside(o *Operation, e *write.Entity, action *write.Action) handler.Handler {
	names := make([]string, len(action.Input))
	for i, f := range action.Input {
		names[i] = f.REST // those of the version are renamed
	}
	return func(ctx context.Context, w http.ResponseWriter) error {
		x := handler.From(ctx)
		if err := x.OnlyQuery(names...); err != nil {
			return err
		}
		call := write.Call{Entity: e, Input: write.Input{API: x.Version.Inputs, Members: asked(x, action)}}
		if o.Row != "" {
			var err error
			if call.ID, err = a.row(ctx, o); err != nil {
				return err
			}
		}
		result, err := a.Engine.Act(ctx, call, action)
		if err != nil {
			return parameters(err)
		}
		body, err := answered(action, result.Members)
		if err != nil {
			return fmt.Errorf("write what %s answers with: %w", x.Operation, err)
		}
		return x.Answer(w, handler.Answer{Body: body, ByHand: true})
	}
}

// answered is the body with what a read answers with: in data, where that is an
// object of its own.
func answered(action *write.Action, members any) ([]byte, error) {
	if action.Answer.Object == "" {
		return handler.Beside(members)
	}
	return handler.Beside(struct {
		Data any `json:"data"`
	}{members})
}

// asked is the input in a query, as JSON would have it.
func asked(x *handler.Exchange, action *write.Action) map[string]any {
	members := map[string]any{}
	query := x.Request.URL.Query()
	for _, f := range action.Input {
		if query.Has(f.REST) {
			members[f.REST] = ofText(f.Field, query.Get(f.REST))
		}
	}
	return members
}

func ofText(f *entity.Field, text string) any {
	switch f.Kind {
	case entity.Int, entity.Float, entity.Money, entity.ID, entity.Ref:
		if json.Valid([]byte(text)) && strings.Trim(text, "+-.0123456789eE") == "" {
			return json.Number(text)
		}
	case entity.Bool:
		if text == "true" || text == "false" {
			return text == "true"
		}
	case entity.Strings:
		items := []any{}
		for _, item := range params.List(text) {
			items = append(items, item)
		}
		return items
	}
	return text
}

// parameters makes of bad inputs bad parameters, which are always 400.
func parameters(err error) error {
	p := problem.As(err)
	if p == nil || p.Kind != problem.Unprocessable {
		return err
	}
	bad := *p
	bad.Kind = problem.Invalid
	return &bad
}
