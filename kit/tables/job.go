package tables

import (
	"encoding/json"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Job is work that is done after the answer. The row is the truth: it is
// written in the transaction that asks for the work, and Redis only carries
// its id.
type Job struct{ ent.Schema }

// Fields of the Job.
func (Job) Fields() []ent.Field {
	return []ent.Field{
		field.String("kind").Immutable().
			Comment("The kind of work.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Computed(), expose.Example("report")),
		field.Enum("status").Values("queued", "running", "retrying", "succeeded", "failed", "cancelled").Default("queued").
			Comment("Where the job stands. It is retrying between a failed attempt and the next.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Computed(), expose.States(
				expose.On("start").From("queued", "retrying").To("running").BySystem(),
				expose.On("succeed").From("running").To("succeeded").BySystem(),
				expose.On("fail").From("running").To("retrying", "failed").BySystem(),
				expose.On("cancel").From("queued", "running", "retrying").To("cancelled"),
				expose.On("retry").From("failed", "cancelled").To("queued"),
			)),
		expose.Range(field.Float("progress"), 0, 1).Default(0).
			Comment("How much is done, from 0 to 1.").
			Annotations(expose.Computed(), expose.Example(0.5)),
		field.Int("attempts").Default(0).
			Comment("How often it was started since it was last queued.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed()),
		field.Int("max_attempts").Default(10).Immutable().
			Comment("How often it is started before it fails for good.").
			Annotations(expose.Computed()),
		field.Text("error").Optional().Nillable().
			Comment("Why the last attempt failed, null where none did.").
			Annotations(expose.Computed()),
		field.JSON("failures", []JobFailure{}).Optional().
			Comment("The last attempts that failed, at most 20.").
			Annotations(expose.Internal()),
		field.Time("run_at").Default(Now).
			Comment("When it is started at the earliest.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed()),
		field.Time("started_at").Optional().Nillable().
			Comment("When the last attempt started, null before the first.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed()),
		field.Time("finished_at").Optional().Nillable().
			Comment("When it succeeded, failed for good or was cancelled.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed()),
		field.JSON("args", json.RawMessage{}).Immutable().
			Comment("The arguments of the work.").
			Annotations(expose.Internal()),
		field.String("subject").Optional().Nillable().Immutable().
			Comment("The row that the work is about, its type and its id: Note:7. Null for work that is not about one row.").
			Annotations(expose.By(expose.Filter), expose.Computed(), expose.Example("Note:7")),
		field.String("queue").Default("default").Immutable().
			Comment("The queue it waits in.").
			Annotations(expose.Internal()),
		field.String("unique_key").Optional().Nillable().Immutable().
			Comment("A key that at most one unfinished job of a kind has.").
			Annotations(expose.Internal()),
		field.Time("tick").Optional().Nillable().Immutable().
			Comment("The moment of the schedule that it belongs to: no two jobs of a kind have the same, finished or not.").
			Annotations(expose.Internal()),
		field.Int64("fence").Default(0).
			Comment("The number of the claim: a worker with an older one can write nothing.").
			Annotations(expose.Internal()),
		field.Time("lease_until").Optional().Nillable().
			Comment("Until when the claim holds unless it is renewed.").
			Annotations(expose.Internal()),
		field.Int64("generation").Default(0).
			Comment("How often it was rung, part of its task's id.").
			Annotations(expose.Internal()),
		field.Time("rung_at").Optional().Nillable().
			Comment("When its task was last enqueued in asynq.").
			Annotations(expose.Internal()),
		field.Time("ring_at").Default(Now).
			Comment("When the sweeper looks after it next; while it runs, when its lease ends.").
			Annotations(expose.Internal()),
		field.String("epoch").Optional().Nillable().
			Comment("The Redis that has its task, null where none has.").
			Annotations(expose.Internal()),
		field.String("result_url").Optional().Nillable().
			Comment("Where the result can be downloaded, null while there is none and once it is no longer kept.").
			Annotations(expose.Computed(), expose.Href(), expose.Example("/api/v1/jobs/42/result")),
		field.String("result_type").Optional().Nillable().
			Comment("The media type of the result, null while there is none.").
			Annotations(expose.Internal()),
		field.String("result_name").Optional().Nillable().
			Comment("The file name of the result.").
			Annotations(expose.Internal()),
		field.Int64("result_size").Optional().Nillable().
			Comment("The size of the result in bytes.").
			Annotations(expose.Internal()),
		field.Time("result_until").Optional().Nillable().
			Comment("Until when the result is kept.").
			Annotations(expose.Internal()),
		field.String("traceparent").Optional().Nillable().
			Comment("The trace of the request that asked for it, as W3C writes it: null where that was not traced.").
			Annotations(expose.Internal()),
		field.Int64("user_id").Optional().Nillable().
			Comment("The user who started it, null where that was not a user.").
			Annotations(expose.By(expose.Filter), expose.Computed()),
		field.Int64("key_id").Optional().Nillable().
			Comment("The API key that started it.").
			Annotations(expose.Internal()),
	}
}

// Mixin of the Job.
func (Job) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}}
}

// Edges of the Job.
func (Job) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("chunks", JobChunk.Type).
			Comment("The parts of its result.").
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Indexes of the Job.
func (Job) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("user_id", "created_at", "id"),
		index.Fields("key_id"),
		index.Fields("subject", "created_at", "id").Annotations(entsql.IndexWhere("subject IS NOT NULL")),
		// The sweeper reads these indexes, which have no finished jobs.
		index.Fields("ring_at").Annotations(entsql.IndexWhere("finished_at IS NULL")),
		index.Fields("epoch").Annotations(entsql.IndexWhere("finished_at IS NULL AND epoch IS NOT NULL")),
		index.Fields("kind", "unique_key").Unique().Annotations(entsql.IndexWhere("finished_at IS NULL")),
		index.Fields("kind", "tick").Unique().Annotations(entsql.IndexWhere("tick IS NOT NULL")),
		index.Fields("finished_at").Annotations(entsql.IndexWhere("finished_at IS NOT NULL")),
		index.Fields("result_until").Annotations(entsql.IndexWhere("result_until IS NOT NULL")),
	}
}

// Policy of the Job: it belongs to the user or the API key that started it.
func (Job) Policy() ent.Policy {
	theirs := policy.Any(policy.Owner("user_id"), policy.KeyOwner("key_id"), policy.Roles(viewer.Admin))
	return policy.Rules{Read: theirs, Verbs: policy.Verbs{"cancel": theirs, "retry": theirs}}
}

// Annotations of the Job.
func (Job) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("Work that is done after the answer."),
		expose.Resource{Path: "jobs", Operations: expose.ReadOnly(), Actions: JobActions(), Events: JobEvents(), Derived: JobDerived()},
	}
}

// JobFailure is an attempt at a job that failed.
type JobFailure struct {
	// Attempt is which start it was, since the job was last queued.
	Attempt int64 `comment:"Which start it was, since the job was last queued." json:"attempt"`
	// Began and Ended are when it started and failed, as RFC 3339 writes them.
	Began string `comment:"When it started." json:"began"`
	Ended string `comment:"When it failed."  json:"ended"`
	// Error is why it failed.
	Error string `comment:"Why." json:"error"`
}

// JobArgument is an argument of a job, as far as its kind shows it.
type JobArgument struct {
	// Name is the key of the argument in JSON.
	Name string `comment:"The name of the argument." json:"name"`
	// Value is a dash where the kind does not show it.
	Value string `comment:"Its value: a text, or anything else as JSON. A dash stands for a value that is not shown." json:"value"`
}

// JobDerived are the fields of every job that are shown with one job.
func JobDerived() []expose.Derived {
	return []expose.Derived{
		expose.Derived{
			Name: "failures", Single: true, SQL: `COALESCE({row}.failures, '[]')`,
			Comment: "The last 20 attempts that failed, the newest last. One whose worker ended without a word is not among them.",
			Example: []map[string]any{{"attempt": 1, "began": "2026-01-02T03:04:05Z", "ended": "2026-01-02T03:04:06Z", "error": "the mail server did not answer"}},
		}.Of(JobFailure{}),
		expose.Derived{
			Name: "arguments", Single: true, SQL: `COALESCE({row}.args -> '@shown', '[]')`,
			Comment: "What it was asked to do, as far as its kind shows that: the first 20 arguments. A job of an event has none: subject says what it is about.",
			Example: []map[string]any{{"name": "type", "value": "sales"}, {"name": "to", "value": "—"}},
		}.Of(JobArgument{}),
	}
}

// JobActions are the actions of every job.
func JobActions() []expose.Action {
	return []expose.Action{
		{
			Verb: "cancel", Done: "cancelled", Run: expose.InTx,
			Comment: "Ends a job that has not ended yet. Its unfinished work has no effect.",
		},
		{
			Verb: "retry", Done: "retried", Run: expose.InTx,
			Comment: "Queues a job again that has failed or was cancelled, as if it were new.",
		},
	}
}

// JobEvents are the topics of jobs.
func JobEvents() []expose.Topic {
	return []expose.Topic{
		{Name: "job.progress", On: "insert", Payload: []string{"status"}, Feeds: &expose.Subscription{
			Name: "jobProgress", Argument: "id", Present: true, Final: expose.At("status", "succeeded", "failed", "cancelled"),
			Comment: "The current job, and then the job each time that its status or its progress changes.\n" +
				"The stream ends when the job has succeeded, failed or been cancelled.",
		}},
		{Name: "job.progress", On: "update", When: "NEW.status <> OLD.status OR NEW.progress <> OLD.progress", Payload: []string{"status"}},
	}
}
