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
	// Event, like each of these, has its comment there.
	Event             struct{ tables.Event }
	IdempotencyRecord struct{ tables.IdempotencyRecord }
	TrustedDocument   struct{ tables.TrustedDocument }
	Job               struct{ tables.Job }
	JobChunk          struct{ tables.JobChunk }
	Email             struct{ tables.Email }
	DeprecatedUse     struct{ tables.DeprecatedUse }
	APIKey            struct{ tables.APIKey }
	Credential        struct{ tables.Credential }
	Session           struct{ tables.Session }
	RefreshFamily     struct{ tables.RefreshFamily }
	RecoveryCode      struct{ tables.RecoveryCode }
	LoginFailure      struct{ tables.LoginFailure }
	ResetToken        struct{ tables.ResetToken }
	VerificationToken struct{ tables.VerificationToken }
	VerifiedEmail     struct{ tables.VerifiedEmail }
	EmailChange       struct{ tables.EmailChange }
	ExternalIdentity  struct{ tables.ExternalIdentity }
	ExternalLogin     struct{ tables.ExternalLogin }
	Handoff           struct{ tables.Handoff }
)
