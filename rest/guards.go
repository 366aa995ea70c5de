package rest

import (
	"maps"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/resource/declared"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/runtime/resource/provided"
	"github.com/entwine-go/entwine/kit/runtime/resource/signin"
)

// signedIn is for what users do with their own account.
var (
	users    = policy.SignedIn()
	signedIn = door.Guard{Rule: &users}
)

// guards say what operations ask of the caller before anything else is looked
// at: what follows from the schema, and in its place the guards of each
// activity, which stand with its handlers. Operations without one are open to every caller.
func guards(follows *declared.API, bundled *provided.API) map[string]door.Guard {
	all := follows.Guards()
	for _, activity := range []map[string]door.Guard{
		signin.Guards(),
		bundled.Guards(),
		cartGuards,
		feedGuards,
		paymentGuards,
		searchGuards,
	} {
		maps.Copy(all, activity)
	}
	return all
}
