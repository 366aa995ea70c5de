package rest

import (
	"maps"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/rest/builtin"
	"github.com/entwine-go/entwine/kit/rest/crud"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/rest/signin"
)

// signedIn is for what users do with their own account.
var (
	users    = policy.SignedIn()
	signedIn = handler.Guard{Rule: &users}
)

// guards say what operations ask of the caller before anything else is looked
// at: what follows from the schema, and in its place the guards of each
// activity, which stand with its handlers. Operations without one are open to every caller.
func guards(follows *crud.API, bundled *builtin.API) map[string]handler.Guard {
	all := follows.Guards()
	for _, activity := range []map[string]handler.Guard{
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
