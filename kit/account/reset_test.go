package account_test

import (
	"context"
	"encoding/hex"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/internal/notes/ent"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
)

const newPassword = "battery staple 2"

func TestAForgottenPasswordIsReplaced(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.register(ada)
		before := d.login()
		for range 5 { // Ada is locked out, too
			_, _ = d.tryLogin(ada.Email, "wrong password 1")
		}
		first, second := d.forgot(ada.Email), d.forgot(strings.ToUpper(ada.Email))
		if b, err := hex.DecodeString(first); err != nil || len(b) != 32 || first == second {
			t.Errorf("tokens %q and %q", first, second)
		}
		if to := d.mailbox[0].To; to != ada.Email {
			t.Errorf("sent to %s", to)
		}
		d.must(d.resetter.Reset(t.Context(), first, newPassword))
		d.wantKind("Reset with the same token", d.resetter.Reset(t.Context(), first, newPassword), problem.Invalid)
		d.wantKind("Reset with the other token", d.resetter.Reset(t.Context(), second, newPassword), problem.Invalid)
		d.refused(before.Refresh.Text, problem.TokenInvalid)
		if _, err := d.tryLogin(ada.Email, newPassword); err != nil {
			t.Errorf("Login with the new password: %v", err)
		}
		_, err := d.tryLogin(ada.Email, ada.Password)
		d.wantKind("Login with the old password", err, problem.InvalidCredentials)
	})
}

func TestAResetThatIsRefused(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		token := d.forgot(ada.Email)
		d.wantKind("made up", d.resetter.Reset(t.Context(), strings.Repeat("0", 64), newPassword), problem.Invalid)
		d.wantKind("the hash", d.resetter.Reset(t.Context(), string(storetest.Ask[[]byte](t, d.db, "SELECT token_hash FROM reset_tokens")[0]), newPassword), problem.Invalid)
		d.wantKind("a bad password", d.resetter.Reset(t.Context(), token, "short"), problem.Unprocessable)
		d.must(d.update(who).SetIsActive(false).Exec(system(t)))
		d.wantKind("deactivated", d.resetter.Reset(t.Context(), token, newPassword), problem.Invalid)
		d.must(d.update(who).SetIsActive(true).Exec(system(t)))
		d.pass(30 * time.Minute)
		d.wantKind("expired", d.resetter.Reset(t.Context(), token, newPassword), problem.Invalid)
		d.login() // the password is still the old one
	})
}

// A reset token is void once the user was deactivated or had another address, also after
// that change is undone.
func TestAResetTokenIsTakenBack(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		change := func(set func(*ent.UserUpdateOne) *ent.UserUpdateOne) {
			t.Helper()
			d.must(set(d.update(who)).Exec(system(t)))
		}
		for _, c := range []struct {
			name      string
			out, back func(*ent.UserUpdateOne) *ent.UserUpdateOne
		}{
			{"deactivated", func(u *ent.UserUpdateOne) *ent.UserUpdateOne { return u.SetIsActive(false) },
				func(u *ent.UserUpdateOne) *ent.UserUpdateOne { return u.SetIsActive(true) }},
			{"moved", func(u *ent.UserUpdateOne) *ent.UserUpdateOne { return u.SetEmail("ada@elsewhere.example") },
				func(u *ent.UserUpdateOne) *ent.UserUpdateOne { return u.SetEmail(ada.Email) }},
		} {
			token := d.forgot(ada.Email)
			change(c.out)
			d.wantKind(c.name, d.resetter.Reset(t.Context(), token, newPassword), problem.Invalid)
			change(c.back)
			d.wantKind(c.name+" and back", d.resetter.Reset(t.Context(), token, newPassword), problem.Invalid)
		}
		token := d.forgot(ada.Email)
		change(func(u *ent.UserUpdateOne) *ent.UserUpdateOne {
			return u.SetName("Ada King").SetEmail(strings.ToUpper(ada.Email))
		})
		d.must(d.resetter.Reset(t.Context(), token, newPassword)) // it is the same address
	})
}

func TestForgettingLooksTheSameForEverybody(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.must(d.update(d.register(eve)).SetIsActive(false).Exec(system(t)))
		for _, email := range []string{"nobody@example.com", eve.Email, "percent%@example.com"} {
			d.must(d.resetter.Forgot(t.Context(), email))
			d.must(d.resetter.Deliver(t.Context(), email, "1"))
		}
		if len(d.asked) != 3 || len(d.mailbox) != 0 {
			t.Errorf("asked for %q, sent %+v", d.asked, d.mailbox)
		}
	})
}

func TestNoMailIsAskedForWhatIsNoAddress(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		for _, email := range []string{"", "%", "ada", "\x00@example.com", "Ada <ada@example.com>"} {
			if err := d.resetter.Forgot(t.Context(), email); problem.KindOf(err) != problem.Unprocessable {
				t.Errorf("Forgot(%q): %v", email, err)
			}
		}
		if len(d.asked) != 0 {
			t.Errorf("asked for %q", d.asked)
		}
	})
}

func TestFiveMailsAnHour(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		for range 9 {
			d.must(d.resetter.Forgot(t.Context(), ada.Email))
		}
		if len(d.asked) != 5 {
			t.Errorf("%d mails were asked for, want 5", len(d.asked))
		}
	})
}

func TestOneOfFiftyUsesAResetToken(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.register(ada)
		token := d.forgot(ada.Email)
		done := 0
		for _, err := range atOnce(func(int) error { return d.resetter.Reset(t.Context(), token, newPassword) }) {
			switch problem.KindOf(err) {
			case problem.Invalid, problem.Unavailable:
			default:
				d.must(err)
				done++
			}
		}
		if done != 1 {
			t.Errorf("%d resets, want 1", done)
		}
	})
}

func TestAUserWithoutAPasswordGetsOneByAReset(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		d.must(d.User.Create().SetName(ada.Name).SetEmail(ada.Email).Exec(system(t)))
		d.must(d.resetter.Reset(t.Context(), d.forgot(ada.Email), ada.Password))
		d.login()
	})
}

// forgot returns the token that is sent to who has forgotten.
func (d *desk) forgot(email string) string {
	d.t.Helper()
	d.must(d.resetter.Forgot(d.t.Context(), email))
	d.must(d.resetter.Deliver(d.t.Context(), d.asked[len(d.asked)-1], "reset"))
	for word := range strings.FieldsSeq(d.mailbox[len(d.mailbox)-1].Text) {
		if link, err := url.Parse(word); err == nil && link.Host == "app.example.com" {
			return link.Query().Get("token")
		}
	}
	d.t.Fatalf("no link in %+v", d.mailbox)
	return ""
}

// mailbox keeps what is sent.
type mailbox []mail.Message

func (b *mailbox) Send(_ context.Context, m mail.Message) error { *b = append(*b, m); return nil }

var _ mail.Sender = (*mailbox)(nil)
