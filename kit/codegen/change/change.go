// Package change judges the effects of a change of declarations: on rows, locks,
// processes of the version before, clients of both APIs, stored cursors, queued
// jobs, subscribers, and rights.
//
// It is one package because the fifty kinds of changes are found in one comparison of
// two contracts: a change that one kind explains, such as a rename, is reported by no
// other kind.
//
// [Judge] compares two contracts (package contract) and returns a [Finding] for
// each declared change, of one of fifty kinds ([Kinds]). It judges declarations,
// not documents: one field that goes is one finding, though the OpenAPI document
// mentions it in two hundred places. [Accepted] are the findings that are meant,
// in a file beside the migrations, and [Report] prints what is left.
//
// The kinds are described in doc/schema/changes.md.
package change

import (
	"cmp"
	"slices"
)

// Effect is the effect of a change on a contract.
type Effect int

// The effects, in the order of how bad they are.
const (
	Safe Effect = iota
	Depends
	Breaks
)

var effects = []string{"safe", "depends", "breaks"}

// String is the word for the effect.
func (e Effect) String() string { return effects[e] }

// MarshalText implements encoding.TextMarshaler.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler.
func (e *Effect) UnmarshalText(text []byte) error {
	*e = Effect(max(0, slices.Index(effects, string(text))))
	return nil
}

// Effects are the effects of a change, by area.
type Effects struct {
	// Rows that are there, and locks that others wait for.
	Rows  Effect `json:"rows"`
	Locks Effect `json:"locks"`
	// Old are processes of the version before, which run beside the new ones.
	Old     Effect `json:"old"`
	REST    Effect `json:"rest"`
	GraphQL Effect `json:"graphql"`
	Cursors Effect `json:"cursors"`
	Jobs    Effect `json:"jobs"`
	Events  Effect `json:"events"`
	// Permissions are the rights of callers.
	Permissions Effect `json:"permissions"`
}

// Area is one of those who feel a change.
type Area struct {
	Name string
	Of   func(*Effects) *Effect
	// Contract is the contract that the area belongs to.
	Contract string
}

// Areas are those who feel a change, in the order of reports.
func Areas() []Area {
	return []Area{
		{"rows", func(e *Effects) *Effect { return &e.Rows }, "SQL"},
		{"locks", func(e *Effects) *Effect { return &e.Locks }, "SQL"},
		{"old processes", func(e *Effects) *Effect { return &e.Old }, "SQL"},
		{"REST", func(e *Effects) *Effect { return &e.REST }, "OpenAPI"},
		{"GraphQL", func(e *Effects) *Effect { return &e.GraphQL }, "SDL"},
		{"cursors", func(e *Effects) *Effect { return &e.Cursors }, "cursors"},
		{"jobs", func(e *Effects) *Effect { return &e.Jobs }, "job arguments"},
		{"events", func(e *Effects) *Effect { return &e.Events }, "event payloads"},
		{"permissions", func(e *Effects) *Effect { return &e.Permissions }, "permission matrix"},
	}
}

// Worst is the worst of the effects.
func (e Effects) Worst() (worst Effect) {
	for _, a := range Areas() {
		worst = max(worst, *a.Of(&e))
	}
	return worst
}

// Finding is a declared change and what it does.
type Finding struct {
	// Kind is the number of the kind, 0 for what is new and breaks nothing.
	Kind int    `json:"kind"`
	Code string `json:"code"`
	// The name of the changed thing: "Post.title".
	What string `json:"what"`
	// File and Line are the place of its declaration, where that is known.
	File string `json:"file,omitempty"`
	Line int    `json:"line,omitempty"`
	// Was is its name before, where that is another.
	Was string `json:"was,omitempty"`
	// Says describes the change.
	Says    string  `json:"says"`
	Verdict Effect  `json:"verdict"`
	Effects Effects `json:"effects"`
	// Versions are the effects on clients of each version of REST ([Each]).
	Versions map[string]Effect `json:"rest_versions,omitempty"`
	// snake and camel are the effects on versions that write names so, where these
	// differ.
	snake, camel *Effect
	// Way is the safe way, Command makes it.
	Way     string `json:"way,omitempty"`
	Command string `json:"command,omitempty"`
	// Asks names what it may be called now, where it goes and something of its type
	// comes, and Answers are the lines that say which it is. There is no Command then.
	Asks    string   `json:"asks,omitempty"`
	Answers []Answer `json:"answers,omitempty"`
	// Sunset is the sunset date that clients got for what is removed.
	Sunset string `json:"sunset,omitempty"`
	// Accepted is set where it is written down that it is meant.
	Accepted bool `json:"accepted,omitempty"`
	// Asked is set where uses were looked for of what goes, and Counted where there
	// could be some: it was deprecated. Users lists its users of the last 90 days.
	Asked   bool   `json:"asked,omitempty"`
	Counted bool   `json:"counted,omitempty"`
	Users   []User `json:"users,omitempty"`
}

// order puts the worst first.
func order(a, b Finding) int {
	return cmp.Or(cmp.Compare(b.Verdict, a.Verdict), cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.What, b.What), cmp.Compare(a.Says, b.Says))
}
