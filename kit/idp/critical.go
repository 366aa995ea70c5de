package idp

import (
	"errors"

	"github.com/golang-jwt/jwt/v5"
)

// errCritical refuses a token that is not to be taken without an extension.
var errCritical = errors.New("the token's header has crit, and no extension is known")

// CheckCritical returns an error for a token whose header has crit, the list of
// extensions without which it must not be accepted (RFC 7515, section 4.1.11). No
// extension is known here, and an empty list is not allowed.
func CheckCritical(t *jwt.Token) error {
	if _, has := t.Header["crit"]; has {
		return errCritical
	}
	return nil
}

// checkRawCritical is CheckCritical of a token that another package verifies.
func checkRawCritical(raw string) error {
	t, _, err := jwt.NewParser().ParseUnverified(raw, jwt.MapClaims{})
	if err != nil {
		return err
	}
	return CheckCritical(t)
}
