package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
)

// MostAttachments is how many files a message may be sent with.
const MostAttachments = 10

// Email is a message in the mailbox that takes the place of a mail server
// where none is configured.
type Email struct{ tables.Email }

// Policy of the Email.
func (Email) Policy() ent.Policy {
	return policy.Rules{
		Read:  admin,
		Verbs: policy.Verbs{"send": merchants},
	}
}

// Annotations of the Email.
func (Email) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A message in the mailbox that takes the place of a mail server where none is configured."),
		expose.Resource{
			Path: "emails", Operations: expose.ReadOnly(), Derived: tables.EmailDerived(),
			Actions: []expose.Action{{
				Verb: "send", Scope: expose.Collection, Run: expose.InTx, Answer: expose.Answer{Job: "the message is on its way"},
				Comment: "Accepts a message, written out or by a template with its data, and answers with the job that sends it.",
				Detail: "A message that is tried again keeps its Message-ID.\n\n" +
					"The templates are `notice` (`name`, `title`, `text`), `receipt` (`name`, `order`, `lines` of `quantity`, `name` and `total`, `total`, `currency`) " +
					"and `reset` (`name`, `url`). A template has a subject of its own, which `subject` replaces.",
				Input: []ent.Field{
					expose.Email(field.String("to")).
						Comment("The address.").
						Annotations(expose.Example("ada@example.com")),
					expose.Line(field.String("subject")).Optional().
						Comment("The subject, one line of at most 250 bytes. It is required without a template, and replaces that of one.").
						Annotations(expose.Example("Hello")),
					field.Text("text").Optional().
						Comment("The message as plain text. It is required without a template.").
						Annotations(expose.Example("How are you?")),
					field.Text("html").Optional().
						Comment("The same as HTML."),
					field.String("template").Optional().
						Comment("The template that writes the message: notice, receipt or reset."),
					field.JSON("data", map[string]any{}).Optional().
						Comment("The values for the template, by name."),
					expose.Items(field.Strings("attachments"), MostAttachments, 200).Optional().
						Comment("The addresses or ids of files that the caller can read, 10 MiB in all. A copy of none is made: one that is removed before the message is sent has the job fail."),
				},
				Names: expose.Names{Summary: "Send an e-mail", Body: "EmailRequest", BodyComment: "The message to send, and its recipient."},
			}},
		},
	}
}
