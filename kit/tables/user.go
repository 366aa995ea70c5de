package tables

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"

	"github.com/entwine-go/entwine/kit/expose"
)

// User is a mixin for the service's own entity of users, beside [Base],
// [Versioned] and [SoftDelete]: the columns that accounts need. A service that
// wants them with other words or in another order declares them itself.
//
// In edges it stands for that entity, of which Ent keeps the name only.
type User struct {
	mixin.Schema
	// Roles are what users may be. Those who sign up are the first.
	Roles []string
}

// Type has edges refer to the service's User.
func (User) Type() {}

// Fields of the mixin.
func (u User) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("name"), 1, 100)).
			Comment("The name shown to others.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Example("Ada Lovelace")),
		expose.Email(field.String("email")).
			Comment("The e-mail address, unique without regard to case.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.UniqueFold(), expose.Example("ada@example.com")),
		field.Enum("role").Values(u.Roles...).Default(u.Roles[0]).
			Comment("What the user may do. Only an admin can change it.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.WritableBy("admin")),
		field.Bool("is_active").Default(true).
			Comment("Whether the user can sign in.").
			Annotations(expose.By(expose.Filter), expose.WritableBy("admin"), expose.Kept()),
	}
}

// accounts is what package account writes and reads: the tables, and columns of
// users.
var accounts = expose.Requires{
	For: expose.Accounts,
	Entities: map[string]map[string]string{
		"User": {
			"name": "string", "email": "string", "email_fold": "string", "role": "enum", "is_active": "bool",
			"version": "int64", "deleted_at": "time.Time",
		},
		"Credential": nil, "Session": nil, "RefreshFamily": nil, "RecoveryCode": nil, "LoginFailure": nil, "ResetToken": nil,
		"VerificationToken": nil, "VerifiedEmail": nil, "EmailChange": nil, "ExternalIdentity": nil, "ExternalLogin": nil, "Handoff": nil,
	},
}

// endsWithUser ends a sign-in when its user is deactivated or deleted, for
// good: to be active again does not bring it back.
var endsWithUser = expose.StampWhen("user_id", "NOT NEW.is_active OR NEW.deleted_at IS NOT NULL")
