package write

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

// judgeAction judges the input of an action. Amounts in the currency of the row
// and what the row leads to need it; whether it is absent is reported
// after all that is wrong with the input.
func (e *Engine) judgeAction(ctx context.Context, c *Call, a *Action) (values Values, absent bool, err error) {
	f := e.form(ctx, &Call{Entity: &Entity{Entity: c.Entity.Entity, Fields: a.Input}}, &c.Input, form{making: true, acting: true})
	if a.Scope == expose.Row && (f.needsCurrency() || a.relinks(f.viewer)) {
		if err := idempotency.Claim(ctx); err != nil { // a repetition is not judged by what the row is by then
			return nil, false, err
		}
		get, err := e.get(ctx, c.Entity, c.where()...)
		switch {
		case store.IsNotFound(err):
			absent = true
		case err != nil:
			return nil, false, store.Problem(err)
		}
		f.row = get
	}
	f.judgeNew()
	f.leaveAll(c.Entity, a)
	f.together(e.Judges[c.Entity.Name+"."+a.Verb])
	if err := e.claim(ctx, f.all()...); err != nil {
		return nil, absent, e.unlessMissing(ctx, c, err)
	}
	return f.values, absent, nil
}

// needsCurrency reports whether an amount is named whose currency is the row's.
func (f *form) needsCurrency() bool {
	for i := range f.sent {
		field := f.sent[i].field
		if field.Kind == entity.Money && f.Entity.Field(field.Currency.Name) == nil {
			return true
		}
	}
	return false
}

// all are the form and those of the objects in its lists.
func (f *form) all() []*form {
	all := []*form{f}
	for _, item := range f.items {
		all = append(all, item.all()...)
	}
	return all
}

// objects judges a list of objects: the value is a list of [Values].
func (f *form) objects(field *Field, raw any) (any, *finding) {
	list, ok := raw.([]any)
	switch {
	case !ok:
		return nil, mismatch(field, "an array", raw)
	case len(list) < field.Least:
		return nil, &finding{message: fmt.Sprintf("must be at least %s, not %d", expose.Span(field.Least, field.Least, "items"), len(list)), rule: true, mute: true}
	case field.Most > 0 && len(list) > field.Most:
		return nil, &finding{message: fmt.Sprintf("must be at most %s, not %d", expose.Span(field.Most, field.Most, "items"), len(list)), rule: true, mute: true}
	}
	values := make([]Values, len(list))
	for i, one := range list {
		at := fmt.Sprintf("%s[%d]", f.name(field), i)
		members, ok := one.(map[string]any)
		if !ok {
			f.bad = append(f.bad, problem.Invalidf(at, nil, "must be an object, not %s", typeOf(one)))
			continue
		}
		item := &form{
			Entity: &Entity{Entity: f.Entity.Entity, Fields: field.Members}, viewer: f.viewer, making: true, acting: true, row: f.row,
			in: &Input{API: f.in.API, At: at + ".", Members: members},
		}
		item.begun()
		item.match()
		item.judgeNew()
		f.items = append(f.items, item)
		values[i] = item.values
	}
	return values, nil
}
