package account_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
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
		if n := storetest.Count(t, d.db, "login_failures"); n != 0 {
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
		} {
			if n := d.judged(250, c.email, c.address); n != c.want {
				t.Errorf("%s: %d attempts were judged, want %d", c.name, n, c.want)
			}
		}
	})
}

// Past the bound of a network an account that has failed from there is refused, and any
// other waits for at most two seconds.
func TestWhoHasNotFailedWaitsInACrowd(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.register(eve)
		for _, c := range []struct {
			name    string
			address func(i int) string
			most    int
		}{
			{"an IPv4 address", func(int) string { return "192.0.2.9" }, 50},
			{"a /64", from("2001:db8:ff02:1::%x"), 50},
			{"a /48", from("2001:db8:ff03:%x::1"), 200},
		} {
			signIn := func(address string) (waited time.Duration, err error) {
				d.waited.Store(0)
				_, err = d.authenticator.Login(t.Context(), account.Login{
					Email: eve.Email, Password: eve.Password, Mode: account.ModeBearer, From: account.Origin{Address: address},
				})
				return time.Duration(d.waited.Load()), err
			}
			for i := range c.most {
				d.wantKind(c.name, d.fail(strangers(i), c.address(i)), problem.InvalidCredentials)
			}
			d.wantKind(c.name+": who has failed", d.fail(strangers(0), c.address(1000)), problem.RateLimited)
			if waited, err := signIn(c.address(1001)); err != nil || waited != 100*time.Millisecond {
				t.Errorf("%s: who has not failed: waited %v, %v", c.name, waited, err)
			}
			for i := range 20 {
				d.wantKind(c.name, d.fail(strangers(c.most+i), c.address(c.most+i)), problem.InvalidCredentials)
			}
			if waited, err := signIn(c.address(1001)); err != nil || waited != 2*time.Second {
				t.Errorf("%s: who has not failed, after 20 more: waited %v, %v", c.name, waited, err)
			}
			if waited, err := signIn(d.somewhere().Address); err != nil || waited != 0 {
				t.Errorf("%s: from another network: waited %v, %v", c.name, waited, err)
			}
			d.pass(time.Hour)
			if waited, err := signIn(c.address(1001)); err != nil || waited != 0 {
				t.Errorf("%s: an hour later: waited %v, %v", c.name, waited, err)
			}
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
		if n := storetest.Count(t, d.db, "login_failures"); n != 0 {
			t.Errorf("%d failures are left", n)
		}
	})
}

// Guesses at accounts that have failed before are no more at once than one after the other.
func TestGuessesAtOnceOfANetworkAreFifty(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		for i := range 45 {
			d.wantKind("Login", d.fail(strangers(i), "192.0.2.1"), problem.InvalidCredentials)
		}
		judged := 0
		for _, err := range atOnce(func(i int) error { return d.fail(strangers(i%45), "192.0.2.1") }) {
			switch problem.KindOf(err) {
			case problem.InvalidCredentials:
				judged++
			case problem.RateLimited, problem.Unavailable:
			default:
				t.Errorf("Login: %v", err)
			}
		}
		if judged == 0 || judged > 5 {
			t.Errorf("%d guesses were judged, want at most 5", judged)
		}
	})
}

// A device that has signed in to the account before is blocked by its own failures alone.
func TestADeviceHasACountOfItsOwn(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.register(ada)
		device, second := d.login().Device, d.login().Device
		signIn := func(device, password string) (*account.Grant, error) {
			d.waited.Store(0)
			in := account.Login{Email: ada.Email, Password: password, Mode: account.ModeSession, From: home}
			in.From.Device = device
			return d.authenticator.Login(t.Context(), in)
		}
		for i := range 50 {
			d.wantKind("Login", d.fail(strangers(i), home.Address), problem.InvalidCredentials)
		}
		if n := d.judged(60, adas, from("198.51.100.%d")); n != 50 {
			t.Fatalf("%d attempts from as many networks were judged, want 50", n)
		}
		_, err := signIn("", ada.Password)
		d.wantKind("a stranger", err, problem.RateLimited)
		for range 4 {
			_, err = signIn(device.Text, "wrong password 1")
			d.wantKind("the device, wrong", err, problem.InvalidCredentials)
		}
		grant, err := signIn(device.Text, ada.Password)
		if err != nil || d.waited.Load() != 0 {
			t.Fatalf("the device waited %v: %v", time.Duration(d.waited.Load()), err)
		}
		if end := d.now().Add(account.DeviceLife); !grant.Device.Expires.Equal(end) {
			t.Errorf("a sign-in has the device known until %v, want %v", grant.Device.Expires, end)
		}
		_, err = signIn(grant.Device.Text, "wrong password 1")
		d.wantKind("the device for the fifth time", err, problem.InvalidCredentials)
		for _, text := range []string{device.Text, grant.Device.Text} {
			_, err = signIn(text, ada.Password)
			d.wantKind("the device for the sixth time", err, problem.RateLimited)
			if after := problem.As(err).RetryAfter; after != time.Hour {
				t.Errorf("again after %v, want 1h", after)
			}
		}
		if _, err := signIn(second.Text, ada.Password); err != nil {
			t.Errorf("another device: %v", err)
		}
	})
}

// Failures of second factors and of the present password count for the device, too.
func TestADeviceCountsWhatIsProvenAgain(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		in, secret, _ := d.enrolled()
		from := home
		from.Device = d.admit(&account.User{ID: viewer.From(in).UserID, Email: ada.Email}, account.ModeBearer).Device.Text
		for range 5 {
			d.wantKind("Login", d.fail(ada.Email, home.Address), problem.InvalidCredentials)
		}
		proof := account.Proof{Password: ada.Password, Code: "000000"}
		d.wantKind("Disable", d.factor.Disable(in, proof, from), problem.InvalidCredentials)
		proof.Code = d.later(secret)
		d.wantKind("Disable by a stranger", d.factor.Disable(in, proof, home), problem.RateLimited)
		d.must(d.factor.Disable(in, proof, from))
	})
}

func TestForgedDevicesAreStrangers(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.register(ada)
		adas, eves := d.login().Device.Text, d.admit(d.register(eve), account.ModeBearer).Device.Text
		for range 5 {
			d.wantKind("Login", d.fail(ada.Email, home.Address), problem.InvalidCredentials)
		}
		signIn := func(device string) (*account.Grant, error) {
			in := account.Login{Email: ada.Email, Password: ada.Password, Mode: account.ModeBearer, From: home}
			in.From.Device = device
			return d.authenticator.Login(t.Context(), in)
		}
		id, mark, _ := strings.Cut(adas, ".")
		_, evesMark, _ := strings.Cut(eves, ".")
		end, sum, _ := strings.Cut(mark, "-")
		for what, text := range map[string]string{
			"none": "", "no mark": id, "of another account": eves, "with another's mark": id + "." + evesMark,
			"with an id of its own": strings.Repeat("A", 26) + "." + mark, "that ends later": id + ".z" + end + "-" + sum,
			"whose mark is cut off": adas[:len(adas)-1], "without an id": "." + mark, "with an id of another form": id + " ." + mark,
			"with an empty mark": id + ".-", "that is large": id + strings.Repeat("."+evesMark, 1000) + "." + mark,
		} {
			_, err := signIn(text)
			d.wantKind("a device "+what, err, problem.RateLimited)
		}
		if _, err := signIn(adas); err != nil {
			t.Errorf("the device: %v", err)
		}
		d.pass(account.DeviceLife)
		for range 5 {
			d.wantKind("Login", d.fail(ada.Email, home.Address), problem.InvalidCredentials)
		}
		_, err := signIn(adas)
		d.wantKind("a device that has ended", err, problem.RateLimited)
	})
}

// A device is known by each of its accounts, and after the keys have changed.
func TestADeviceOfSeveralAccounts(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		from := home
		for i := range 9 {
			in := ada
			in.Email = strangers(i)
			grant, err := d.gate.Admit(t.Context(), d.register(in), account.ModeBearer, from)
			d.must(err)
			from.Device = grant.Device.Text
		}
		d.authenticator.Throttle.Vault = vault(t, 2, 1)
		signIn := func(email string) error {
			_, err := d.authenticator.Login(t.Context(), account.Login{Email: email, Password: ada.Password, Mode: account.ModeBearer, From: from})
			return err
		}
		for i := range 9 {
			for range 5 {
				d.wantKind("Login", d.fail(strangers(i), home.Address), problem.InvalidCredentials)
			}
			err := signIn(strings.ToUpper(strangers(i)))
			if i == 0 {
				d.wantKind("the account of the longest time ago", err, problem.RateLimited)
			} else if err != nil {
				t.Errorf("account %d: %v", i, err)
			}
		}
		d.authenticator.Throttle.Vault = vault(t, 2)
		d.wantKind("without the key", signIn(strangers(8)), problem.RateLimited)
	})
}

// Where too many wait already an attempt is not made, and not counted.
func TestThoseWhoWaitAreBounded(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.authenticator.Throttle.Pause = func(context.Context, time.Duration) error { return context.Canceled }
		for i := range 50 {
			d.wantKind("Login", d.fail(strangers(i), home.Address), problem.InvalidCredentials)
		}
		before := storetest.Count(t, d.db, "login_failures")
		if err := d.fail(strangers(50), home.Address); !errors.Is(err, context.Canceled) {
			t.Errorf("Login: %v", err)
		}
		if after := storetest.Count(t, d.db, "login_failures"); after != before {
			t.Errorf("%d failures, want %d", after, before)
		}
	})
}
