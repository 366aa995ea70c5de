package account_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/makiuchi-d/gozxing"
	"github.com/makiuchi-d/gozxing/qrcode"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"github.com/entwine-go/entwine/kit/account"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/problem"
)

func TestAPhoneScansThePicture(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		in := d.as(d.admit(d.register(ada), account.ModeBearer))
		enrolment, err := d.factor.Setup(in, account.Proof{}, home)
		d.must(err)
		key := scan(t, enrolment.Picture)
		if key.Secret() != enrolment.Secret || key.Issuer() != "entwine" || key.AccountName() != ada.Email || key.Type() != "totp" {
			t.Errorf("the picture says %s, secret %s", key, enrolment.Secret)
		}
		_, err = d.factor.Verify(in, d.codeOf(key.Secret()), home)
		d.must(err)
	})
}

func TestSettingUpASecondFactor(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		who := d.register(ada)
		in := d.as(d.admit(who, account.ModeBearer))
		_, err := d.factor.Verify(in, "123456", home)
		d.wantKind("Verify before Setup", err, problem.Conflict)
		enrolment, err := d.factor.Setup(in, account.Proof{}, home)
		d.must(err)
		_, err = d.factor.Verify(in, "12345", home)
		d.wantKind("Verify with a wrong code", err, problem.Invalid)
		d.login() // a factor that is not verified is not asked for
		codes, err := d.factor.Verify(in, d.codeOf(enrolment.Secret), home)
		d.must(err)
		if len(codes) != 10 {
			t.Errorf("recovery codes %v", codes)
		}
		stored := storetest.Ask[[]byte](t, d.db, "SELECT totp_secret FROM credentials WHERE totp_enabled")
		if len(stored) != 1 || bytes.Contains(stored[0], []byte(enrolment.Secret)) {
			t.Errorf("stored %q", stored)
		}
		_, err = d.tryLogin(ada.Email, ada.Password)
		if !errors.Is(err, account.ErrCodeNeeded) {
			t.Errorf("Login without a code: %v", err)
		}
		d.pass(30 * time.Second)
		for range 2 {
			_, err = d.factor.Setup(in, account.Proof{}, home)
			d.wantKind("Setup again without proof", err, problem.Invalid)
		}
		_, err = d.factor.Setup(in, account.Proof{Password: ada.Password, Code: "000000"}, home)
		d.wantKind("Setup again with a wrong code", err, problem.InvalidCredentials)
		again, err := d.factor.Setup(in, account.Proof{Password: ada.Password, Code: d.codeOf(enrolment.Secret)}, home)
		d.must(err)
		d.pass(30 * time.Second)
		d.loginWith(d.codeOf(enrolment.Secret)) // the old one is good until the new one is verified
		d.pass(30 * time.Second)
		_, err = d.factor.Verify(in, d.codeOf(again.Secret), home)
		d.must(err)
		d.pass(30 * time.Second)
		d.wantKind("Login with the old factor", d.codeRefused(d.codeOf(enrolment.Secret)), problem.InvalidCredentials)
		d.loginWith(d.codeOf(again.Secret))
	})
}

func TestACodeIsAcceptedOnce(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		in, secret, _ := d.enrolled()
		code := d.codeOf(secret)
		d.wantKind("Login with the code of the setup", d.codeRefused(code), problem.InvalidCredentials)
		d.pass(30 * time.Second)
		code = d.codeOf(secret)
		d.loginWith(code)
		d.wantKind("Login with the same code", d.codeRefused(code), problem.InvalidCredentials)
		d.wantKind("Disable with the same code",
			d.factor.Disable(in, account.Proof{Password: ada.Password, Code: code}, home), problem.InvalidCredentials)
		d.pass(60 * time.Second)
		d.wantKind("Login with a code of a minute ago", d.codeRefused(code), problem.InvalidCredentials)
	})
}

func TestOneOfFiftyGetsInWithACode(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		_, secret, codes := d.enrolled()
		for name, code := range map[string]string{"one-time": d.later(secret), "recovery": codes[0]} {
			in := 0
			for _, err := range atOnce(func(int) error {
				_, err := d.authenticator.Login(t.Context(), account.Login{
					// Each from an address of its own, or the limit would do it.
					Email: ada.Email, Password: ada.Password, Code: code, Mode: account.ModeBearer, From: d.somewhere(),
				})
				return err
			}) {
				switch {
				case err == nil:
					in++
				case problem.KindOf(err) == problem.Unavailable:
				default:
					d.wantKind(name, err, problem.InvalidCredentials)
				}
			}
			if in != 1 {
				t.Errorf("%d got in with one %s code", in, name)
			}
			storetest.Do(t, d.db, "DELETE FROM login_failures")
		}
	})
}

func TestRecoveryCodes(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		in, secret, codes := d.enrolled()
		d.loginWith(codes[3])
		d.wantKind("Login with a used code", d.codeRefused(codes[3]), problem.InvalidCredentials)
		d.loginWith(strings.ToUpper(strings.ReplaceAll(codes[4], "-", " ")))
		state, err := d.factor.State(in)
		if err != nil || !state.Enabled || state.RecoveryCodes != 8 {
			t.Errorf("State = %+v, %v", state, err)
		}
		fresh, err := d.factor.RenewRecoveryCodes(in, account.Proof{Password: ada.Password, Code: d.later(secret)}, home)
		d.must(err)
		d.wantKind("Login with an old code", d.codeRefused(codes[5]), problem.InvalidCredentials)
		d.loginWith(fresh[0])
		d.must(d.factor.Disable(in, account.Proof{Password: ada.Password, Code: fresh[1]}, home))
		d.login()
		if n := storetest.Count(t, d.db, "recovery_codes"); n != 0 {
			t.Errorf("%d recovery codes are left", n)
		}
		d.wantKind("Disable twice", d.factor.Disable(in, account.Proof{}, home), problem.Conflict)
	})
}

func TestAFactorIsNobodyElses(t *testing.T) {
	each(t, func(t *testing.T, d *desk) {
		_, _, codes := d.enrolled()
		other := d.register(eve)
		// An attacker who can write the database still can't move a secret to another user.
		storetest.Do(t, d.db, `UPDATE credentials SET totp_enabled = TRUE,
			totp_secret = (SELECT totp_secret FROM credentials WHERE totp_secret IS NOT NULL) WHERE user_id = $1`, other.ID)
		_, err := d.authenticator.Login(t.Context(), account.Login{Email: eve.Email, Password: eve.Password, Code: "123456", Mode: account.ModeBearer, From: home})
		d.wantKind("Login with a moved secret", err, problem.Internal)
		_, err = d.authenticator.Login(t.Context(), account.Login{Email: eve.Email, Password: eve.Password, Code: codes[0], Mode: account.ModeBearer, From: home})
		d.wantKind("Login with another's recovery code", err, problem.InvalidCredentials)
	})
}

// enrolled registers Ada with a second factor.
func (d *desk) enrolled() (in context.Context, secret string, codes []string) {
	d.t.Helper()
	in = d.as(d.admit(d.register(ada), account.ModeBearer))
	enrolment, err := d.factor.Setup(in, account.Proof{}, home)
	d.must(err)
	codes, err = d.factor.Verify(in, d.codeOf(enrolment.Secret), home)
	d.must(err)
	return in, enrolment.Secret, codes
}

// codeOf returns the code that a phone shows now.
func (d *desk) codeOf(secret string) string {
	d.t.Helper()
	code, err := totp.GenerateCode(secret, d.now())
	d.must(err)
	return code
}

// later returns the next code.
func (d *desk) later(secret string) string {
	d.pass(30 * time.Second)
	return d.codeOf(secret)
}

func (d *desk) codeRefused(code string) error {
	_, err := d.authenticator.Login(d.t.Context(), account.Login{Email: ada.Email, Password: ada.Password, Code: code, Mode: account.ModeBearer, From: d.somewhere()})
	return err
}

func (d *desk) loginWith(code string) {
	d.t.Helper()
	d.must(d.codeRefused(code))
}

// scan reads the picture as a phone does.
func scan(t *testing.T, picture string) *otp.Key {
	t.Helper()
	data, ok := strings.CutPrefix(picture, "data:image/png;base64,")
	if !ok {
		t.Fatalf("no PNG: %.40s", picture)
	}
	content, err := base64.StdEncoding.DecodeString(data)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(content))
	if err != nil {
		t.Fatal(err)
	}
	bitmap, err := gozxing.NewBinaryBitmapFromImage(img)
	if err != nil {
		t.Fatal(err)
	}
	// The picture is exact: the reader is not to estimate where modules are, as it does of
	// photographs, which fails for one secret of hundreds.
	result, err := qrcode.NewQRCodeReader().Decode(bitmap, map[gozxing.DecodeHintType]any{gozxing.DecodeHintType_PURE_BARCODE: true})
	if err != nil {
		t.Fatalf("scan: %v", err)
	}
	key, err := otp.NewKeyFromURL(result.GetText())
	if err != nil {
		t.Fatal(err)
	}
	return key
}
