package schema

import "github.com/entwine-go/entwine/kit/tables"

// IdempotencyRecord is what became of a request with an Idempotency-Key,
// written in the transaction of its effect: which row it was answered with, so
// that a repetition shows of it what the caller may see by then.
type IdempotencyRecord struct{ tables.IdempotencyRecord }
