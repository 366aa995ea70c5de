package account

import (
	"crypto/hmac"
	"crypto/rand"
	"encoding/base64"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/fold"
)

// A device is a browser or a program that keeps cookies. At each sign-in it gets a
// text that says to which accounts it has signed in: an id, and a mark for each of
// them, which is a MAC of id, account and end. Failures of a device that an account
// knows are counted for the device alone, so that others' failures do not keep the
// user out.
//
// The text is no credential. A thief has five guesses an hour more at the passwords
// of these accounts.
//
//	id.end-mac.end-mac

// DeviceLife is for how long a device is known after a sign-in.
const DeviceLife = 365 * 24 * time.Hour

const (
	// deviceIDLen is the length of [rand.Text].
	deviceIDLen = 26
	// maxMarks is how many accounts know a device. The one that was signed in to the
	// longest time ago is left out first.
	maxMarks = 8
	// maxDevice is how long the text is at most.
	maxDevice = deviceIDLen + maxMarks*48
	// markLen is how much of a MAC is in a mark, in bytes.
	markLen = 16
)

// parseDevice returns the id and the marks of a device's text, nothing of one that has
// another form.
func parseDevice(text string) (id string, marks []string) {
	if len(text) > maxDevice {
		return "", nil
	}
	id, rest, _ := strings.Cut(text, ".")
	if len(id) != deviceIDLen || strings.Trim(id, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		return "", nil
	}
	if rest == "" {
		return id, nil
	}
	marks = strings.Split(rest, ".")
	return id, marks[:min(len(marks), maxMarks)]
}

// knownDevice returns the id of the device that the text is of, empty where the
// account does not know it.
func (v *Vault) knownDevice(text, email string, now time.Time) string {
	id, marks := parseDevice(text)
	for _, mark := range marks {
		if v.marks(mark, id, email) && !past(mark, now) {
			return id
		}
	}
	return ""
}

// marks reports whether one of the keys has made the mark for the account.
func (v *Vault) marks(mark, id, email string) bool {
	end, sum, _ := strings.Cut(mark, "-")
	for _, k := range v.keys {
		if hmac.Equal([]byte(sum), []byte(k.deviceMAC(id, end, email))) {
			return true
		}
	}
	return false
}

// past reports whether a mark has passed its end.
func past(mark string, now time.Time) bool {
	end, _, _ := strings.Cut(mark, "-")
	seconds, err := strconv.ParseInt(end, 36, 64)
	return err != nil || now.Unix() >= seconds
}

// device returns the text for a device that has just signed in to the account: what
// it has sent, with another mark.
func (v *Vault) device(text, email string, now time.Time) Token {
	id, marks := parseDevice(text)
	if id == "" {
		id = rand.Text()
	}
	expires := now.Add(DeviceLife)
	end := strconv.FormatInt(expires.Unix(), 36)
	all := []string{id, end + "-" + v.keys[0].deviceMAC(id, end, email)}
	for _, mark := range marks {
		if len(all) <= maxMarks && !past(mark, now) && !v.marks(mark, id, email) {
			all = append(all, mark)
		}
	}
	return Token{Text: strings.Join(all, "."), Expires: expires}
}

// deviceMAC says that the device with the id has signed in to the account.
func (k vaultKey) deviceMAC(id, end, email string) string {
	sum := k.mac(forDevice, id+" "+end+" "+fold.String(email))
	return base64.RawURLEncoding.EncodeToString(sum[:markLen])
}
