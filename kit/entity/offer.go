package entity

import (
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/policy"
)

// Offer is something that can be done to a row: an action, or a read.
type Offer struct {
	// Name is its name in answers. Method, Before and After are its request in REST:
	// the row's id stands between Before and After, below the path of a version.
	Name, Method, Before, After string
	// Base is not read: code that an earlier generator wrote has it.
	Base string
	// Mutation is its mutation in GraphQL, empty where there is none.
	Mutation string
	// Verb is the verb of the policy that the viewer needs. Empty: no verb.
	Verb string
	// Rule says for which rows it is possible, for any viewer: folded, over columns.
	Rule policy.Rule
	// Deleted is set for operations on deleted rows, which no other row has.
	Deleted bool
	// Ending is set where it is deprecated: it is not offered after its sunset.
	Ending *lifecycle.Ending
}
