package manifest

import "github.com/entwine-go/entwine/kit/policy"

// Entity is an entity as callers use it.
type Entity struct {
	// Name is the type in GraphQL, Singular and Plural are REST's words.
	Name        string `json:"name"`
	Singular    string `json:"singular"`
	Plural      string `json:"plural"`
	Label       string `json:"label"`
	Labels      string `json:"labels"`
	Description string `json:"description,omitempty"`
	Path        string `json:"path"`
	// Under is the edge to the parent below which it has its only path.
	Under string `json:"under,omitempty"`
	// ID is the field with the id, Key the one that stands in paths, Title the one that
	// names a row to people, and Version the one that each change counts up.
	ID         string      `json:"id"`
	Key        string      `json:"key"`
	Title      string      `json:"title"`
	Version    string      `json:"version,omitempty"`
	SoftDelete bool        `json:"soft_delete,omitempty"`
	GraphQL    GraphQL     `json:"graphql"`
	Sort       string      `json:"sort,omitempty"`
	PageSize   int         `json:"page_size"`
	Search     []string    `json:"search,omitempty"`
	Changes    bool        `json:"changes,omitempty"`
	Live       bool        `json:"live,omitempty"`
	Presence   *Presence   `json:"presence,omitempty"`
	Deprecated *Ending     `json:"deprecated,omitempty"`
	Fields     []*Field    `json:"fields"`
	Edges      []*Edge     `json:"edges,omitempty"`
	Computed   []*Computed `json:"computed,omitempty"`
	State      *State      `json:"state,omitempty"`
	Verbs      []*Call     `json:"verbs,omitempty"`
	Actions    []*Action   `json:"actions,omitempty"`
	Events     []*Event    `json:"events,omitempty"`
	Rules      []*Rule     `json:"rules,omitempty"`
}

// Presence has the fields of the state of a row's viewers.
type Presence struct {
	State []*Field `json:"state"`
}

// GraphQL are the names of an entity there, empty where it has no such field.
type GraphQL struct {
	Type string `json:"type"`
	List string `json:"list,omitempty"`
	One  string `json:"one,omitempty"`
}

// Field is a field of an entity, of an input or of an answer.
type Field struct {
	Name        string `json:"name"`
	Label       string `json:"label,omitempty"`
	Description string `json:"description,omitempty"`
	GraphQL     string `json:"graphql,omitempty"`
	// Kind is a kind of package entity, in lower case, or object. To is the entity of a
	// ref.
	Kind     string `json:"kind"`
	To       string `json:"to,omitempty"`
	Nullable bool   `json:"nullable,omitempty"`
	Long     bool   `json:"long,omitempty"`
	ReadOnly bool   `json:"read_only,omitempty"`
	// Create is required, optional, or empty where creates do not take it.
	Create    string `json:"create,omitempty"`
	Update    bool   `json:"update,omitempty"`
	Immutable bool   `json:"immutable,omitempty"`
	Secret    bool   `json:"secret,omitempty"`
	// OnRequest is set where only fields= shows it, Single where lists do only then.
	OnRequest bool `json:"on_request,omitempty"`
	Single    bool `json:"single,omitempty"`
	Derived   bool `json:"derived,omitempty"`
	// Restricted is set where not every caller sees it, or not of every row.
	Restricted bool `json:"restricted,omitempty"`
	// Caller is set where it is the caller unless one of OnBehalf names another.
	Caller     bool     `json:"caller,omitempty"`
	OnBehalf   []string `json:"on_behalf,omitempty"`
	HasDefault bool     `json:"has_default,omitempty"`
	Default    any      `json:"default,omitempty"`
	Unique     bool     `json:"unique,omitempty"`
	Currency   string   `json:"currency,omitempty"`
	Values     []Value  `json:"values,omitempty"`
	Limits     *Bounds  `json:"limits,omitempty"`
	Members    []*Field `json:"members,omitempty"`
	// Filters are the operators of lists, of which eq is the bare name.
	Filters    []string `json:"filters,omitempty"`
	Sort       bool     `json:"sort,omitempty"`
	Search     bool     `json:"search,omitempty"`
	Scans      bool     `json:"scans,omitempty"`
	Render     string   `json:"render,omitempty"`
	File       *File    `json:"file,omitempty"`
	Example    any      `json:"example,omitempty"`
	Deprecated *Ending  `json:"deprecated,omitempty"`
}

// Value is a value of an enum.
type Value struct {
	Name        string `json:"name"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
}

// Bounds bound the values of a field.
type Bounds struct {
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

// File describes the files that a field takes.
type File struct {
	// For is the field's name in POST /files.
	For     string   `json:"for"`
	MaxSize int64    `json:"max_size"`
	Types   []string `json:"types,omitempty"`
	// Pixels bounds width times height of a picture: it is stored upright and without
	// metadata.
	Pixels int64 `json:"pixels,omitempty"`
	// Elsewhere is set where it also takes addresses of other servers.
	Elsewhere bool `json:"elsewhere,omitempty"`
	// Issued is set where the service makes the files: none is uploaded, and max_size is 0.
	Issued bool `json:"issued,omitempty"`
	// Variants are smaller pictures, that GET /files/{id}?variant= has.
	Variants []Variant `json:"variants,omitempty"`
}

// Variant is a smaller picture of one. With the fit cover its bounds are filled.
type Variant struct {
	Name   string `json:"name"`
	Width  int    `json:"width,omitempty"`
	Height int    `json:"height,omitempty"`
	Fit    string `json:"fit"`              // inside, cover
	Format string `json:"format,omitempty"` // webp; of the original where it is left out
}

// Edge leads to rows of another entity.
type Edge struct {
	Name        string `json:"name"`
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	GraphQL     string `json:"graphql"`
	To          string `json:"to"`
	Many        bool   `json:"many,omitempty"`
	Required    bool   `json:"required,omitempty"`
	// Field is the foreign key where the entity has it, Inverse the edge of To that
	// leads back, and List the path of the list that it leads to.
	Field   string `json:"field,omitempty"`
	Inverse string `json:"inverse,omitempty"`
	List    string `json:"list,omitempty"`
	Expand  bool   `json:"expand,omitempty"`
	Filter  bool   `json:"filter,omitempty"`
	// Tree is set where it leads over any number of steps of a tree, to all rows above
	// or below, and Step is the edge of one such step.
	Tree   string  `json:"tree,omitempty"` // up, down
	Step   string  `json:"step,omitempty"`
	Attach *Attach `json:"attach,omitempty"`
	// Offered is the name by which rows that have such a row list it among their
	// actions, empty where they do not.
	Offered string `json:"offered,omitempty"`
	// Through is set where it leads to rows that are not readable otherwise.
	Through bool `json:"through,omitempty"`
}

// Attach is how clients say which rows an edge leads to.
type Attach struct {
	IDs  string `json:"ids"`  // the member of bodies
	Path string `json:"path"` // of PUT and DELETE
}

// Computed is a value that the database computes with arguments.
type Computed struct {
	Name        string   `json:"name"`
	GraphQL     string   `json:"graphql"`
	Kind        string   `json:"kind"`
	Description string   `json:"description,omitempty"`
	Input       []*Field `json:"input,omitempty"`
}

// State is how a field goes from one of its values to the next.
type State struct {
	Field       string       `json:"field"`
	Values      []string     `json:"values"`
	Transitions []Transition `json:"transitions"`
}

// Transition is a step of a [State]. System is set where no client asks for it.
type Transition struct {
	Action string   `json:"action"`
	From   []string `json:"from"`
	To     []string `json:"to"`
	System bool     `json:"system,omitempty"`
}

// Call is an operation on rows: list, read, create, replace, patch, delete, restore,
// create_many, update_many, delete_many, act_many.
type Call struct {
	Name    string `json:"name"`
	ID      string `json:"id"`
	Method  string `json:"method"`
	Path    string `json:"path"`
	GraphQL string `json:"graphql,omitempty"`
	// Rows is all or some: those that the viewer may do it to, as Says says.
	Rows string `json:"rows"`
	Says string `json:"says,omitempty"`
	// Input is its input beside the fields of the row.
	Input      []*Field `json:"input,omitempty"`
	IfMatch    bool     `json:"if_match,omitempty"`
	Idempotent bool     `json:"idempotent,omitempty"`
	Maximum    int      `json:"maximum,omitempty"`
	// Verb is that of the action which act_many carries out for each of many rows.
	Verb string `json:"verb,omitempty"`
	// Of and Edge are the parent's entity and its edge, of a path below one.
	Of         string  `json:"of,omitempty"`
	Edge       string  `json:"edge,omitempty"`
	Deprecated *Ending `json:"deprecated,omitempty"`

	// Judge says whose rule admits the caller. No caller sees it.
	Judge *Judge `json:"judge,omitempty"`
}

// Judge is a verb of an entity's policy, empty for reading.
type Judge struct {
	Entity string `json:"entity"`
	Verb   string `json:"verb,omitempty"`
}

// Action is an operation beside reading and writing rows.
type Action struct {
	Call
	Label       string `json:"label"`
	Description string `json:"description,omitempty"`
	Detail      string `json:"detail,omitempty"`
	Kind        string `json:"kind"`  // action, mark, unmark
	Scope       string `json:"scope"` // row, collection, service
	Reads       bool   `json:"reads,omitempty"`
	// InputRequired is set where some of the input has to be there.
	InputRequired bool `json:"input_required,omitempty"`
	// Result is row, none, job, file or answer, whose members are Answer.
	Result string   `json:"result"`
	Answer []*Field `json:"answer,omitempty"`
	// When says to which rows it can be done. Offered is set where the rows list it
	// among their actions.
	When    string `json:"when,omitempty"`
	Offered bool   `json:"offered,omitempty"`
	// Marked is the field of a row that says whether the caller has done a mark.
	Marked string `json:"marked,omitempty"`

	// Charts are pictures of the answer.
	Charts []*Chart `json:"charts,omitempty"`

	// Condition is the rule that When has the words of. No caller sees it.
	Condition *policy.Rule `json:"condition,omitempty"`
}

// Chart is a picture of a list of an answer: Values of its objects along one of their
// members, with a picture for each value of Each, where that is given.
type Chart struct {
	Title  string   `json:"title"`
	List   string   `json:"list"`
	Along  string   `json:"along"`
	Values []string `json:"values"`
	Each   string   `json:"each,omitempty"`
	Kind   string   `json:"kind"` // bars, lines
}

// Event is a topic that writes are announced under.
type Event struct {
	Topic        string   `json:"topic"`
	On           []string `json:"on"`
	Payload      []string `json:"payload,omitempty"`
	Subscription string   `json:"subscription,omitempty"`
	Argument     string   `json:"argument,omitempty"`
	Description  string   `json:"description,omitempty"`
}

// Rule lists the callers that may do something: Rows has the words for each caller
// who may do it to some row, "all" where that is every row.
type Rule struct {
	Verb string            `json:"verb"`
	Says string            `json:"says"`
	Rows map[string]string `json:"rows,omitempty"`
}
