package expose

import "entgo.io/ent/schema"

// Requires is what the schemas must have for an entity to be of use: the code
// that writes its rows knows other entities, too. What is missing fails the
// generation.
type Requires struct {
	// For is what needs it, in the plural: "accounts".
	For string
	// Entities are those that there must be, with their columns and their types:
	// "string", "bool", "int64", "time.Time", or "enum".
	Entities map[string]map[string]string
}

// Accounts is the name that [Requires.For] has for the accounts of users.
const Accounts = "accounts"

// AccountCredentials returns the operations of the kit's accounts on credentials.
func AccountCredentials() Credentials {
	return Credentials{
		Path: "/auth/",
		Entrances: []string{
			"register", "login", "logout", "refresh", "forgot-password", "reset-password",
			"verify-email", "resend-verification", "take-back-email", "idp", "idp/callback", "idp/exchange",
		},
		Plain: []string{"forgot-password"},
	}
}

// Name implements schema.Annotation.
func (Requires) Name() string { return "EntwineRequires" }

var _ schema.Annotation = Requires{}
