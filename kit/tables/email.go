package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// Email is a message in the mailbox that takes the place of a mail server
// where none is configured.
type Email struct{ ent.Schema }

// Fields of the Email.
func (Email) Fields() []ent.Field {
	return []ent.Field{
		field.String("message_id").Unique().Immutable().
			Comment("The message's identity: a message that is sent twice has the same.").
			Annotations(expose.Computed(), expose.Example("<42@example.com>")),
		field.String("sender").Immutable().
			Comment("The sender.").
			Annotations(expose.Computed(), expose.Example("shop@example.com")),
		field.String("recipient").Immutable().
			Comment("The recipient.").
			Annotations(expose.By(expose.Filter, expose.Search), expose.Scanned(), expose.Computed(), expose.Example("ada@example.com")),
		field.String("subject").Immutable().
			Comment("The subject.").
			Annotations(expose.By(expose.Filter, expose.Search), expose.Scanned(), expose.Computed(), expose.Example("Your receipt")),
		field.Text("text").Immutable().
			Comment("The message as plain text.").
			Annotations(expose.Computed()),
		field.Text("html").Optional().Nillable().Immutable().
			Comment("The message as HTML, null where there is none.").
			Annotations(expose.Computed()),
	}
}

// Mixin of the Email.
func (Email) Mixin() []ent.Mixin {
	return []ent.Mixin{Record{}, Listed{}}
}

// Policy of the Email.
func (Email) Policy() ent.Policy { return policy.Rules{Read: admin} }

// Annotations of the Email.
func (Email) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A message in the mailbox that takes the place of a mail server where none is configured."),
		expose.Resource{Path: "emails", Operations: expose.ReadOnly()},
	}
}
