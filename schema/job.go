package schema

import (
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
)

// Job is work that is done after the answer. The row is the truth: it is
// written in the transaction that asks for the work, and Redis only carries
// its id.
type Job struct{ tables.Job }

// Fields of the Job.
func (j Job) Fields() []ent.Field {
	return append(j.Job.Fields(), expose.File(field.String("result_file"), expose.Issued).Optional().Nillable().
		Comment("The address of the result as a file, to which links can be made, null while there is none and once it is no longer kept.").
		Annotations(expose.Computed(), expose.Example("/api/files/wvlz4obqhu3xkmyncdtf5rgjse")))
}

// Edges of the Job.
func (j Job) Edges() []ent.Edge {
	return append([]ent.Edge{
		edge.To("user", User.Type).Field("user_id").Unique().
			Comment("The user who started it.").
			Annotations(entsql.OnDelete(entsql.SetNull)),
		edge.To("key", APIKey.Type).Field("key_id").Unique().
			Comment("The API key that started it.").
			Annotations(entsql.OnDelete(entsql.SetNull), expose.Hidden()),
	}, j.Job.Edges()...)
}

// Policy of the Job: it belongs to the user or the API key that started it.
func (Job) Policy() ent.Policy {
	return policy.Rules{
		Read: policy.Any(policy.Owner("user_id"), policy.KeyOwner("key_id"), admin),
		Verbs: policy.Verbs{
			"cancel": policy.Any(policy.Owner("user_id"), policy.KeyOwner("key_id"), admin),
			"retry":  policy.Any(policy.Owner("user_id"), policy.KeyOwner("key_id"), admin),
			"report": admin, "sales": admin, "analytics": admin,
		},
	}
}

// Annotations of the Job.
func (Job) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("Work that is done after the answer."),
		expose.Resource{
			Path:       "jobs",
			Operations: expose.ReadOnly(),
			Actions: slices.Concat(tables.JobActions(), []expose.Action{
				{
					Verb: "report", Scope: expose.Unbound, Run: expose.InTx, Answer: expose.Answer{Job: "the report is being generated"},
					Comment: "Accepts a report and answers with the job that makes it. The file is the job's result.",
					Detail: "It has an order in each row for `sales`, by the time it was paid; a user for `users`, by the time they joined; " +
						"a product for `inventory`, by the time it was added.",
					Input: reportInput(),
					Names: expose.Names{
						ID: "generateReport", Path: "/reports/generate", Tag: "Reports", Summary: "Generate a report",
						Body: "ReportRequest", BodyComment: "Which report is wanted.",
					},
				},
			}, figures()),
			Events:  tables.JobEvents(),
			Derived: tables.JobDerived(),
		},
	}
}

// reportInput has the arguments of a report.
func reportInput() []ent.Field {
	return []ent.Field{
		field.Enum("type").Values("sales", "users", "inventory").
			Comment("The subject of the report.").
			Annotations(expose.Example("sales"), expose.Enum("ReportType", "What a report is about.",
				expose.Choice{Value: "sales", Comment: "An order in each row, by the time it was paid."},
				expose.Choice{Value: "users", Comment: "A user in each row, by the time they joined."},
				expose.Choice{Value: "inventory", Comment: "A product in each row, by the time it was added."})),
		field.Enum("format").Values("csv", "json", "xlsx").
			Comment("How it is written.").
			Annotations(expose.Example("csv"), expose.Enum("ReportFormat", "How a report is written.")),
		field.Time("from").Optional().
			Comment("The beginning: a time, or a day in UTC. Everything up to the end without it.").
			Annotations(expose.Moment(), expose.Example("2026-01-01")),
		field.Time("to").Optional().
			Comment("The end: a time, which does not belong to it, or the last day, in UTC. Now without it.").
			Annotations(expose.EndMoment(), expose.Example("2026-02-01")),
	}
}
