// Package manifest describes a service as one JSON document: entities with their
// fields, edges, operations, actions, states, events and rules. The console, typed
// clients and agents read it and nothing else (doc/api/manifest.md).
//
// The generator writes what the schemas declare, as [Manifest]. [Manifest.For] is what
// one kind of caller may know of it, in the names of a version of REST, and [Texts]
// keeps these as texts: one for each version and kind of caller. The format has a
// JSON Schema, [Schema].
package manifest

import (
	"encoding/json"
	"slices"
)

// Format is the version of the format. A reader refuses one that it does not know; members are
// added without another number.
const Format = 1

// Manifest is the document.
type Manifest struct {
	Format int `json:"format"`
	// Digest identifies what the service declares in this version of REST, independent of the caller.
	Digest  string  `json:"digest"`
	Service Service `json:"service"`
	// Version is that of REST whose names the document has, Versions are all of them.
	Version  string   `json:"version"`
	Versions []string `json:"versions"`
	// Base is where paths begin, GraphQL the path of that API.
	Base        string      `json:"base"`
	GraphQL     string      `json:"graphql"`
	Conventions Conventions `json:"conventions"`
	Viewer      Caller      `json:"viewer"`
	// Callers are the kinds of callers that Rules tell apart.
	Callers    []string    `json:"callers"`
	Limits     Limits      `json:"limits"`
	SignIn     *SignIn     `json:"sign_in,omitempty"`
	Entities   []*Entity   `json:"entities"`
	Operations []Operation `json:"operations,omitempty"`

	// Catalogs has a catalog for each language that the service has its words in, beside
	// that of the schema. No caller sees it.
	Catalogs map[string]Catalog `json:"catalogs,omitempty"`
}

// Service describes the service as a whole, from the schema.
type Service struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// Conventions are how bodies of a version of REST look (doc/api/versions.md).
type Conventions struct {
	Names  string            `json:"names"`  // snake, camel
	IDs    string            `json:"ids"`    // integer, global
	Item   string            `json:"item"`   // bare, named
	List   string            `json:"list"`   // bare, named
	Errors string            `json:"errors"` // structured, three_status, flat
	Page   map[string]string `json:"page"`   // names of the members of pagination
}

// Caller is a kind of caller.
type Caller struct {
	Kind        string   `json:"kind"` // anonymous, user, key
	Role        string   `json:"role,omitempty"`
	Permissions []string `json:"permissions,omitempty"`
}

// Limits bound requests.
type Limits struct {
	// Page is the largest page of a list.
	Page int `json:"page"`
}

// SignIn are the paths of the operations of accounts that clients sign in by.
type SignIn struct {
	Login    string `json:"login"`
	Refresh  string `json:"refresh"`
	Logout   string `json:"logout"`
	Me       string `json:"me"`
	Register string `json:"register"`
}

// Ending says that something is deprecated.
type Ending struct {
	Since   string `json:"since,omitempty"`
	Sunset  string `json:"sunset,omitempty"`
	Instead string `json:"instead,omitempty"`
}

// Operation is an operation of REST that belongs to no entity.
type Operation struct {
	ID     string `json:"id"`
	Method string `json:"method"`
	Path   string `json:"path"`
}

// Decode reads a document of this format.
func Decode(text []byte) (*Manifest, error) {
	m := &Manifest{}
	if err := json.Unmarshal(text, m); err != nil {
		return nil, err
	}
	if m.Format != Format {
		return nil, FormatError(m.Format)
	}
	return m, nil
}

// Entity returns the entity with the name, nil where there is none.
func (m *Manifest) Entity(name string) *Entity {
	i := slices.IndexFunc(m.Entities, func(e *Entity) bool { return e.Name == name })
	if i < 0 {
		return nil
	}
	return m.Entities[i]
}

// Field returns the field with the name, nil where there is none.
func (e *Entity) Field(name string) *Field {
	i := slices.IndexFunc(e.Fields, func(f *Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return e.Fields[i]
}
