package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
)

// APIKey lets a program call in its own name. Its secret is shown once and
// stored as a hash.
type APIKey struct{ ent.Schema }

// Fields of the APIKey.
func (APIKey) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("client_name"), 1, 100)).
			Comment("The name of the program that holds it.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Scanned(), expose.Example("warehouse")),
		field.String("prefix").Unique().
			Comment("The beginning of the key, to recognise it by.").
			Annotations(expose.By(expose.Filter), expose.Computed(), expose.Example("ek_3f9a")),
		field.Bytes("secret_hash").Sensitive().
			Comment("The SHA-256 hash of the secret."),
		expose.Items(field.Strings("permissions"), 2, 10).
			Comment("The rights of the key: read, write.").
			Annotations(expose.Example([]string{"read"})),
		field.Time("expires_at").Optional().Nillable().
			Comment("When it expires, null for never.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned()),
		field.Time("revoked_at").Optional().Nillable().
			Comment("When it was revoked, null while it works.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Computed()),
		field.Time("last_used_at").Optional().Nillable().
			Comment("When it was last used, null if never.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Unversioned()),
		apiVersion(field.String("api_version").Optional().Nillable()).
			Comment("The version of REST that requests with the key are for which name none, null for the service's default.").
			Annotations(expose.Computed()),
		field.Int64("creator_id").Optional().Nillable().
			Comment("The admin who made it, null if none did.").
			Annotations(expose.By(expose.Filter), expose.Computed()),
	}
}

// Mixin of the APIKey.
func (APIKey) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}}
}

// Edges of the APIKey.
func (APIKey) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("creator", User.Type).Field("creator_id").Unique().
			Comment("The admin who made it.").
			Annotations(entsql.OnDelete(entsql.SetNull)),
	}
}

// Indexes of the APIKey.
func (APIKey) Indexes() []ent.Index {
	return []ent.Index{index.Fields("creator_id")}
}

// Policy of the APIKey.
func (APIKey) Policy() ent.Policy { return policy.Rules{Read: admin, Verbs: APIKeyVerbs()} }

// APIKeyVerbs are the rules for writes of API keys: admins may do all.
func APIKeyVerbs() policy.Verbs {
	return policy.Verbs{policy.Create: admin, "rotate": admin, "pin": admin, "revoke": admin}
}

// Annotations of the APIKey.
func (APIKey) Annotations() []schema.Annotation {
	permissions := expose.Enum("APIKeyPermission", "What a key may do.",
		expose.Choice{Value: "read", Comment: "Read all that every signed-in user can read."},
		expose.Choice{Value: "write", Comment: "Change what policies let keys change."})
	return []schema.Annotation{
		schema.Comment("A key with which a program calls in its own name."),
		expose.Resource{Path: "api-keys", Operations: expose.ReadOnly(), Actions: APIKeyActions(permissions, "changes what policies let keys change")},
	}
}

// APIKeyActions are the actions of every API key. The permissions are said in the
// service's words, and so is what write may do.
func APIKeyActions(permissions expose.Field, may string) []expose.Action {
	return []expose.Action{
		{
			Verb: "create", Scope: expose.Collection, Run: expose.InTx, Answer: expose.Answer{Once: keyOnce},
			Comment: "Makes a key for a program, and shows it this once. Admins only.",
			Detail: "The program sends it as `X-API-Key`. `read` reads all that every signed-in user can read, `write` " + may + ". " +
				"A repetition with the same `Idempotency-Key` makes no other key and does not show it.",
			Input: []ent.Field{
				expose.Line(expose.Length(field.String("client_name"), 1, 100)).
					Comment("The name of the program that holds it.").
					Annotations(expose.Example("warehouse")),
				expose.Items(field.Strings("permissions"), 2, 10).
					Comment("The rights of the key.").
					Annotations(expose.Example([]string{"read", "write"}), permissions),
				field.Time("expires_at").Optional().
					Comment("When it expires, in the future. Never without it."),
				apiVersion(field.String("api_version").Optional()).
					Comment("The version of REST that it is pinned to, one that is offered: none without it."),
			},
			Names: expose.Names{Summary: "Create an API key", Body: "NewAPIKey", BodyComment: "A key that is to be made."},
		},
		{
			Verb: "rotate", Done: "rotated", Else: "the key was revoked", Run: expose.InTx, Answer: expose.Answer{Once: keyOnce},
			Comment: "Gives a key another text, and shows it this once. The old one stops working within two seconds. Admins only.",
			When:    policy.Null("revoked_at"),
			Names:   expose.Names{Summary: "Rotate an API key"},
		},
		{
			Verb: "pin", Done: "pinned", Run: expose.InTx,
			Comment: "Pins a key to a version of REST: its requests are for that one where they name none. Admins only.",
			Detail:  "With `null` the key is pinned to none. It counts within two seconds.",
			Shown:   policy.Null("revoked_at"),
			Set:     expose.Set{"api_version": expose.Input("api_version")},
			Input: []ent.Field{
				apiVersion(field.String("api_version").Nillable()).
					Comment("The version, one that is offered. Null ends the pin."),
			},
			Names: expose.Names{Summary: "Pin an API key to a version", Body: "APIKeyPin", BodyComment: "The version to pin the key to."},
		},
		{
			Verb: "revoke", Done: "revoked", Run: expose.InTx, Answer: expose.Answer{Nothing: true},
			Comment: "Ends a key, which stops working within two seconds. Revoking it again changes nothing. Admins only.",
			Detail:  "It can still be read.",
			Shown:   policy.Null("revoked_at"),
			Set:     expose.Set{"revoked_at": expose.FirstNow},
			Names:   expose.Names{Method: "DELETE", Path: ".", Summary: "Revoke an API key"},
		},
	}
}

// keyOnce is the text of a key, beside the key.
var keyOnce = []expose.Member{{
	Name: "key", Shape: expose.Text, Example: "ek_4fjq7wza_mzrtdkq2y5bxwlshc3vnae6gpujzhd2wq7i",
	Comment: "Its text, which can't be read again later.",
}}

// apiVersion is the name of a version of REST.
func apiVersion[B interface {
	Validate(func(string) error) B
	Annotations(...schema.Annotation) B
}](b B) B {
	return expose.Pattern(b, `^v[1-9][0-9]{0,3}$`, "a version such as v2").Annotations(expose.Example("v2"))
}
