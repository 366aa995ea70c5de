package accounts_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/account"
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

// fail has an attempt to sign in fail, and returns its error.
func (d *desk) fail(email, address string) error {
	d.t.Helper()
	_, err := d.authenticator.Login(d.t.Context(), account.Login{
		Email: email, Password: "wrong password 1", Mode: account.ModeBearer, From: account.Origin{Address: address},
	})
	return err
}

// judged makes attempts until one is refused, at most so many, and returns how
// many were judged.
func (d *desk) judged(most int, email, address func(i int) string) int {
	d.t.Helper()
	for i := range most {
		err := d.fail(email(i), address(i))
		if problem.KindOf(err) == problem.RateLimited {
			if problem.As(err).RetryAfter <= 0 {
				d.t.Errorf("attempt %d: the refusal does not say when to come back: %v", i, err)
			}
			return i
		}
		d.wantKind("Login", err, problem.InvalidCredentials)
	}
	return most
}

func adas(int) string        { return ada.Email }
func strangers(i int) string { return fmt.Sprintf("stranger%d@example.com", i) }
func from(format string) func(i int) string {
	return func(i int) string { return fmt.Sprintf(format, i) }
}

func TestFailuresOfANetwork(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		for _, c := range []struct {
			name           string
			email, address func(i int) string
			want           int
		}{
			{"an account from a /64", adas, from("2001:db8:1:1::%x"), 5},
			{"an account from an IPv4 address in both forms", adas, func(i int) string { return []string{"192.0.2.7", "::ffff:192.0.2.7"}[i%2] }, 5},
			{"an account from links with zones", adas, from("fe80::1%%eth%d"), 5},
			{"many accounts from an IPv4 address", strangers, func(int) string { return "192.0.2.9" }, 50},
			{"many accounts from a /64", strangers, from("2001:db8:2:1::%x"), 50},
			{"many accounts from a /48", strangers, from("2001:db8:3:%x::1"), 200},
		} {
			if n := d.judged(250, c.email, c.address); n != c.want {
				t.Errorf("%s: %d attempts were judged, want %d", c.name, n, c.want)
			}
		}
		d.register(eve)
		login := account.Login{Email: eve.Email, Password: eve.Password, Mode: account.ModeBearer, From: account.Origin{Address: "2001:db8:4::1"}}
		if _, err := d.authenticator.Login(t.Context(), login); err != nil {
			t.Errorf("from another network: %v", err)
		}
		login.From.Address = "2001:db8:3:ffff::1"
		_, err := d.authenticator.Login(t.Context(), login)
		d.wantKind("from the /48", err, problem.RateLimited)
		d.pass(time.Hour)
		if _, err := d.authenticator.Login(t.Context(), login); err != nil {
			t.Errorf("from the /48 an hour later: %v", err)
		}
	})
}

func TestAnAccountIsSlowedAndNeverLocked(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.register(ada)
		if n := d.judged(60, adas, from("198.51.100.%d")); n != 50 {
			t.Fatalf("%d attempts from as many networks were judged, want 50", n)
		}
		for i := range 12 {
			err := d.fail(ada.Email, fmt.Sprintf("203.0.113.%d", i))
			d.wantKind("Login", err, problem.RateLimited)
			want := min(time.Second<<i, time.Minute)
			if after := problem.As(err).RetryAfter; after != want {
				t.Errorf("after %d failures: again after %v, want %v", 50+i, after, want)
			}
			d.pass(want)
			d.wantKind("Login", d.fail(ada.Email, fmt.Sprintf("203.0.113.%d", i)), problem.InvalidCredentials)
		}
		d.pass(time.Minute)
		d.login()
	})
}

// Those of a network who are right are in no other user's way, however many.
func TestManyOfANetworkGetInAtOnce(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		for i := range 50 {
			in := ada
			in.Email = strangers(i)
			d.register(in)
		}
		for range 3 {
			for _, err := range atOnce(func(i int) error { _, err := d.tryLogin(strangers(i), ada.Password); return err }) {
				if err != nil {
					d.wantKind("Login", err, problem.Unavailable)
				}
			}
		}
		if n := d.LoginFailure.Query().CountX(system(t)); n != 0 {
			t.Errorf("%d failures are left", n)
		}
	})
}

func TestGuessesAtOnceOfANetworkAreFifty(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		judged := 0
		for round := range 2 {
			for _, err := range atOnce(func(i int) error { return d.fail(strangers(50*round+i), "192.0.2.1") }) {
				switch problem.KindOf(err) {
				case problem.InvalidCredentials:
					judged++
				case problem.RateLimited, problem.Unavailable:
				default:
					t.Errorf("Login: %v", err)
				}
			}
		}
		if judged == 0 || judged > 50 {
			t.Errorf("%d guesses were judged, want at most 50", judged)
		}
	})
}
