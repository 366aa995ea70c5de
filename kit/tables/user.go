package tables

import (
	"context"
	"slices"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/mixin"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// User is a mixin for the service's own entity of users, beside [Base],
// [Versioned] and [SoftDelete]: the columns that accounts need. A service that
// wants them with other words or in another order declares them itself.
//
// In edges it stands for that entity, of which Ent keeps the name only.
type User struct {
	mixin.Schema
	// Roles are the roles of users, one of which is admin. Those who sign up are the
	// first.
	Roles []string
}

// Type has edges refer to the service's User.
func (User) Type() {}

// Fields of the mixin.
func (u User) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("name"), 1, 100)).
			Comment("The name shown to others.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Selective(), expose.Example("Ada Lovelace")),
		expose.Email(field.String("email")).
			Comment("The e-mail address, unique without regard to case.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Selective(), expose.UniqueFold(), expose.Example("ada@example.com")),
		field.Enum("role").Values(u.Roles...).Default(u.Roles[0]).
			Comment("The user's role, which decides their rights. Only an admin can change it.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.WritableBy("admin")),
		field.Bool("is_active").Default(true).
			Comment("Whether the user can sign in.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.WritableBy("admin"), expose.Kept()),
	}
}

// Hooks of the mixin.
func (User) Hooks() []ent.Hook { return UserHooks() }

// UserHooks keep the last active admin, and have what was proven of users proven
// again where their role or their standing changes.
func UserHooks() []ent.Hook {
	return []ent.Hook{
		changesViewers("role", "is_active", "deleted_at"),
		policy.KeepOne("users", ActiveAdmin(), "this is the last active admin: make another user an admin first"),
	}
}

// ActiveAdmin is true of those who can administer the service. Without one
// there would be no way to make another.
func ActiveAdmin() policy.Rule {
	return policy.All(policy.Is("role", string(viewer.Admin)), policy.Is("is_active", true), policy.Null("deleted_at"))
}

// UserRules are the rules for users: users change themselves, and admins do all
// else. Users and API keys see the public fields of others ([UserResource]);
// policy.ReadWhole has the rule for the rest.
func UserRules() policy.Rules {
	return policy.Rules{
		SoftDelete: true,
		Read:       policy.Any(policy.SignedIn(), policy.Key(viewer.Read)),
		Verbs: policy.Verbs{
			policy.Create: admin, policy.Update: policy.Any(policy.Owner("id"), admin), policy.Delete: admin,
			policy.ReadWhole: policy.Any(policy.Owner("id"), admin),
			policy.Remove:    admin, policy.Restore: admin, policy.ReadDeleted: admin, "activate": admin, "deactivate": admin,
		},
	}
}

// UserResource is how users are shown: all of them, to those who may read them,
// with the queries and the inputs of accounts. Of other users callers see an id and
// a name, so they are listed in the order of their ids; a service that shows more
// adds it to Public.
func UserResource() expose.Resource {
	return expose.Resource{
		Path: "users", Sort: "-id", Operations: expose.CRUD(), Public: []string{"id", "name"}, Search: []string{"name", "email"},
		Queries: []expose.Query{{Name: "me", Caller: true, Comment: "The user who asks."}},
		Actions: UserActions(), Beside: UserInputs(),
	}
}

// UserActions are the actions of every user.
func UserActions() []expose.Action {
	return []expose.Action{
		{
			Verb: "activate", Done: "activated", Else: "the user is active already",
			Comment: "Lets a user sign in again who was deactivated. Admins only.",
			When:    policy.Is("is_active", false),
			Set:     expose.Set{"is_active": true},
		},
		{
			Verb: "deactivate", Done: "deactivated", Else: "the user is inactive already",
			Comment: "Keeps a user from signing in, and ends all their sign-ins within two seconds. Admins only.",
			Detail:  "Every sign-in of the user ends for good: to be active again does not bring it back.",
			When:    policy.Is("is_active", true),
			Shown:   policy.Any(policy.Not(ActiveAdmin()), policy.Another("users", ActiveAdmin())),
			Set:     expose.Set{"is_active": false},
		},
	}
}

// UserInputs are inputs of users that are no columns of theirs.
func UserInputs() []expose.Beside {
	return []expose.Beside{
		{On: []expose.Operation{expose.Create}, Input: []ent.Field{
			expose.Password(field.String("password")).Optional().
				Comment("The user's password: 8 to 128 characters, one of them a digit. Without it they sign in after a reset.").
				Annotations(expose.Example("correct horse 1")),
		}},
		{On: []expose.Operation{expose.Replace, expose.Patch}, Input: []ent.Field{
			field.String("current_password").Optional().
				Comment("The password of now: needed for another e-mail address of one's own where ENTWINE_EMAIL_CHANGE is password.").
				Annotations(expose.Secret(), expose.Example("correct horse 1")),
		}},
	}
}

// admin admits admins.
var admin = policy.Roles(viewer.Admin)

// accounts lists the tables and the columns of users that package account uses.
var accounts = expose.Requires{
	For: expose.Accounts,
	Entities: map[string]map[string]string{
		"User": {
			"name": "string", "email": "string", "email_fold": "string", "role": "enum", "is_active": "bool",
			"version": "int64", "deleted_at": "time.Time",
		},
		"APIKey": nil, "Credential": nil, "Session": nil, "RefreshFamily": nil, "RecoveryCode": nil, "LoginFailure": nil, "ResetToken": nil,
		"VerificationToken": nil, "VerifiedEmail": nil, "EmailChange": nil, "ExternalIdentity": nil, "ExternalLogin": nil, "Handoff": nil,
	},
}

// endsWithUser ends a sign-in when its user is deactivated or deleted, for
// good: to be active again does not bring it back.
var endsWithUser = expose.StampWhen("user_id", "NOT NEW.is_active OR NEW.deleted_at IS NOT NULL")

// changesViewers says, where a write sets one of the fields or removes the
// row, that what was proven of viewers may not hold any more.
func changesViewers(fields ...string) ent.Hook {
	return func(next ent.Mutator) ent.Mutator {
		return ent.MutateFunc(func(ctx context.Context, m ent.Mutation) (ent.Value, error) {
			value, err := next.Mutate(ctx, m)
			if err == nil && touches(m, fields) {
				through(m).Wake(ctx, viewer.Changed)
			}
			return value, err
		})
	}
}

// touches reports whether the mutation removes rows or sets one of the fields.
func touches(m ent.Mutation, fields []string) bool {
	if m.Op().Is(ent.OpDelete | ent.OpDeleteOne) {
		return true
	}
	return !m.Op().Is(ent.OpCreate) && slices.ContainsFunc(fields, func(name string) bool {
		_, written := m.Field(name)
		return written
	})
}

// database has the methods that hooks call on a mutation's database.
type database interface {
	Wake(ctx context.Context, topic string)
}

func through(m ent.Mutation) database {
	return m.(interface{ Driver() dialect.Driver }).Driver().(database)
}
