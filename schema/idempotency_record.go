package schema

import "github.com/entwine-go/entwine/kit/tables"

// IdempotencyRecord is the result of a request with an Idempotency-Key, written in
// the transaction of its effect: the id of the row in the answer, so that a
// repetition reads it with the caller's rights of that moment.
type IdempotencyRecord struct{ tables.IdempotencyRecord }
