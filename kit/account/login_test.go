package account_test

import (
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/internal/notes/ent/user"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

func TestSigningUpAndIn(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		if who.Role != "user" || !who.Active || who.Email != ada.Email {
			t.Errorf("registered %v", who)
		}
		in, err := d.tryLogin("aDA@EXAMPLE.com", ada.Password)
		if err != nil {
			t.Fatal(err)
		}
		v, err := d.verifier.Token(t.Context(), in.Access.Text)
		if err != nil {
			t.Fatal(err)
		}
		if v.UserID != who.ID || v.Role != "user" || v.System || v.KeyID != 0 {
			t.Errorf("viewer %+v", v)
		}
	})
}

func TestOneAnswerToWhoeverCannotSignIn(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		gone := d.register(account.Registration{Name: "Gone", Email: "gone@example.com", Password: ada.Password})
		none := d.User.Create().SetName("No Password").SetEmail("none@example.com").SaveX(system(t))
		d.update(gone).SetDeletedAt(time.Now()).ExecX(system(t))
		refused := func(email, password string) {
			t.Helper()
			_, err := d.tryLogin(email, password)
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
		d.update(who).SetIsActive(false).ExecX(system(t))
		refused(ada.Email, ada.Password)
	})
}

func TestRegistrationIsChecked(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		_, err := d.registrar.Register(t.Context(), account.Registration{Name: "", Email: "ada", Password: "hush"}, "")
		e := problem.As(err)
		if e == nil || e.Kind != problem.Unprocessable || len(e.Details) != 4 {
			t.Fatalf("Register: %v, want four details", err)
		}
		for _, detail := range e.Details {
			if detail.Value == "hush" {
				t.Errorf("the password is echoed: %+v", detail)
			}
		}
		d.register(ada)
		again := ada
		again.Email = "ADA@EXAMPLE.COM"
		_, err = d.registrar.Register(t.Context(), again, "")
		if e := problem.As(err); e == nil || e.Kind != problem.Duplicate || len(e.Details) != 1 || e.Details[0].Field != "email" {
			t.Errorf("Register(an address that is taken): %v", err)
		}
		if n := storetest.Count(t, d.db, "credentials"); n != 1 {
			t.Errorf("%d credentials, want 1", n)
		}
	})
}

func TestOnlyAnAdminCreatesUsersWithARole(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		for kind, v := range map[problem.Kind]*viewer.Viewer{
			problem.Unauthenticated: viewer.Anonymous(),
			problem.Forbidden:       {UserID: 1, Role: "editor"},
		} {
			_, err := d.registrar.Create(viewer.With(t.Context(), v), ada, viewer.Admin)
			if problem.KindOf(err) != kind {
				t.Errorf("Create as %+v: %v", v, err)
			}
		}
		who, err := d.registrar.Create(viewer.With(t.Context(), &viewer.Viewer{UserID: 1, Role: viewer.Admin}), ada, "editor")
		if err != nil || who.Role != "editor" {
			t.Errorf("Create as an admin: %v, %v", who, err)
		}
	})
}

func TestTheFirstAdmin(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		for _, want := range []bool{true, false} {
			made, err := d.registrar.FirstAdmin(t.Context(), ada)
			if made != want || err != nil {
				t.Errorf("FirstAdmin = %v, %v, want %v", made, err, want)
			}
		}
		if who := d.login().User; who.Role != viewer.Admin {
			t.Errorf("the first admin is %s", who.Role)
		}
	})
}

func TestAChangedUserIsNoticedWithinTwoSecondsWithoutWakeUps(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		_, _, deaf := d.processes()
		d.register(ada)
		in := d.login()
		var log store.Log
		verify := func() (*viewer.Viewer, error) {
			log.Reset()
			return deaf.Token(store.WithStatementLog(t.Context(), &log), in.Access.Text)
		}
		if _, err := verify(); err != nil || len(log.Statements()) != 1 {
			t.Errorf("the first time: %v, %q", err, log.Statements())
		}
		d.update(in.User).SetRole(user.RoleEditor).ExecX(system(t))
		d.pass(1999 * time.Millisecond)
		if v, err := verify(); err != nil || v.Role != "user" || len(log.Statements()) != 0 {
			t.Errorf("before two seconds: %+v, %v, %q", v, err, log.Statements())
		}
		d.pass(time.Millisecond)
		if v, err := verify(); err != nil || v.Role != "editor" {
			t.Errorf("after two seconds: %+v, %v", v, err)
		}
		d.update(in.User).SetIsActive(false).ExecX(system(t))
		d.pass(2 * time.Second)
		if v, err := verify(); problem.KindOf(err) != problem.TokenInvalid {
			t.Errorf("deactivated: %+v, %v", v, err)
		}
	})
}

func TestATokenThatIsKnownStillExpires(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.register(ada)
		in := d.login()
		d.pass(in.Access.Expires.Sub(d.now()) - time.Millisecond)
		if _, err := d.verifier.Token(t.Context(), in.Access.Text); err != nil {
			t.Errorf("just before its end: %v", err)
		}
		d.pass(in.Access.Expires.Sub(d.now()))
		if _, err := d.verifier.Token(t.Context(), in.Access.Text); problem.KindOf(err) != problem.TokenExpired {
			t.Errorf("at its end: %v", err)
		}
	})
}

func TestAHashIsMadeAnewWhenTheCostChanges(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		dearer := account.NewPasswords(bcrypt.MinCost + 1)
		d.authenticator.Passwords = dearer
		d.login()
		hash := storetest.Ask[string](t, d.db, "SELECT password_hash FROM credentials WHERE user_id = $1", who.ID)
		if dearer.Outdated(hash[0]) {
			t.Error("the hash still has the cost of before")
		}
		d.login()
	})
}

// Of an address that no user has it takes as much work to say so as of a wrong
// password, from the first time on.
func TestSigningInIsTheSameWorkForEverybody(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.register(ada)
		d.User.Create().SetName("No Password").SetEmail("none@example.com").SaveX(system(t))
		for _, email := range []string{"nobody@example.com", "none@example.com", ada.Email} {
			hashed, compared := 0, 0
			passwords := account.NewPasswords(bcrypt.MinCost)
			generate, compare := passwords.Generate, passwords.Compare
			passwords.Generate = func(password []byte, cost int) ([]byte, error) { hashed++; return generate(password, cost) }
			passwords.Compare = func(hash, password []byte) error { compared++; return compare(hash, password) }
			d.authenticator.Passwords = passwords
			d.wantKind(email, func() error { _, err := d.tryLogin(email, "wrong password 1"); return err }(), problem.InvalidCredentials)
			if hashed != 0 || compared != 1 {
				t.Errorf("%s: %d hashed and %d compared, want 0 and 1", email, hashed, compared)
			}
		}
	})
}
