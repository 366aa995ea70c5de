// Package tables has the kit's own tables, as schemas that a project embeds, and
// the mixins that its entities share.
//
//	// Event is what was written.
//	type Event struct{ tables.Event }
//
// An embedded table keeps its name. Methods of one's own go before those that are
// embedded: the Edges of a Job can have those of its user, its Annotations another
// path.
//
// Jobs, their results and the schedule need Job and JobChunk, subscriptions Event,
// feeds of changes Change, fields with files File and Blob, requests with an Idempotency-Key IdempotencyRecord, trusted documents of GraphQL
// TrustedDocument, the mailbox that takes the place of a mail server Email, and counts
// of who uses what is deprecated DeprecatedUse. All of them can be there before they
// are needed.
//
// # Accounts
//
// Package account needs all of these, and of the service's entity of users, which
// is called User, what the mixin [User] gives. [UserRules] and [UserResource] are its
// policy and how it is shown, where a service has no rules of its own:
//
//	APIKey             what a program calls with
//	Credential         what a user signs in with
//	Session            a sign-in by cookie
//	RefreshFamily      a sign-in by tokens
//	RecoveryCode       what takes the place of a one-time code
//	LoginFailure       a failed attempt to sign in
//	ResetToken         what lets a user set a new password
//	VerificationToken  what shows that a user reads their mail
//	VerifiedEmail      the address that one is known to read the mail of
//	EmailChange        that a user left an address
//	ExternalIdentity   what an identity provider calls a user
//	ExternalLogin      a sign-in there that has begun
//	Handoff            a one-time code for the tokens of one
//
// The generation reports missing tables and columns.
//
// Ent's client has none of these that are not exposed: the kit reads and writes them
// by itself. An entity whose rows Go code is to read says so:
//
//	func (Session) Annotations() []schema.Annotation {
//		return append(tables.Session{}.Annotations(), expose.Client{})
//	}
package tables

import "github.com/entwine-go/entwine/kit/expose"

// ours leaves a table out of Ent's client.
var ours = expose.Client{None: true}
