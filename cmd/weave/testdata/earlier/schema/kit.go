// Package schema is the source of truth: one entity in each file.
package schema

import "github.com/entwine-go/entwine/kit/tables"

// The tables of the kit.
type (
	// Event is something that was written: subscriptions tell of it.
	Event struct{ tables.Event }
	// IdempotencyRecord is the answer to a request with an Idempotency-Key.
	IdempotencyRecord struct{ tables.IdempotencyRecord }
	// TrustedDocument is a GraphQL document that clients refer to.
	TrustedDocument struct{ tables.TrustedDocument }
	// Job is work that is done after the answer.
	Job struct{ tables.Job }
	// JobChunk is a part of a job's result.
	JobChunk struct{ tables.JobChunk }
)
