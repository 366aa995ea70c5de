package schema

import "github.com/entwine-go/entwine/kit/tables"

// Event says that something was written. The database inserts it, in the
// transaction of the write: see expose.Topic.
type Event struct{ tables.Event }
