package account

import (
	"context"
	"net/url"
	"time"

	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Addresses looks after users' e-mail addresses: who has shown that they read
// the mail of theirs, and what becomes of one that is left.
//
//	unverified -Verify->   verified     until the user has another address
//	address    -Change->   another      the old one gets a mail
//	another    -TakeBack-> the address  by who reads its mail, for [TakeBackLife]
type Addresses struct {
	DB *store.DB // where users and tokens are
	// Users are the service's, whose addresses these are.
	Users  *Table
	Vault  *Vault        // makes the tokens of mails
	Factor *SecondFactor // asked for a code where an address is changed
	Gate   *Gatekeeper   // ends sign-ins when an address is taken back
	// Verification says whether users are asked to verify their address.
	Verification Verification
	// AskPassword has users who change their own address show their password.
	AskPassword bool
	// Tell has [Addresses.Deliver] called later, once the context's transaction
	// has committed.
	Tell func(ctx context.Context, n Notice) error
	// Mail sends mails to users.
	Mail mail.Sender
	// VerifyPage and TakeBackPage are the front-end pages that take the tokens
	// (?token=). Without one the mail has the token alone.
	VerifyPage, TakeBackPage string
	// Now is the time, time.Now where it is nil.
	Now func() time.Time
}

// Verification says whether users are asked to show that they read the mail of
// their address.
type Verification string

// The ways.
const (
	VerificationOff      Verification = "off"
	VerificationOptional Verification = "optional" // they are asked
	VerificationRequired Verification = "required" // and can't sign in before
)

// Asks reports whether users are asked to verify their address: by nil they
// are not.
func (a *Addresses) Asks() bool {
	return a != nil && (a.Verification == VerificationOptional || a.Verification == VerificationRequired)
}

// Notice is the job that writes to a user about their account. The secret in the
// mail is made when it is sent, so that no job holds it.
type Notice struct {
	About Subject `json:"about" show:"true"` // which mail it is
	// To is the address that it goes to, but for one that was left.
	To string `json:"to,omitempty"`
	// Change is the id of the row that says which address was left.
	Change int64 `json:"change,omitempty"`
}

// Subject is the event that a notice is about.
type Subject string

// The subjects.
const (
	AboutVerification Subject = "verification"
	AboutChange       Subject = "change"
	AboutPassword     Subject = "password"
)

// Kind names the work.
func (Notice) Kind() string { return "account_notice" }

// RunsAs is the system: the letter goes to an address of the account, whatever its user
// may do by then.
func (Notice) RunsAs() jobs.As { return jobs.AsSystem }

// Options queues it as urgent: a user waits for it.
func (Notice) Options() jobs.Options { return jobs.Options{Queue: jobs.Urgent} }

// Deliver sends the notice, unless there is nothing to be said any more. The id
// is the message's. After an error it can be tried again.
//
// No mail says anything that a user chose: it may go to a stranger, whose
// address was given by an attacker.
func (a *Addresses) Deliver(ctx context.Context, n Notice, id string) error {
	ctx = viewer.With(ctx, viewer.AcrossTenants())
	m := mail.Message{ID: id, Date: a.now(), To: n.To}
	var err error
	switch n.About {
	case AboutVerification:
		m, err = a.askToVerify(ctx, m)
	case AboutChange:
		m, err = a.offerToTakeBack(ctx, m, n.Change)
	case AboutPassword:
		m.Subject, m.Text = "Your password was changed", passwordText
	}
	if err != nil || m.Text == "" {
		return err
	}
	return a.Mail.Send(ctx, m)
}

const passwordText = `Hello,

the password of your account was changed, and its other sign-ins have ended.

If it was not you, somebody else has your password and is signed in: ask for a
new password now, which ends every sign-in.
`

// link is the URL of the page with the token, or the token alone without a page.
func link(page, token string) string {
	if page == "" {
		return token
	}
	return page + "?" + url.Values{"token": {token}}.Encode()
}

func (a *Addresses) now() time.Time {
	if a.Now != nil {
		return store.Time(a.Now())
	}
	return store.Time(time.Now())
}
