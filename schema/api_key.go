package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/tables"
	"github.com/entwine-go/entwine/kit/viewer"
)

// APIKey lets a program call in its own name. It is the kit's, with the data that
// programs read.
type APIKey struct{ tables.APIKey }

// Policy of the APIKey.
func (APIKey) Policy() ent.Policy {
	verbs := tables.APIKeyVerbs()
	verbs["use_data"] = policy.Key(viewer.Read)
	return policy.Rules{Read: admin, Verbs: verbs}
}

// Annotations of the APIKey.
func (APIKey) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("A key with which a program calls in its own name."),
		expose.Resource{
			Path: "api-keys", Operations: expose.ReadOnly(),
			Actions: append(tables.APIKeyActions(Permission("").Enum(), "changes products and categories and sends e-mail"),
				expose.Action{
					Verb: "use_data", Scope: expose.Unbound, Run: expose.OutsideTx, Answer: expose.Answer{Members: expose.MembersOf(PublicData{})},
					Comment: "The name and the permissions of the key, and how many public rows there are. For API keys with `read` only.",
					Names:   expose.Names{ID: "readData", GraphQL: "-", Method: "GET", Path: "/data", Summary: "Read the data", Answer: "PublicData"},
				},
			),
		},
	}
}
