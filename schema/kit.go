package schema

import "github.com/entwine-go/entwine/kit/tables"

// The tables of the kit's parts that this service has.
type (
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
	// DeprecatedUse is how often a client used something deprecated on a day.
	DeprecatedUse struct{ tables.DeprecatedUse }
	// Change is a write of a row whose changes are followed.
	Change struct{ tables.Change }
	// File is a file that was uploaded for a field.
	File struct{ tables.File }
	// Blob is the stored bytes of files.
	Blob struct{ tables.Blob }
	// FileUpload is a file that arrives in several requests.
	FileUpload struct{ tables.FileUpload }
	// FilePart is stored bytes of such an upload.
	FilePart struct{ tables.FilePart }
	// FileUsage is how many bytes of files are stored for a user, an API key or a tenant.
	FileUsage struct{ tables.FileUsage }
	// Handoff is a one-time code for the tokens of a sign-in.
	Handoff struct{ tables.Handoff }
)
