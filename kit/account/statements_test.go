package account_test

import (
	"context"
	"testing"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// The number of statements of each operation, without those that begin and end
// transactions.
func TestAccountsAskLittleOfTheDatabase(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		counted := func(what string, most int, do func(context.Context) error) {
			t.Helper()
			log := &store.Log{}
			d.must(do(store.WithStatementLog(t.Context(), log)))
			if n := len(log.Statements()); n > most {
				t.Errorf("%s takes %d statements, at most %d are well: %q", what, n, most, log.Statements())
			}
		}
		counted("to register", 4, func(ctx context.Context) error {
			_, err := d.registrar.Register(ctx, ada, "")
			return err
		})
		var grant *account.Grant
		counted("to sign in", 10, func(ctx context.Context) (err error) {
			grant, err = d.authenticator.Login(ctx, account.Login{Email: ada.Email, Password: ada.Password, Mode: account.ModeBearer, From: home})
			return err
		})
		counted("to refresh", 2, func(ctx context.Context) (err error) {
			_, err = d.gate.Refresh(ctx, grant.Refresh.Text)
			return err
		})
		counted("to verify a token", 1, func(ctx context.Context) error {
			_, err := d.verifier.Token(ctx, grant.Access.Text)
			return err
		})
		session := d.admit(grant.User, account.ModeSession)
		counted("to verify a session", 1, func(ctx context.Context) error {
			_, err := d.verifier.Session(ctx, session.Session.Text)
			return err
		})
		text, _, err := d.keyring.Create(system(t), account.NewAPIKey{ClientName: "c", Permissions: []string{"read"}})
		d.must(err)
		counted("to verify a key", 2, func(ctx context.Context) error {
			_, err := d.verifier.APIKey(ctx, text)
			return err
		})
		in := d.as(grant)
		as := func(ctx context.Context) context.Context { return viewer.With(ctx, viewer.From(in)) }
		counted("to list sign-ins", 1, func(ctx context.Context) error {
			_, err := d.gate.List(as(ctx))
			return err
		})
		var enrolment *account.Enrolment
		counted("to set up a second factor", 3, func(ctx context.Context) (err error) {
			enrolment, err = d.factor.Setup(as(ctx), account.Proof{}, home)
			return err
		})
		counted("to turn it on", 12, func(ctx context.Context) error {
			_, err := d.factor.Verify(as(ctx), d.codeOf(enrolment.Secret), home)
			return err
		})
		counted("to sign in with it", 11, func(ctx context.Context) error {
			_, err := d.authenticator.Login(ctx, account.Login{Email: ada.Email, Password: ada.Password, Code: d.later(enrolment.Secret), Mode: account.ModeBearer, From: home})
			return err
		})
		counted("to forget a password", 3, func(ctx context.Context) error { return d.resetter.Forgot(ctx, ada.Email) })
		counted("to mail a token", 2, func(ctx context.Context) error { return d.resetter.Deliver(ctx, ada.Email, "1") })
		counted("to reset a password", 10, func(ctx context.Context) error {
			return d.resetter.Reset(ctx, d.mailbox[len(d.mailbox)-1].Secrets[0], "battery staple 2")
		})
	})
}
