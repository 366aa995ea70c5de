package schema

import "github.com/entwine-go/entwine/kit/expose"

// PublicData is the answer of GET /data.
type PublicData struct {
	Client      string       `json:"client" comment:"The name of the program that holds the key." example:"warehouse"`
	Permissions []Permission `json:"permissions" comment:"What the key may do." example:"[\"read\"]"`
	Data        PublicTotals `json:"data" comment:"How many rows there are." example:"{\"users\":12,\"posts\":340,\"products\":57,\"categories\":6}"`
}

// PublicTotals count what anonymous callers may know: users, and rows that they
// can read.
type PublicTotals struct {
	_          struct{} `comment:"How many rows everybody can see."`
	Users      int64    `json:"users" comment:"How many users."`
	Posts      int64    `json:"posts" comment:"How many published posts."`
	Products   int64    `json:"products" comment:"How many products."`
	Categories int64    `json:"categories" comment:"How many categories."`
}

// Permission is a right of an API key.
type Permission string

// Enum are the permissions.
func (Permission) Enum() expose.Field {
	return expose.Enum("APIKeyPermission", "What a key may do.",
		expose.Choice{Value: "read", Comment: "Read all that every signed-in user can read."},
		expose.Choice{Value: "write", Comment: "Change products and categories, and send e-mail."})
}
