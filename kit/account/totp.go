package account

import (
	"bytes"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"net/url"
	"strings"
	"time"

	"github.com/boombuler/barcode/qr"
	"github.com/pquerna/otp"
	"github.com/pquerna/otp/hotp"
)

// One-time codes as every authenticator app makes them (RFC 6238): six
// digits of HMAC-SHA-1, new each thirty seconds.
const (
	codeDigits    = otp.DigitsSix
	codePeriod    = 30 // seconds
	codeSecretLen = 20 // bytes
	codeSkew      = 1  // steps that a phone's clock may be off
)

var codeText = base32.StdEncoding.WithPadding(base32.NoPadding)

func newCodeSecret() []byte {
	secret := make([]byte, codeSecretLen)
	_, _ = rand.Read(secret) // never fails
	return secret
}

// matchingStep returns the time step whose code was given, 0 for none: the
// one of now, or one beside it.
func matchingStep(secret []byte, code string, now time.Time) (int64, error) {
	step := now.Unix() / codePeriod
	var match int64
	for _, s := range []int64{step - codeSkew, step, step + codeSkew} {
		want, err := hotp.GenerateCodeCustom(codeText.EncodeToString(secret), uint64(s), hotp.ValidateOpts{Digits: codeDigits})
		if err != nil {
			return 0, fmt.Errorf("compute one-time code: %w", err)
		}
		if subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			match = s
		}
	}
	return match, nil
}

// codeURL returns what an authenticator app reads from the picture.
func codeURL(service, account string, secret []byte) string {
	query := url.Values{
		"secret": {codeText.EncodeToString(secret)}, "issuer": {service},
		"algorithm": {"SHA1"}, "digits": {codeDigits.String()}, "period": {fmt.Sprint(codePeriod)},
	}
	label := url.PathEscape(service) + ":" + url.PathEscape(account)
	// Apps don't take + for a space.
	return "otpauth://totp/" + label + "?" + strings.ReplaceAll(query.Encode(), "+", "%20")
}

// The picture: pixels for each module, and the white border that a scanner
// needs to find the code.
const (
	moduleSize  = 6
	quietModule = 4
)

// qrCode returns the text as a picture that a phone can scan: a PNG as a data URL.
func qrCode(text string) (string, error) {
	code, err := qr.Encode(text, qr.M, qr.Auto)
	if err != nil {
		return "", fmt.Errorf("draw QR code: %w", err)
	}
	modules := code.Bounds().Dx()
	side := (modules + 2*quietModule) * moduleSize
	picture := image.NewPaletted(image.Rect(0, 0, side, side), color.Palette{color.White, color.Black})
	for i := range picture.Pix {
		x, y := i%picture.Stride/moduleSize-quietModule, i/picture.Stride/moduleSize-quietModule
		if x >= 0 && y >= 0 && x < modules && y < modules && code.At(x, y) == color.Black {
			picture.Pix[i] = 1
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		return "", fmt.Errorf("draw QR code: %w", err)
	}
	return "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes()), nil
}
