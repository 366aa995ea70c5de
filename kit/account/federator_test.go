package account_test

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/idp"
	"github.com/entwine-go/entwine/kit/idp/idptest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/ratelimit"
)

const frontEnd = "https://app.example.com/signed-in"

func TestAStrangerBecomesAUserAndIsKnownAfterwards(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		provider, f := d.federated()
		first := d.comeBack(f, d.depart(f))
		if first.ReturnTo != frontEnd || first.Code != "" || first.Grant.User.Email != "ada@example.com" || first.Grant.User.Role != "user" {
			t.Errorf("arrival %+v", first)
		}
		if v, err := d.verifier.Token(t.Context(), first.Grant.Access.Text); err != nil || v.UserID != first.Grant.User.ID {
			t.Errorf("token of %+v, %v", v, err)
		}
		// The provider's id is what counts: the rest may change.
		provider.UserInfo = func(info map[string]any) { info["email"], info["name"] = "lovelace@example.com", "A." }
		again := d.comeBack(f, d.depart(f))
		if again.Grant.User.ID != first.Grant.User.ID || d.User.Query().CountX(system(t)) != 1 {
			t.Errorf("signed in as %v, was %v", again.Grant.User, first.Grant.User)
		}
		d.must(d.update(first.Grant.User).SetIsActive(false).Exec(system(t)))
		_, err := f.Return(t.Context(), d.depart(f), home)
		d.wantKind("Return of a deactivated user", err, problem.InvalidCredentials)
	})
}

// The first sign-in of a user counts as a registration; that of a known user does not.
func TestStrangersOfANetworkAreBounded(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.registrar.Limiter, d.registrar.Rate = &ratelimit.Memory{Now: d.now}, ratelimit.Rate{Count: 1, Window: time.Hour, Algorithm: "fixed"}
		provider, f := d.federated()
		d.comeBack(f, d.depart(f))
		d.comeBack(f, d.depart(f))
		provider.Claims = func(claims jwt.MapClaims) { claims["sub"] = "eve-1" }
		provider.UserInfo = func(info map[string]any) { info["sub"], info["email"] = "eve-1", "eve@example.com" }
		_, err := f.Return(t.Context(), d.depart(f), home)
		d.wantKind("Return of a second stranger", err, problem.RateLimited)
		_, err = d.registrar.Register(t.Context(), account.Registration{Name: "Mia", Email: "mia@example.com", Password: ada.Password}, home.Address)
		d.wantKind("Register", err, problem.RateLimited)
	})
}

// An address that the provider has verified is, as long as the user has it.
func TestTheProviderVerifiesAddresses(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.gate.Verified = true
		provider, f := d.federated()
		provider.UserInfo = func(info map[string]any) { info["email_verified"] = false }
		_, err := f.Return(t.Context(), d.depart(f), home)
		if !errors.Is(err, account.ErrUnverified) {
			t.Errorf("Return with an address that is not verified: %v", err)
		}
		provider.UserInfo = func(info map[string]any) { info["email"] = "other@example.com" }
		if _, err = f.Return(t.Context(), d.depart(f), home); !errors.Is(err, account.ErrUnverified) {
			t.Errorf("Return with another address that is: %v", err)
		}
		provider.UserInfo = func(map[string]any) {}
		d.comeBack(f, d.depart(f))
		d.must(d.User.Update().SetEmail("lovelace@example.com").Exec(system(t)))
		if _, err = f.Return(t.Context(), d.depart(f), home); !errors.Is(err, account.ErrUnverified) {
			t.Errorf("Return with an address of before: %v", err)
		}
	})
}

func TestNobodyIsFoundByAnAddress(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.register(ada)
		_, f := d.federated()
		_, err := f.Return(t.Context(), d.depart(f), home)
		d.wantKind("Return", err, problem.Duplicate)
		if n := storetest.Count(t, d.db, "external_identities"); n != 0 {
			t.Errorf("%d identities", n)
		}
	})
}

func TestASignInThatTheBrowserDidNotBegin(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		_, f := d.federated()
		for _, c := range []struct {
			name   string
			change func(back *account.Callback)
			want   problem.Kind
		}{
			{"without a state", func(back *account.Callback) { back.State = "" }, problem.Invalid},
			{"without a code", func(back *account.Callback) { back.Code = "" }, problem.Invalid},
			{"with a state that was made up", func(back *account.Callback) { back.State = "made up" }, problem.InvalidCredentials},
			{"with the state of another browser", func(back *account.Callback) { back.State = d.depart(f).State }, problem.InvalidCredentials},
			{"without the cookie", func(back *account.Callback) { back.Browser = "" }, problem.InvalidCredentials},
			{"after ten minutes", func(*account.Callback) { d.pass(10 * time.Minute) }, problem.InvalidCredentials},
			{"with a refusal", func(back *account.Callback) { back.Error = "access_denied" }, problem.InvalidCredentials},
			{"for a second time", func(back *account.Callback) { d.comeBack(f, *back) }, problem.InvalidCredentials},
		} {
			t.Run(c.name, func(t *testing.T) {
				back := d.depart(f)
				c.change(&back)
				_, err := f.Return(t.Context(), back, home)
				d.wantKind("Return", err, c.want)
			})
		}
		if _, err := f.Begin(t.Context(), frontEnd+"/"); problem.KindOf(err) != problem.Invalid {
			t.Errorf("Begin for an address that is not listed: %v", err)
		}
		var none *account.Federator
		_, err := none.Begin(t.Context(), "")
		d.wantKind("Begin without a provider", err, problem.NotFound)
	})
}

func TestOneOfFiftyUsesAState(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		_, f := d.federated()
		back := d.depart(f)
		in := 0
		for _, err := range atOnce(func(int) error { _, err := f.Return(t.Context(), back, home); return err }) {
			if err == nil {
				in++
				continue
			}
			d.wantKind("Return", err, problem.InvalidCredentials)
		}
		if in != 1 || d.User.Query().CountX(system(t)) != 1 {
			t.Errorf("%d got in, want 1", in)
		}
	})
}

func TestFiftyFirstSignInsAtOnceMakeOneUser(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		_, f := d.federated()
		backs := make([]account.Callback, 50)
		for i := range backs {
			backs[i] = d.depart(f)
		}
		for _, err := range atOnce(func(i int) error { _, err := f.Return(t.Context(), backs[i], home); return err }) {
			d.must(err)
		}
		if n := d.User.Query().CountX(system(t)); n != 1 {
			t.Errorf("%d users", n)
		}
	})
}

func TestTheFrontEndGetsACodeInPlaceOfAToken(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		_, f := d.federated()
		f.ByCode = true
		in := d.comeBack(f, d.depart(f))
		if in.Grant != nil || in.Code == "" {
			t.Fatalf("arrival %+v", in)
		}
		exchanged := 0
		for _, err := range atOnce(func(int) error {
			_, err := f.Exchange(t.Context(), account.Handover{Code: in.Code, Mode: account.ModeBearer, From: home})
			return err
		}) {
			if err == nil {
				exchanged++
				continue
			}
			d.wantKind("Exchange", err, problem.Invalid)
		}
		if exchanged != 1 {
			t.Errorf("exchanged %d times", exchanged)
		}
		late := d.comeBack(f, d.depart(f))
		d.pass(2 * time.Minute)
		_, err := f.Exchange(t.Context(), account.Handover{Code: late.Code, Mode: account.ModeBearer, From: home})
		d.wantKind("Exchange after two minutes", err, problem.Invalid)
	})
}

func TestTheProviderDoesNotReplaceASecondFactor(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		_, f := d.federated()
		in := d.as(d.comeBack(f, d.depart(f)).Grant)
		enrolment, err := d.factor.Setup(in, account.Proof{}, home)
		d.must(err)
		_, err = d.factor.Verify(in, d.codeOf(enrolment.Secret), home)
		d.must(err)
		arrival := d.comeBack(f, d.depart(f))
		if arrival.Grant != nil {
			t.Fatal("got in without a code")
		}
		handover := account.Handover{Code: arrival.Code, Mode: account.ModeBearer, From: home}
		if _, err := f.Exchange(t.Context(), handover); !errors.Is(err, account.ErrCodeNeeded) {
			t.Errorf("Exchange without a one-time code: %v", err)
		}
		handover.OneTime = "000000"
		_, err = f.Exchange(t.Context(), handover)
		d.wantKind("Exchange with a wrong one-time code", err, problem.InvalidCredentials)
		handover.OneTime = d.later(enrolment.Secret)
		if _, err := f.Exchange(t.Context(), handover); err != nil {
			t.Errorf("Exchange: %v", err)
		}
	})
}

func (d *desk) federated() (*idptest.Provider, *account.Federator) {
	p := idptest.New(d.t)
	client := &idp.Provider{
		Issuer: p.URL, ClientID: idptest.ClientID, ClientSecret: idptest.ClientSecret,
		RedirectURL: "https://api.example.com/api/v1/auth/idp/callback",
	}
	return p, &account.Federator{
		DB: d.db, Registrar: d.registrar, Vault: vault(d.t, 1), Factor: d.factor, Gate: d.gate, Provider: client, FrontEnds: []string{frontEnd}, Now: d.now,
	}
}

// depart sends a browser to the provider and returns what it brings back.
func (d *desk) depart(f *account.Federator) account.Callback {
	d.t.Helper()
	out, err := f.Begin(d.t.Context(), "")
	d.must(err)
	browser := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	request, err := http.NewRequestWithContext(context.WithoutCancel(d.t.Context()), http.MethodGet, out.URL, nil)
	d.must(err)
	response, err := browser.Do(request)
	d.must(err)
	defer response.Body.Close()
	to, err := url.Parse(response.Header.Get("Location"))
	d.must(err)
	if !strings.HasPrefix(to.String(), "https://api.example.com/api/v1/auth/idp/callback?") {
		d.t.Fatalf("the provider sends to %s", to)
	}
	q := to.Query()
	return account.Callback{State: q.Get("state"), Code: q.Get("code"), Issuer: q.Get("iss"), Browser: out.Browser.Text}
}

func (d *desk) comeBack(f *account.Federator, back account.Callback) *account.Arrival {
	d.t.Helper()
	in, err := f.Return(d.t.Context(), back, home)
	d.must(err)
	return in
}
