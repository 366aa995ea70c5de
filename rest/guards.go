package rest

import (
	"maps"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/rest/crud"
)

// signedIn is for what users do with their own account.
var (
	users    = policy.SignedIn()
	signedIn = door.Guard{Rule: &users}
)

// guards say what operations ask of the caller before anything else is looked
// at: the generated ones', and in their place those of each activity, which
// stand with its handlers. Operations without one are open to every caller.
func guards() map[string]door.Guard {
	all := maps.Clone(crud.Guards)
	for _, activity := range []map[string]door.Guard{
		apiKeyGuards,
		authGuards,
		cartGuards,
		emailGuards,
		jobGuards,
		orderGuards,
		postGuards,
		productGuards,
		reportGuards,
		socialGuards,
		userGuards,
	} {
		maps.Copy(all, activity)
	}
	return all
}
