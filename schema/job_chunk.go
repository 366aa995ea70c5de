package schema

import "github.com/entwine-go/entwine/kit/tables"

// JobChunk is a part of a job's result, written while the job runs. It counts
// once the job has succeeded under the same fence.
type JobChunk struct{ tables.JobChunk }
