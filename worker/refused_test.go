package worker_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/policy"
)

// The row of a job says what Ent's client has refused as an API says it: which field, and
// why.
func TestAJobSaysWhatTheClientRefused(t *testing.T) {
	each(t, func(k *kit) {
		client := orm.Client(k.db)
		category := func(name string) *ent.CategoryCreate { return client.Category.Create().SetName(name) }
		ctx := policy.As(k.ctx, "")
		k.try(category("computing").Exec(ctx))
		for _, c := range []struct {
			name string
			work func(ctx context.Context) error
			want string
		}{
			{"a value breaks a rule of the schema", func(ctx context.Context) error { return category("No Slug").Exec(ctx) },
				"the input is not valid: name must be lower-case letters and digits in words joined by hyphens"},
			{"a required field is missing", func(ctx context.Context) error { return client.Category.Create().Exec(ctx) },
				"the input is not valid: name is required"},
			{"another row has the value", func(ctx context.Context) error { return category("computing").Exec(ctx) },
				"another row has the value: name is taken"},
			{"no row is there", func(ctx context.Context) error {
				_, err := client.Category.Get(ctx, 1_000_000)
				return fmt.Errorf("look for a category: %w", err)
			}, "not found"},
			{"the error is the service's own", func(context.Context) error { return errors.New("the password is sesame") }, jobs.InternalError},
		} {
			refused := make(chan struct{})
			stop := k.start(nil, jobs.Handle(jobs.HandlerFunc[note](func(ctx context.Context, j *jobs.Job[note]) error {
				defer close(refused)
				return jobs.Permanent(j.Complete(ctx, c.work))
			})))
			id, err := k.client.Enqueue(k.ctx, note{}, jobs.Options{})
			k.try(err)
			<-refused
			stop(k.ctx)
			if j := k.job(id); value(j.Error) != c.want {
				k.Errorf("%s: the row says %q, want %q", c.name, value(j.Error), c.want)
			}
		}
	})
}

// value is the value of a nullable field.
func value(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
