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

// guards say what the operations by hand ask of the caller before anything
// else is looked at: the guards of each activity, which stand with its
// handlers. Operations without one are anybody's.
var guards = together(
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
)

func together(activities ...map[string]door.Guard) map[string]door.Guard {
	all := map[string]door.Guard{}
	for _, activity := range activities {
		maps.Copy(all, activity)
	}
	return all
}

func guardOf(operation string) door.Guard {
	if guard, ok := guards[operation]; ok {
		return guard
	}
	return crud.Guards[operation]
}
