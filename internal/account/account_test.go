package account_test

import (
	"context"
	"log/slog"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/credential"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/problem"
	"github.com/entwine-go/entwine/internal/store"
	"github.com/entwine-go/entwine/internal/storetest"
	"github.com/entwine-go/entwine/internal/viewer"
)

// desk is everything that signing in takes, over a database of its own and
// with a clock that the test moves.
type desk struct {
	*ent.Client
	registrar     *account.Registrar
	authenticator *account.Authenticator
	keyring       *account.Keyring
	verifier      *account.Verifier
	now           time.Time
}

func newDesk(t *testing.T, db *store.DB) *desk {
	t.Helper()
	d := &desk{Client: store.Client(db), now: time.Now()}
	issuer := newIssuer(t, seed1)
	issuer.Now = func() time.Time { return d.now }
	passwords := account.NewPasswords(bcrypt.MinCost)
	d.registrar = &account.Registrar{DB: db, Passwords: passwords}
	d.authenticator = &account.Authenticator{DB: db, Passwords: passwords, Issuer: issuer}
	d.keyring = &account.Keyring{DB: db}
	d.verifier = account.NewVerifier(db, issuer, slog.New(slog.DiscardHandler))
	return d
}

func system(t *testing.T) context.Context {
	return viewer.With(t.Context(), viewer.System())
}

var ada = account.Registration{Name: "Ada Lovelace", Email: "Ada@example.com", Password: "correct horse 1"}

func (d *desk) register(t *testing.T, in account.Registration) *ent.User {
	t.Helper()
	who, err := d.registrar.Register(t.Context(), in)
	if err != nil {
		t.Fatalf("Register(%s): %v", in.Email, err)
	}
	return who
}

func (d *desk) login(t *testing.T) *account.SignIn {
	t.Helper()
	in, err := d.authenticator.Login(t.Context(), ada.Email, ada.Password)
	if err != nil {
		t.Fatalf("Login: %v", err)
	}
	return in
}

func TestSigningUpAndIn(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		who := d.register(t, ada)
		if who.Role != user.RoleUser || !who.IsActive || who.Email != ada.Email {
			t.Errorf("registered %v", who)
		}
		in, err := d.authenticator.Login(t.Context(), "aDA@EXAMPLE.com", ada.Password)
		if err != nil {
			t.Fatal(err)
		}
		v, err := d.verifier.Token(t.Context(), in.Token.Text)
		if err != nil {
			t.Fatal(err)
		}
		if v.UserID != int64(who.ID) || v.Role != viewer.User || v.System || v.KeyID != 0 {
			t.Errorf("viewer %+v", v)
		}
	})
}

func TestOneAnswerToWhoeverCannotSignIn(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		who := d.register(t, ada)
		gone := d.register(t, account.Registration{Name: "Gone", Email: "gone@example.com", Password: ada.Password})
		none := d.User.Create().SetName("No Password").SetEmail("none@example.com").SaveX(system(t))
		d.User.UpdateOne(gone).SetDeletedAt(time.Now()).ExecX(system(t))
		refused := func(email, password string) {
			t.Helper()
			_, err := d.authenticator.Login(t.Context(), email, password)
			if e := problem.As(err); e == nil || e.Kind != problem.InvalidCredentials || e.Message != "the e-mail address or the password is wrong" {
				t.Errorf("Login(%s, %s): %v", email, password, err)
			}
		}
		refused(ada.Email, "correct horse 2")
		refused(ada.Email, "")
		refused("nobody@example.com", ada.Password)
		refused("%", ada.Password)
		refused(gone.Email, ada.Password)
		refused(none.Email, "")
		d.User.UpdateOne(who).SetIsActive(false).ExecX(system(t))
		refused(ada.Email, ada.Password)
	})
}

func TestRegistrationIsChecked(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		_, err := d.registrar.Register(t.Context(), account.Registration{Name: "A", Email: "ada", Password: "hush"})
		e := problem.As(err)
		if e == nil || e.Kind != problem.Unprocessable || len(e.Details) != 4 {
			t.Fatalf("Register: %v, want four details", err)
		}
		for _, detail := range e.Details {
			if detail.Value == "hush" {
				t.Errorf("the password is echoed: %+v", detail)
			}
		}
		d.register(t, ada)
		again := ada
		again.Email = "ADA@EXAMPLE.COM"
		_, err = d.registrar.Register(t.Context(), again)
		if e := problem.As(err); e == nil || e.Kind != problem.Duplicate || len(e.Details) != 1 || e.Details[0].Field != "email" {
			t.Errorf("Register(an address that is taken): %v", err)
		}
		if n := d.Credential.Query().CountX(system(t)); n != 1 {
			t.Errorf("%d credentials, want 1", n)
		}
	})
}

func TestOnlyAnAdminCreatesUsersWithARole(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		for kind, v := range map[problem.Kind]*viewer.Viewer{
			problem.Unauthenticated: viewer.Anonymous(),
			problem.Forbidden:       {UserID: 1, Role: viewer.Editor},
		} {
			_, err := d.registrar.Create(viewer.With(t.Context(), v), ada, viewer.Admin)
			if problem.KindOf(err) != kind {
				t.Errorf("Create as %+v: %v", v, err)
			}
		}
		who, err := d.registrar.Create(viewer.With(t.Context(), &viewer.Viewer{UserID: 1, Role: viewer.Admin}), ada, viewer.Editor)
		if err != nil || who.Role != user.RoleEditor {
			t.Errorf("Create as an admin: %v, %v", who, err)
		}
	})
}

func TestTheFirstAdmin(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		for _, want := range []bool{true, false} {
			made, err := d.registrar.FirstAdmin(t.Context(), ada)
			if made != want || err != nil {
				t.Errorf("FirstAdmin = %v, %v, want %v", made, err, want)
			}
		}
		if who := d.login(t).User; who.Role != user.RoleAdmin {
			t.Errorf("the first admin is %s", who.Role)
		}
	})
}

func TestAChangedUserIsNoticedWithinTwoSeconds(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		d.register(t, ada)
		in := d.login(t)
		var log store.Log
		verify := func() (*viewer.Viewer, error) {
			log.Reset()
			return d.verifier.Token(store.WithStatementLog(t.Context(), &log), in.Token.Text)
		}
		if _, err := verify(); err != nil || len(log.Statements()) != 1 {
			t.Errorf("the first time: %v, %q", err, log.Statements())
		}
		d.User.UpdateOne(in.User).SetRole(user.RoleEditor).ExecX(system(t))
		d.now = d.now.Add(1999 * time.Millisecond)
		if v, err := verify(); err != nil || v.Role != viewer.User || len(log.Statements()) != 0 {
			t.Errorf("before two seconds: %+v, %v, %q", v, err, log.Statements())
		}
		d.now = d.now.Add(time.Millisecond)
		if v, err := verify(); err != nil || v.Role != viewer.Editor {
			t.Errorf("after two seconds: %+v, %v", v, err)
		}
		d.User.UpdateOne(in.User).SetIsActive(false).ExecX(system(t))
		d.now = d.now.Add(2 * time.Second)
		if v, err := verify(); problem.KindOf(err) != problem.TokenInvalid {
			t.Errorf("deactivated: %+v, %v", v, err)
		}
	})
}

func TestATokenThatIsKnownStillExpires(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		d.register(t, ada)
		in := d.login(t)
		d.now = in.Token.Expires.Add(-time.Millisecond)
		if _, err := d.verifier.Token(t.Context(), in.Token.Text); err != nil {
			t.Errorf("just before its end: %v", err)
		}
		d.now = in.Token.Expires
		if _, err := d.verifier.Token(t.Context(), in.Token.Text); problem.KindOf(err) != problem.TokenExpired {
			t.Errorf("at its end: %v", err)
		}
	})
}

func TestAHashIsMadeAnewWhenTheCostChanges(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, db *store.DB) {
		d := newDesk(t, db)
		who := d.register(t, ada)
		dearer := account.NewPasswords(bcrypt.MinCost + 1)
		d.authenticator.Passwords = dearer
		d.login(t)
		hash := d.Credential.Query().Where(credential.UserID(who.ID)).OnlyX(system(t)).PasswordHash
		if dearer.Outdated(*hash) {
			t.Error("the hash still has the cost of before")
		}
		d.login(t)
	})
}
