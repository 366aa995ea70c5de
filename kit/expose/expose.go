// Package expose is the vocabulary by which a schema describes its entity to the
// APIs: path and operations, filters, sorting and search, bounds of values, the
// callers that see or set a field, and actions on rows.
//
// Everything here is an annotation that the generator (package codegen) reads from
// Ent's graph, as JSON. In the running service only the validators of bounds and
// the actions, as Go values, are used. schema/doc.go shows the vocabulary in use.
package expose

import "entgo.io/ent/schema"

// Operation is one of the operations that the generator can make for an entity.
type Operation string

// The operations. HEAD follows Read and List.
const (
	List    Operation = "list"
	Create  Operation = "create"
	Read    Operation = "read"
	Replace Operation = "replace" // PUT
	Patch   Operation = "patch"   // PATCH, and update in GraphQL
	Delete  Operation = "delete"
)

// CRUD is every operation.
func CRUD() []Operation { return []Operation{List, Create, Read, Replace, Patch, Delete} }

// ReadOnly is List and Read: such an entity is changed by its Actions, or by Go code alone.
func ReadOnly() []Operation { return []Operation{List, Read} }

// Except returns the operations of CRUD without some.
func Except(without ...Operation) []Operation {
	var left []Operation
next:
	for _, o := range CRUD() {
		for _, w := range without {
			if o == w {
				continue next
			}
		}
		left = append(left, o)
	}
	return left
}

// Resource exposes an entity in both APIs. An entity without it is exposed nowhere.
type Resource struct {
	// Path is the collection's path in REST, plural and lower-case with
	// hyphens: "api-keys", "cart/items". GraphQL names follow it.
	Path string `json:"path"`
	// Operations are generated.
	Operations []Operation `json:"operations"`
	// ByHand are operations that stand in rest/*.yaml and
	// gql/*.graphql instead: the generator demands them there.
	ByHand []Operation `json:"by_hand,omitempty"`
	// Sort orders listings that do not ask for an order: "-created_at" if empty.
	Sort string `json:"sort,omitempty"`
	// Limit is the default page size: 20 if 0.
	Limit int `json:"limit,omitempty"`
	// Under names the edge to the parent under which the entity has its only
	// path, one for each parent: a profile is at /users/{id}/profile.
	Under string `json:"under,omitempty"`
	// Key names the unique text field that stands for the id in REST: in the
	// paths of the entity, and where others are filtered by it
	// (/categories/{name}, /posts?category=science).
	Key string `json:"key,omitempty"`
	// Names gives fields other names in REST v1 than their snake_case ones,
	// as [Named] does: for those that come from a mixin.
	Names map[string]string `json:"names,omitempty"`
	// Public names the fields of a row that callers see who may not see all of it.
	// Empty: all fields. Anonymous callers do not, and where the policy has a rule for
	// it ([policy.ReadWhole]), others whom it does not admit.
	Public []string `json:"public,omitempty"`
	// Cache is the Cache-Control of its reads: "private, no-cache" if empty.
	Cache string `json:"cache,omitempty"`
	// Derived are fields that follow from the row and from others.
	Derived []Derived `json:"derived,omitempty"`
	// Calcs are values that the database computes with arguments of the caller.
	Calcs []Calc `json:"calcs,omitempty"`
	// Search names the text fields of full-text search, at most four, in the order of
	// their weight. The first is the title of a result. Each is [By] Search too. The
	// databases keep an index of them.
	Search []string `json:"search,omitempty"`
	// Queries are those of GraphQL that it has beside its own.
	Queries []Query `json:"queries,omitempty"`
	// Events lists the topics that a write of the entity is announced under,
	// by the database itself: see [Topic].
	Events []Topic `json:"events,omitempty"`
	// Changes has programs follow the rows: GET /changes?entity=… says which were created,
	// changed, deleted or hidden from the caller since the last call. The database notes each
	// write, in its transaction, for as long as changes are kept. The table tables.Change is
	// needed. The policy's Read may depend on the caller, and on columns of the row that are
	// flags, integers, foreign keys, enums or times (for null). It may not depend on other rows,
	// since their change is no write of this row.
	Changes bool `json:"changes,omitempty"`
	// Live lets clients follow lists of the rows: GET of the list with Accept:
	// text/event-stream, and the subscription postsLive of GraphQL, send each change of
	// the list's answer (doc/clients/live.md). The database announces each write of the
	// table, of the tables that its edges to one row lead to and of those that its
	// derived fields read. The table tables.Event is needed.
	Live bool `json:"live,omitempty"`
	// Presence shows who looks at a row, to all who can read it: GET /presence and the
	// subscription presence of GraphQL (doc/schema/presence.md). Nothing of it is stored in
	// the database. It needs Live, by which it ends for callers who can no longer read the
	// row.
	Presence *Presence `json:"presence,omitempty"`
	// Checks are rules over the fields of a row together.
	Checks []Check `json:"checks,omitempty"`
	// Actions are further operations on rows, Links the reads that a row offers among
	// them.
	Actions []Action `json:"actions,omitempty"`
	Links   []Link   `json:"links,omitempty"`
	// ShowActions shows the actions of each row in listings too, and not only
	// where one row is answered with or fields=actions asks.
	ShowActions bool `json:"show_actions,omitempty"`
	// Marks are flags that users set on rows and can take back, such as likes.
	Marks []Mark `json:"marks,omitempty"`
	// Upsert has a create find the row that is there.
	Upsert *Upsert `json:"upsert,omitempty"`
	// Bulk are operations on many rows at once.
	Bulk []Bulk `json:"bulk,omitempty"`
	// Beside is input of creates and updates that is no field.
	Beside []Beside `json:"beside,omitempty"`
	// Deprecated is when operations end, by [Deprecated].
	Deprecated map[Operation]Ending `json:"deprecated,omitempty"`
}

// Name implements schema.Annotation.
func (Resource) Name() string { return "EntwineResource" }

var _ schema.Annotation = Resource{}
