package rest

import (
	"github.com/entwine-go/entwine/internal/policy"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/door"
)

// signedIn is for what users do with their own account.
var (
	users    = policy.SignedIn()
	signedIn = door.Guard{Rule: &users}
)

// guards say what the operations by hand ask of the caller before anything
// else is looked at. Those without one are anybody's.
var guards = map[string]door.Guard{
	"readMe":             signedIn,
	"readTwoFactor":      signedIn,
	"setupTwoFactor":     signedIn,
	"verifyTwoFactor":    signedIn,
	"disableTwoFactor":   signedIn,
	"renewRecoveryCodes": signedIn,
	"listSessions":       signedIn,
	"endSession":         signedIn,
	"endOtherSessions":   signedIn,
}

func guardOf(operation string) door.Guard {
	if guard, ok := guards[operation]; ok {
		return guard
	}
	return crud.Guards[operation]
}
