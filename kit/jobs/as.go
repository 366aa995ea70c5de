package jobs

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// As says as whom jobs of a kind are done: policies judge by it what their handler
// reads and writes. A type of arguments declares it by a method RunsAs() As; a kind
// without one is done as [AsEnqueuer].
//
//	func (Digest) Kind() string    { return "digest" }
//	func (Digest) RunsAs() jobs.As { return jobs.AsRole("editor") }
type As struct {
	system bool
	role   viewer.Role
}

// AsEnqueuer is as whom [Client.Enqueue] was called: the user or the API key of the
// request, with the rights that they have when the job is done, or an anonymous caller.
// A job of a user who may not sign in any more, or of a key that does not work any
// more, fails for good. Jobs that the system enqueues run as the system: those of the
// schedule, of event handlers, and of other jobs that run as the system.
var AsEnqueuer = As{}

// AsSystem is as the system, which every rule admits, within the tenant of the caller
// who enqueued the job.
var AsSystem = As{system: true}

// AsRole is as a user of the role who is none of those there are: no row is their own,
// and what they make has to name another user where it names one. They are of the
// tenant of the caller who enqueued the job.
func AsRole(role viewer.Role) As { return As{role: role} }

// byMember is the member of a job's arguments that says who has enqueued it, where
// that was not the system: the row names a user only as long as there is one.
const byMember = "$by"

// The values of byMember.
const (
	byUser      = "user"
	byKey       = "key"
	byAnonymous = "anonymous"
)

// by is the caller who enqueues, empty for the system.
func by(v *viewer.Viewer) string {
	switch {
	case v.System:
		return ""
	case v.UserID != 0:
		return byUser
	case v.KeyID != 0:
		return byKey
	}
	return byAnonymous
}

// signed adds to the arguments what is to be known of who enqueues them.
func signed(v *viewer.Viewer, as As, args []byte) ([]byte, error) {
	args, err := inTenant(v, args)
	if who := by(v); err == nil && as == AsEnqueuer && who != "" {
		return withMember(args, byMember, strconv.Quote(who))
	}
	return args, err
}

var errGone = problem.New(problem.Forbidden, "the user or the API key that asked for the job may not sign in any more")

// worker returns on whose behalf the job is done, and its arguments without what says so.
func (r *Runner) worker(ctx context.Context, c *Claim, as As) (*viewer.Viewer, []byte, error) {
	who, args, err := worker(c.args)
	if err != nil {
		return nil, nil, Permanent(err)
	}
	said, args, err := takeMember(args, byMember)
	if err != nil {
		return nil, nil, Permanent(err)
	}
	switch {
	case as.system || said == nil && as.role == "":
		return who, args, nil
	case as.role != "":
		return &viewer.Viewer{UserID: viewer.NoUser, Role: as.role, Tenant: who.Tenant}, args, nil
	}
	var enqueuer string
	if err := json.Unmarshal(said, &enqueuer); err != nil {
		return nil, nil, Permanent(fmt.Errorf("find the user who enqueued the job: %w", err))
	}
	if enqueuer == byAnonymous {
		return &viewer.Viewer{Tenant: who.Tenant}, args, nil
	}
	who, err = r.caller(ctx, c, enqueuer)
	return who, args, err
}

// caller reads the user or the API key who has enqueued the job.
func (r *Runner) caller(ctx context.Context, c *Claim, enqueuer string) (*viewer.Viewer, error) {
	if enqueuer == byUser && !c.user.Valid || enqueuer == byKey && !c.key.Valid {
		return nil, Permanent(errGone)
	}
	if r.Caller == nil {
		return nil, Permanent(fmt.Errorf("jobs of the kind %s are done as who enqueues them, and the runner has no Caller that reads those", c.kind))
	}
	who, err := r.Caller(ctx, c.user.Int64, c.key.Int64)
	if err == nil && who == nil {
		err = Permanent(errGone)
	}
	return who, err
}
