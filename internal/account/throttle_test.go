package account_test

import (
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/kit/problem"
)

func TestFiveFailuresAnHour(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.register(ada)
		for _, email := range []string{ada.Email, "nobody@example.com"} {
			for range 5 {
				d.pass(time.Minute)
				_, err := d.tryLogin(email, "wrong password 1")
				d.wantKind(email, err, problem.InvalidCredentials)
			}
			_, err := d.tryLogin(email, ada.Password)
			d.wantKind(email+" for the sixth time", err, problem.RateLimited)
			if after := problem.As(err).RetryAfter; after != 56*time.Minute {
				t.Errorf("%s: again after %v, want 56m", email, after)
			}
		}
		elsewhere := account.Login{Email: "ADA@example.com", Password: ada.Password, Mode: account.ModeBearer, From: d.somewhere()}
		if _, err := d.authenticator.Login(t.Context(), elsewhere); err != nil {
			t.Errorf("from another address: %v", err)
		}
		d.pass(56 * time.Minute)
		for range 8 {
			d.login() // what succeeds does not count
		}
	})
}

func TestFiftyGuessesAtOnceAreFive(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.register(ada)
		judged := 0
		for _, err := range atOnce(func(int) error { _, err := d.tryLogin(ada.Email, "wrong password 1"); return err }) {
			switch problem.KindOf(err) {
			case problem.InvalidCredentials:
				judged++
			case problem.RateLimited, problem.Unavailable:
			default:
				t.Errorf("Login: %v", err)
			}
		}
		if judged != 5 {
			t.Errorf("%d guesses were judged, want 5", judged)
		}
	})
}

func TestManyWhoAreRightGetInAtOnce(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.register(ada)
		in := 0
		for _, err := range atOnce(func(int) error { _, err := d.tryLogin(ada.Email, ada.Password); return err }) {
			if err == nil {
				in++
				continue
			}
			d.wantKind("Login", err, problem.Unavailable)
		}
		if in < 30 {
			t.Errorf("%d got in", in)
		}
		if n := d.LoginFailure.Query().CountX(system(t)); n != 0 {
			t.Errorf("%d failures are left", n)
		}
	})
}

func TestCodesCountWithPasswords(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		in, secret, _ := d.enrolled()
		login := account.Login{Email: ada.Email, Password: ada.Password, Code: "000000", Mode: account.ModeBearer, From: home}
		for range 4 {
			_, err := d.authenticator.Login(t.Context(), login)
			d.wantKind("Login", err, problem.InvalidCredentials)
		}
		proof := account.Proof{Password: ada.Password, Code: "000000"}
		d.wantKind("Disable", d.factor.Disable(in, proof, home), problem.InvalidCredentials)
		proof.Code = d.later(secret)
		d.wantKind("Disable with the right code", d.factor.Disable(in, proof, home), problem.RateLimited)
	})
}
