package jobs_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/viewer"
)

// theirs is done as who enqueues it, and the others as what they say.
type (
	theirs    struct{ Note string }
	system    struct{ theirs }
	editorial struct{ theirs }
)

func (theirs) Kind() string       { return "theirs" }
func (system) Kind() string       { return "systems" }
func (system) RunsAs() jobs.As    { return jobs.AsSystem }
func (editorial) Kind() string    { return "editorial" }
func (editorial) RunsAs() jobs.As { return jobs.AsRole("editor") }

func TestAJobIsDoneAsItsKindDeclares(t *testing.T) {
	each(t, func(k *kit) {
		done, gone := "", int64(0)
		says := func(ctx context.Context) error {
			v := viewer.From(ctx)
			done = fmt.Sprintf("user %v role %q key %d system %v tenant %d", v.UserID > 0, v.Role, v.KeyID, v.System, v.Tenant)
			return nil
		}
		r := jobs.NewRunner(k.db, k.bus, discard,
			jobs.Handle(jobs.HandlerFunc[theirs](func(ctx context.Context, _ *jobs.Job[theirs]) error { return says(ctx) })),
			jobs.Handle(jobs.HandlerFunc[system](func(ctx context.Context, _ *jobs.Job[system]) error { return says(ctx) })),
			jobs.Handle(jobs.HandlerFunc[editorial](func(ctx context.Context, _ *jobs.Job[editorial]) error { return says(ctx) })))
		r.Caller = func(_ context.Context, user, key int64) (*viewer.Viewer, error) {
			switch {
			case key != 0:
				return &viewer.Viewer{KeyID: key, Tenant: 5}, nil
			case user == gone:
				return nil, nil // who is deactivated by now
			}
			return &viewer.Viewer{UserID: user, Role: "user", Tenant: 4}, nil // who was an admin
		}
		k.Cleanup(func() { r.Stop(context.Background()) })
		admin, left, key, none := k.user("ada"), k.user("eve"), &viewer.Viewer{KeyID: 7}, &viewer.Viewer{}
		admin.Role, admin.Tenant, gone = viewer.Admin, 4, left.UserID
		for _, c := range []struct {
			by   *viewer.Viewer
			args jobs.Args
			want string
		}{
			{admin, theirs{}, `user true role "user" key 0 system false tenant 4`},
			{key, theirs{}, `user false role "" key 7 system false tenant 5`},
			{none, theirs{}, `user false role "" key 0 system false tenant 0`},
			{viewer.System(), theirs{}, `user false role "" key 0 system true tenant 0`},
			{viewer.InTenant(3), theirs{}, `user false role "" key 0 system true tenant 3`},
			{admin, system{}, `user false role "" key 0 system true tenant 4`},
			{none, system{}, `user false role "" key 0 system true tenant 0`},
			{admin, editorial{}, `user false role "editor" key 0 system false tenant 4`},
			{viewer.System(), editorial{}, `user false role "editor" key 0 system false tenant 0`},
			{left, theirs{}, ""},
		} {
			id, err := k.client.Enqueue(viewer.With(k.ctx, c.by), c.args, jobs.Options{})
			if err != nil {
				k.Fatal(err)
			}
			done = ""
			k.run(r, id)
			if done != c.want {
				k.Errorf("%+v enqueued %T, which was done as %s, want %s", *c.by, c.args, done, c.want)
			}
			if row := k.job(id); c.want == "" && (row.Status != "failed" || !strings.Contains(*row.Error, "may not sign in any more")) {
				k.Errorf("a job of a user who is gone is %+v", row)
			}
		}
		// A user who was removed leaves a job without one: it is not the system's.
		id, err := k.client.Enqueue(viewer.With(k.ctx, admin), theirs{}, jobs.Options{})
		if err != nil {
			k.Fatal(err)
		}
		if _, err := k.db.ExecContext(k.ctx, "UPDATE jobs SET user_id = NULL WHERE id = $1", id); err != nil {
			k.Fatal(err)
		}
		done = ""
		k.run(r, id)
		if row := k.job(id); done != "" || row.Status != "failed" {
			k.Errorf("the job of a removed user was done as %s: %+v", done, row)
		}
	})
}
