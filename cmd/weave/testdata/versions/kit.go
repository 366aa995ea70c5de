// Package schema is of a service without accounts.
package schema

import "github.com/entwine-go/entwine/kit/tables"

// The tables of the kit: each has a comment there.
type (
	Event             struct{ tables.Event }
	IdempotencyRecord struct{ tables.IdempotencyRecord }
	TrustedDocument   struct{ tables.TrustedDocument }
	Job               struct{ tables.Job }
	JobChunk          struct{ tables.JobChunk }
	DeprecatedUse     struct{ tables.DeprecatedUse }
)
