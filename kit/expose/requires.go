package expose

import "entgo.io/ent/schema"

// Requires lists the tables and columns that an entity needs: the code that writes
// its rows uses other entities, too. The generation fails without one of them.
type Requires struct {
	// For names the part that needs it, in the plural: "accounts".
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
