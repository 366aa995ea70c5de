package schema

import "github.com/entwine-go/entwine/kit/tables"

// TrustedDocument is a GraphQL document that clients refer to instead of
// sending it.
type TrustedDocument struct{ tables.TrustedDocument }
