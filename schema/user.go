package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
	"github.com/entwine-go/entwine/kit/viewer"
)

// User is a person with an account.
type User struct{ ent.Schema }

// Fields of the User.
func (User) Fields() []ent.Field {
	return []ent.Field{
		expose.Line(expose.Length(field.String("name"), 2, 100)).
			Comment("The name shown to others.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Selective(), expose.Example("Ada Lovelace")),
		expose.Email(field.String("email")).
			Comment("The e-mail address, unique without regard to case.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search), expose.Selective(), expose.UniqueFold(), expose.Example("ada@example.com")),
		field.Enum("role").Values(roles()...).Default(string(member)).
			Comment("The user's role, which decides their rights. Only an admin can change it.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.WritableBy(viewer.Admin)),
		expose.Range(field.Int("age"), 18, 120).Optional().Nillable().
			Comment("The age in years.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Example(36)),
		field.Bool("is_active").Default(true).
			Comment("Whether the user can sign in.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.WritableBy(viewer.Admin), expose.Kept(), expose.Also("is_active")),
		expose.AtLeast(field.Float("salary"), 0).Optional().Nillable().
			Comment("The yearly salary. Only admins see and set it.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.VisibleTo(viewer.Admin), expose.WritableBy(viewer.Admin), expose.Kept()),
		field.Int64("followers_count").Default(0).
			Comment("How many users follow the user.").
			Annotations(expose.By(expose.Sort), expose.Scanned(), expose.CountOf("followers", "")),
		field.Int64("following_count").Default(0).
			Comment("How many users the user follows.").
			Annotations(expose.By(expose.Sort), expose.Scanned(), expose.CountOf("following", "")),
	}
}

// Mixin of the User.
func (User) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}, SoftDelete{}}
}

// Edges of the User.
func (User) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("profile", Profile.Type).Unique().
			Comment("The user's own description of themselves.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Through()),
		edge.To("posts", Post.Type).
			Comment("The posts the user wrote.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Nested(expose.List, expose.Read, expose.Create), expose.DeletedWith()),
		edge.To("comments", Comment.Type).
			Comment("The comments the user wrote.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.DeletedWith()),
		edge.To("reviews", Review.Type).
			Comment("The reviews the user wrote.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.DeletedWith()),
		edge.To("following", User.Type).Through("follows", Follow.Type).StorageKey(edge.Columns("follower_id", "followee_id")).
			Comment("The users whom the user follows.").
			Annotations(expose.Nested(expose.List)),
		edge.From("followers", User.Type).Ref("following").Through("followed_by", Follow.Type).
			Comment("The users who follow the user.").
			Annotations(expose.Nested(expose.List)),
		edge.To("likes", Like.Type).StorageKey(edge.Symbol("likes_users_user")).
			Comment("The likes of the user.").
			Annotations(entsql.OnDelete(entsql.Cascade)),
		edge.To("shares", Share.Type).StorageKey(edge.Symbol("shares_users_user")).
			Comment("The shares of the user.").
			Annotations(entsql.OnDelete(entsql.Cascade)),
		edge.To("orders", Order.Type).
			Comment("The orders the user made. Only the user and admins see them.").
			Annotations(entsql.OnDelete(entsql.SetNull)),
		edge.To("cart_items", CartItem.Type).
			Comment("The items of the user's cart. Only the user and admins see it.").
			Annotations(entsql.OnDelete(entsql.Cascade)),
	}
}

// Hooks of the User.
func (User) Hooks() []ent.Hook { return tables.UserHooks() }

// Policy of the User: callers see all of each other, but for the salary.
func (User) Policy() ent.Policy {
	rules := tables.UserRules()
	delete(rules.Verbs, policy.ReadWhole)
	return rules
}

// Annotations of the User.
func (User) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A person with an account."),
		expose.Resource{
			Path:       "users",
			Operations: expose.CRUD(),
			Limit:      10,
			Public:     []string{"id", "name"},
			Changes:    true,
			Search:     []string{"name", "email"},
			Queries: []expose.Query{
				{Name: "users", Pages: true, Comment: "The users, a page at a time."},
				{Name: "searchUsers", Search: "query", Comment: "The users whose name or e-mail address contains the text, without regard to case."},
				{Name: "me", Caller: true, Comment: "The user who asks."},
			},
			Actions: tables.UserActions(),
			Marks: []expose.Mark{{
				Verb: "follow", Comment: "Follows a user. Following them again changes nothing. Users cannot follow themselves.",
				Detail: "The first time is answered with 201, any other with 200.",
				Undo:   "unfollow", UndoComment: "Ends the caller's following of a user, if there is one.",
				Entity: "Follow", To: "followee_id", By: "follower_id", Count: "followers_count",
				Said: "following", SaidComment: "Whether the follower follows the user.",
				Viewer: "viewer_is_following", ViewerComment: "Whether the caller follows the user.",
				Answer: "FollowResult", Payload: "FollowPayload", AnswerComment: "The user after a follow, or after its end.",
			}},
			Bulk: []expose.Bulk{
				{
					Operation: expose.Create, Each: true, Maximum: 1000,
					Comment: "Creates up to 1,000 users, each for itself: one that breaks a rule, or whose address is taken, keeps no other from being made. Admins only.",
					Detail: "The results are in the order of the request. Hashing takes its time: where there are more passwords than can be hashed while the request may run, " +
						"the users left over get 503 and can be sent again.",
				},
				{
					Operation: expose.Delete, Each: true, Maximum: 1000,
					Comment: "Deletes up to 1,000 users, each for itself. Admins only.",
					Detail:  "Each is deleted as `DELETE /users/{id}` does. The ids are in the body or in `ids`, and the results in their order.",
				},
			},
			Beside: tables.UserInputs(),
			Events: []expose.Topic{
				{Name: "user.status", On: "update", When: "NEW.is_active <> OLD.is_active OR NEW.role <> OLD.role OR (NEW.deleted_at IS NULL) <> (OLD.deleted_at IS NULL)", Feeds: &expose.Subscription{
					Name: "userStatusChanged", Argument: "userId", ArgumentComment: "The user's global id, or the integer.",
					Deleted: true,
					Comment: "A user is activated, deactivated, deleted, restored, or gets another role.\n" +
						"Callers who may read deleted users hear of the deletion, and the stream ends\n" +
						"when the user is removed for good. For others it ends with the deletion.",
				}},
				{Name: "user.status", On: "delete"},
			},
		},
	}
}
