package entity

import (
	"github.com/entwine-go/entwine/kit/lifecycle"
	"github.com/entwine-go/entwine/kit/policy"
)

// Offer is something that can be done to a row: an action, or a read.
type Offer struct {
	// Name is what it is called, Method that of the request that does it in REST,
	// and Before and After the path around what stands for the row's id there, below
	// that of a version.
	Name, Method, Before, After string
	// Base is not read: code that an earlier generator wrote has it.
	Base string
	// Mutation is what does it in GraphQL, empty where nothing does.
	Mutation string
	// Verb is what the policy asks of the viewer, nothing if it is empty.
	Verb string
	// Rule says for which rows it is possible, for any viewer: folded, over columns.
	Rule policy.Rule
	// Deleted is set for what is done to deleted rows, and to no others.
	Deleted bool
	// Ending is set where it is deprecated: it is not offered after its sunset.
	Ending *lifecycle.Ending
}
