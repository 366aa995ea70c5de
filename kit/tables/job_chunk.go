package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/policy"
)

// JobChunk is a part of a job's result, written while the job runs. It counts
// once the job has succeeded under the same fence.
type JobChunk struct{ ent.Schema }

// Fields of the JobChunk.
func (JobChunk) Fields() []ent.Field {
	return []ent.Field{
		field.Int64("fence").Immutable().
			Comment("The claim under which it was written."),
		field.Int64("position").Immutable().
			Comment("Its place in the result, from 0."),
		field.Bytes("data").Immutable().
			Comment("The bytes."),
		field.Int64("job_id").Immutable().
			Comment("The job."),
	}
}

// Mixin of the JobChunk.
func (JobChunk) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}}
}

// Edges of the JobChunk.
func (JobChunk) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("job", Job.Type).Ref("chunks").Field("job_id").Unique().Required().Immutable(),
	}
}

// Indexes of the JobChunk.
func (JobChunk) Indexes() []ent.Index {
	return []ent.Index{index.Fields("job_id", "fence", "position").Unique()}
}

// Policy of the JobChunk.
func (JobChunk) Policy() ent.Policy { return policy.Rules{} }

// Annotations of the JobChunk.
func (JobChunk) Annotations() []schema.Annotation {
	return []schema.Annotation{ours, schema.Comment("A part of a job's result.")}
}
