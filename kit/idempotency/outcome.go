package idempotency

import (
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
)

// Outcome is the outcome of a request, reduced to the parts that a repeated answer
// needs.
type Outcome struct {
	// Status is HTTP's of the first answer.
	Status int
	// Row is the row in the answer, where the answer is one. It is read again for each
	// repetition.
	Row Row
	// Refused is why nothing was done, nil where something was.
	Refused *problem.Error
	// Body is an answer that can't be read again: it is no row, or a list. It has
	// nothing that depends on who may see what, unless View says whose view it was.
	Body []byte
	// View stands for the rights by which the body was written, empty where it
	// is the same for everybody.
	View []byte
	// Replayed is set where the outcome is that of an earlier request.
	Replayed bool
	// Failure is the caller's error, nil where the request
	// succeeded. See [Keeper.Once].
	Failure error
}

// Row names a row of an entity.
type Row struct {
	Entity string
	ID     gid.ID
}

// running reports whether a stored outcome is none yet.
func (o *Outcome) running() bool { return o.Status == 0 }

// accepted is HTTP's status of an answer before the outcome is decided.
const accepted = 202

// decided reports whether a stored outcome of an operation that calls the outside is
// the last: an accepted request is decided later.
func (o *Outcome) decided() bool { return !o.running() && o.Status != accepted }

// lasting reports whether the outcome is the request's for good: requests that
// were done or accepted, and those that a state refused. An input can be
// corrected; rights are judged anew each time; and faults of the service, or
// answers with Retry-After, may pass: the same key is then a new chance.
func (o *Outcome) lasting() bool {
	if o.Refused != nil {
		_, lasts := refusals[o.Refused.Kind]
		return lasts && o.Refused.RetryAfter == 0
	}
	return o.Status >= 200 && o.Status < 300
}
