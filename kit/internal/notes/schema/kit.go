// Package schema is that of the application which the kit's tests run on: users
// write notes, and remarks on them, beside the tables of the kit.
package schema

import (
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/tables"
)

// Service says what is true of the application as a whole.
func Service() expose.Service {
	return expose.Service{Name: "notes", Version: "1.0.0", NoClient: true}
}

// The tables of the kit.
type (
	// Event says that something was written. The database inserts it, in the
	// transaction of the write: see expose.Topic.
	Event struct{ tables.Event }
	// IdempotencyRecord is the result of a request with an Idempotency-Key, written in
	// the transaction of its effect: the id of the row in the answer, so that a
	// repetition reads it with the caller's rights of that moment.
	IdempotencyRecord struct{ tables.IdempotencyRecord }
	// TrustedDocument is a GraphQL document that clients refer to instead of
	// sending it.
	TrustedDocument struct{ tables.TrustedDocument }
	// Job is work that is done after the answer. The row is the truth: it is
	// written in the transaction that asks for the work, and Redis only carries
	// its id.
	Job struct{ tables.Job }
	// JobChunk is a part of a job's result, written while the job runs. It counts
	// once the job has succeeded under the same fence.
	JobChunk struct{ tables.JobChunk }
	// Email is a message in the mailbox that takes the place of a mail server
	// where none is configured.
	Email struct{ tables.Email }
	// DeprecatedUse is how often a client used something deprecated on a day.
	DeprecatedUse struct{ tables.DeprecatedUse }
	// APIKey lets a program call in its own name. It is the kit's, with the data that
	// programs read.
	APIKey struct{ tables.APIKey }
	// Credential is a user's means to sign in.
	Credential struct{ tables.Credential }
	// Session is a sign-in by cookie.
	Session struct{ tables.Session }
	// RefreshFamily is a sign-in and the refresh tokens that followed from it.
	RefreshFamily struct{ tables.RefreshFamily }
	// RecoveryCode takes the place of a one-time code, once.
	RecoveryCode struct{ tables.RecoveryCode }
	// LoginFailure is a failed attempt to sign in.
	LoginFailure struct{ tables.LoginFailure }
	// ResetToken lets who reads a user's mail set a new password, once.
	ResetToken struct{ tables.ResetToken }
	// VerificationToken shows that who has it reads a user's mail, once.
	VerificationToken struct{ tables.VerificationToken }
	// VerifiedEmail is the address of a user who is known to read its mail.
	VerifiedEmail struct{ tables.VerifiedEmail }
	// EmailChange is that a user left an e-mail address.
	EmailChange struct{ tables.EmailChange }
	// ExternalIdentity is an identity provider's name for a user.
	ExternalIdentity struct{ tables.ExternalIdentity }
	// ExternalLogin is a sign-in through an identity provider that has begun.
	ExternalLogin struct{ tables.ExternalLogin }
	// Handoff is a one-time code for the tokens of a sign-in.
	Handoff struct{ tables.Handoff }
)
