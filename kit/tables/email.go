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
		field.JSON("attachments", []EmailAttachment{}).Optional().Immutable().
			Comment("The files that it was sent with.").
			Annotations(expose.Internal()),
	}
}

// EmailAttachment is a file that a message was sent with.
type EmailAttachment struct {
	// Name is the file's name.
	Name string `comment:"The name of the file." json:"name"`
	// MediaType is the media type of its content.
	MediaType string `comment:"What its content is." json:"media_type"`
	// Size is how many bytes it has.
	Size int64 `comment:"How many bytes it has." json:"size"`
	// URL is its address.
	URL string `comment:"The address of the file, which those download who may read it, for as long as it is kept. Empty where it was made for the message alone." json:"url"`
}

// EmailDerived are the fields of every message that are shown with one message.
func EmailDerived() []expose.Derived {
	return []expose.Derived{
		expose.Derived{
			Name: "attachments", Single: true, SQL: `COALESCE({row}.attachments, '[]')`,
			Comment: "The files that it was sent with, in their order.",
			Example: []map[string]any{{"name": "invoice-1.pdf", "media_type": "application/pdf", "size": 48213, "url": "/api/files/wvlz4obqhu3xkmyncdtf5rgjse"}},
		}.Of(EmailAttachment{}),
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
		expose.Resource{Path: "emails", Operations: expose.ReadOnly(), Derived: EmailDerived()},
	}
}
