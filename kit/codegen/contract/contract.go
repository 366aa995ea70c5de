// Package contract has the promises of a service's declarations, as data: entities
// with their fields, edges, operations and rules, the tables below them, the
// topics that are announced, the kinds of jobs with their arguments, and the
// operations that are written by hand.
//
// [Of] derives it from the model, and weave writes it as ent/contract.json with
// everything else that is generated, so that the contract of a release is a file
// of its tag. Package change compares two of them. Promises in the Go code of a
// handler are not in it.
package contract

import (
	"bytes"
	"encoding/json"
	"fmt"
)

// File is where a module keeps its contract.
const File = "ent/contract.json"

// Contract has the promises of a service.
type Contract struct {
	// Format is that of the file.
	Format  int    `json:"format"`
	Service string `json:"service"`
	Version string `json:"version"`
	// Roles are those that the rules distinguish.
	Roles    []string `json:"roles,omitempty"`
	Entities []Entity `json:"entities"`
	Tables   []Table  `json:"tables"`
	Jobs     []Job    `json:"jobs,omitempty"`
	// Operations and Shapes are those by hand, of rest/*.yaml and gql/*.graphql.
	Operations []Operation `json:"operations,omitempty"`
	Shapes     []Shape     `json:"shapes,omitempty"`
}

// Entity is an entity, which no API shows where Exposed is not set.
type Entity struct {
	Name string `json:"name"`
	Was  string `json:"was,omitempty"`
	// WasPath is the path that REST answers at as well (expose.Was).
	WasPath string `json:"was_path,omitempty"`
	Table   string `json:"table"`
	Exposed bool   `json:"exposed,omitempty"`
	// Deprecated is set where clients are warned of its removal: their uses are counted.
	Deprecated bool `json:"deprecated,omitempty"`
	// Sunset is the day of that.
	Sunset string `json:"sunset,omitempty"`
	// Path, Under and Key say where REST has it.
	Path  string `json:"path,omitempty"`
	Under string `json:"under,omitempty"`
	Key   string `json:"key,omitempty"`
	// Connection is the query of GraphQL that lists it.
	Connection string `json:"connection,omitempty"`
	// Order and Page are those of listings that ask for no other.
	Order      string      `json:"order,omitempty"`
	Page       int         `json:"page,omitempty"`
	SoftDelete bool        `json:"soft_delete,omitempty"`
	Search     []string    `json:"search,omitempty"`
	Fields     []Field     `json:"fields"`
	Derived    []Derived   `json:"derived,omitempty"`
	Calcs      []Calc      `json:"calcs,omitempty"`
	Edges      []Edge      `json:"edges,omitempty"`
	Operations []Operation `json:"operations,omitempty"`
	Topics     []Topic     `json:"topics,omitempty"`
	Checks     []Check     `json:"checks,omitempty"`
	Tree       *Tree       `json:"tree,omitempty"`
	Tenant     *Tenant     `json:"tenant,omitempty"`
	Rules      []Rule      `json:"rules,omitempty"`
}

// Tenant describes the tenants of an entity's rows. Across are the roles that
// reach the rows of every tenant.
type Tenant struct {
	Column string   `json:"column"`
	Users  bool     `json:"users,omitempty"`
	Across []string `json:"across,omitempty"`
}

// Tree describes the tree that an entity's rows form by a foreign key, with its
// highest number of levels.
type Tree struct {
	Column string `json:"column"`
	Levels int    `json:"levels"`
}

// Field is a field of an entity, or of the input of an operation.
type Field struct {
	Name string `json:"name"`
	Was  string `json:"was,omitempty"`
	// Column and Stored are its column and the column's type, empty for inputs.
	Column string `json:"column,omitempty"`
	Stored string `json:"stored,omitempty"`
	Null   bool   `json:"null,omitempty"`
	Unique bool   `json:"unique,omitempty"`
	// Default is JSON, or [Computed], and empty where there is none.
	Default string `json:"default,omitempty"`
	// Backfill gives the rows that are there a value.
	Backfill string `json:"backfill,omitempty"`
	// Generated is the expression of the column that the database adds to it,
	// Kept what the database keeps it by: a count, a sum, a stamp.
	Generated string            `json:"generated,omitempty"`
	Kept      string            `json:"kept,omitempty"`
	Values    []string          `json:"values,omitempty"`
	ValuesWas map[string]string `json:"values_was,omitempty"` // from before to now
	// Shown is its form in the APIs, nil where they do not show it.
	Shown *Shown `json:"shown,omitempty"`
}

// Computed is a default that Go code computes.
const Computed = "computed"

// Shown is a field as the APIs show it.
type Shown struct {
	REST    string   `json:"rest"`
	GraphQL []string `json:"graphql"`
	// WasREST and WasGraphQL are the old names that clients may use (expose.Was).
	WasREST    string `json:"was_rest,omitempty"`
	WasGraphQL string `json:"was_graphql,omitempty"`
	Deprecated bool   `json:"deprecated,omitempty"`
	// Sunset is the day of its removal that clients got.
	Sunset string `json:"sunset,omitempty"`
	// Kind is the name of a read.Kind, Ref the entity that it leads to.
	Kind     string `json:"kind"`
	Ref      string `json:"ref,omitempty"`
	Currency string `json:"currency,omitempty"`
	Nullable bool   `json:"nullable,omitempty"`
	Secret   bool   `json:"secret,omitempty"`
	// Create and Update say whether clients set it, Required and Replaced whether
	// they have to.
	Create   bool `json:"create,omitempty"`
	Update   bool `json:"update,omitempty"`
	Required bool `json:"required,omitempty"`
	Replaced bool `json:"replaced,omitempty"`
	// Visible and Writable are roles, all where there are none; Known hides it
	// from anonymous callers.
	Visible  []string `json:"visible,omitempty"`
	Writable []string `json:"writable,omitempty"`
	Known    bool     `json:"known,omitempty"`
	// The uses of the field in listings, and whether an index serves them.
	Filter bool   `json:"filter,omitempty"`
	Sort   bool   `json:"sort,omitempty"`
	Search bool   `json:"search,omitempty"`
	Scans  bool   `json:"scans,omitempty"`
	Limits Limits `json:"limits,omitzero"`
}

// Limits bound the values of a field.
type Limits struct {
	MinLength *int     `json:"min_length,omitempty"`
	MaxLength *int     `json:"max_length,omitempty"`
	Minimum   *float64 `json:"minimum,omitempty"`
	Maximum   *float64 `json:"maximum,omitempty"`
	MinItems  *int     `json:"min_items,omitempty"`
	MaxItems  *int     `json:"max_items,omitempty"`
	MaxSize   *int     `json:"max_size,omitempty"`
	Pattern   string   `json:"pattern,omitempty"`
	Format    string   `json:"format,omitempty"`
}

// Derived is a field that is read and never stored.
type Derived struct {
	Name     string   `json:"name"`
	GraphQL  string   `json:"graphql"`
	Kind     string   `json:"kind"`
	Nullable bool     `json:"nullable,omitempty"`
	Meaning  string   `json:"meaning"`
	Values   []string `json:"values,omitempty"`
	Members  []Member `json:"members,omitempty"`
}

// Calc is a value that the database computes with arguments.
type Calc struct {
	Name    string `json:"name"`
	GraphQL string `json:"graphql"`
	Kind    string `json:"kind"`
	// Meaning is its expression, on PostgreSQL and on SQLite where they differ.
	Meaning string  `json:"meaning"`
	Input   []Field `json:"input,omitempty"`
}

// Member is a member of an answer.
type Member struct {
	Name     string `json:"name"`
	Type     string `json:"type"`
	Nullable bool   `json:"nullable,omitempty"`
}

// Edge leads from an entity to another.
type Edge struct {
	Name string `json:"name"`
	Was  string `json:"was,omitempty"`
	// Also is set where clients may use the old name (expose.Was).
	Also bool   `json:"also,omitempty"`
	To   string `json:"to"`
	// Relation is O2M, M2O, O2O or M2M.
	Relation string `json:"relation"`
	Required bool   `json:"required,omitempty"`
	// Column is the foreign key where this end has it, Table the join table
	// where this end declares it.
	Column string `json:"column,omitempty"`
	Table  string `json:"table,omitempty"`
	Shown  bool   `json:"shown,omitempty"`
	Filter bool   `json:"filter,omitempty"`
}

// Operation is an operation of the APIs.
type Operation struct {
	// Key identifies it among the others of its entity, independent of its name.
	Key     string `json:"key"`
	ID      string `json:"id,omitempty"`
	Method  string `json:"method,omitempty"`
	Path    string `json:"path,omitempty"`
	GraphQL string `json:"graphql,omitempty"`
	// Deprecated is set where clients are warned of its removal.
	Deprecated bool `json:"deprecated,omitempty"`
	// Maximum is how many items a request has at most, 0 for no such limit.
	Maximum int     `json:"maximum,omitempty"`
	Input   []Field `json:"input,omitempty"`
	// Answer are members of its own, which take the place of the row.
	Answer []Member `json:"answer,omitempty"`
	// When says for which rows it is possible.
	When string `json:"when,omitempty"`
}

// Topic is a topic that writes of an entity are announced under.
type Topic struct {
	Name string `json:"name"`
	// On are its statements with their conditions.
	On           []string `json:"on"`
	Key          string   `json:"key,omitempty"`
	Payload      []string `json:"payload,omitempty"`
	Subscription string   `json:"subscription,omitempty"`
	// Jobs are the kinds of the jobs that the database makes with each event, whose
	// arguments are the id and the payload.
	Jobs []string `json:"jobs,omitempty"`
}

// Check is a condition that the database keeps.
type Check struct {
	Name string `json:"name"`
	SQL  string `json:"sql"`
}

// Rule is the permission matrix of a verb.
type Rule struct {
	Verb string `json:"verb"`
	Says string `json:"says"`
	// Rows are those that each caller may do it to; callers without any are left out.
	Rows map[string]string `json:"rows"`
}

// Table is a table of the databases, without its columns: those are fields.
type Table struct {
	Name    string       `json:"name"`
	Indexes []Index      `json:"indexes,omitempty"`
	Keys    []ForeignKey `json:"keys,omitempty"`
}

// Index is an index.
type Index struct {
	Name    string   `json:"name"`
	Columns []string `json:"columns"`
	Unique  bool     `json:"unique,omitempty"`
	Where   string   `json:"where,omitempty"`
}

// ForeignKey is a foreign key.
type ForeignKey struct {
	Column   string `json:"column"`
	To       string `json:"to"`
	OnDelete string `json:"on_delete,omitempty"`
}

// Job is a kind of work, with the arguments that queued rows keep as JSON.
type Job struct {
	Kind string `json:"kind"`
	// Was are the kinds that it had, which are worked off as well.
	Was []string `json:"was,omitempty"`
	// Type is the Go type of its arguments: "checkout.Settlement".
	Type string     `json:"type"`
	Args []Argument `json:"args,omitempty"`
}

// Argument is an argument of a job.
type Argument struct {
	Name string `json:"name"`
	// Was is the name that queued jobs may have for it.
	Was  string `json:"was,omitempty"`
	Type string `json:"type"`
	// Optional is set where it may be absent.
	Optional bool `json:"optional,omitempty"`
}

// Shape is a type of the documents by hand.
type Shape struct {
	// API is "REST" or "GraphQL".
	API  string `json:"api"`
	Name string `json:"name"`
	// Input is set for what clients send.
	Input   bool          `json:"input,omitempty"`
	Members []ShapeMember `json:"members,omitempty"`
	Values  []string      `json:"values,omitempty"`
}

// ShapeMember is a member of a [Shape].
type ShapeMember struct {
	Name     string   `json:"name"`
	Type     string   `json:"type"`
	Required bool     `json:"required,omitempty"`
	Values   []string `json:"values,omitempty"`
}

// Encode writes the contract as JSON, the same for the same contract.
func (c *Contract) Encode() ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(c); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// format is that of contracts that are written now: it is raised where a contract
// of before would be misread.
const format = 1

// Decode reads what [Contract.Encode] wrote. A contract of another format is an
// error.
func Decode(text []byte) (*Contract, error) {
	c := &Contract{}
	if err := json.Unmarshal(text, c); err != nil {
		return nil, err
	}
	if c.Format != format {
		return nil, fmt.Errorf("the contract has the format %d, and %d is read", c.Format, format)
	}
	return c, nil
}
