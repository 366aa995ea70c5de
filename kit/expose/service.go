package expose

import "strings"

// Service describes a service as a whole. A package of schemas says it with a func
// Service; the documents, both APIs and what stands in front of them follow.
type Service struct {
	// Name is its name: the title of its documents, the realm of its callers, and part
	// of media types of its own.
	Name string `json:"name"`
	// Version is that of REST, in full: "1.0.0". Its paths are below the major one.
	Version string `json:"version"`
	// License is the SPDX identifier of the licence of its documents, if they
	// name one.
	License string `json:"license,omitempty"`
	// Examples is the entity that examples of errors are about: the first that
	// clients create if it is empty.
	Examples string `json:"examples,omitempty"`
	// Credentials are REST's operations on credentials.
	Credentials Credentials `json:"credentials"`
	// Webhook is the path below a version of REST that another service sends
	// signed messages to, without credentials: "/payments/webhook". Empty where
	// there is none.
	Webhook string `json:"webhook,omitempty"`
	// NoClient leaves out rest/oas, the client of REST for programs in Go. weave
	// client makes one of a published document.
	NoClient bool `json:"noClient,omitempty"`
}

// Credentials are the operations of REST that give or take credentials: no cache
// keeps their answers, no Idempotency-Key what became of them, and their bodies
// are small.
type Credentials struct {
	// Path is where their paths begin: "/auth/". Empty where there are none.
	Path string `json:"path,omitempty"`
	// Entrances are those that callers use to sign in or to get access again, such as
	// "login", by their paths below Path. A credential that has ended does not refuse
	// such a request: it is one of an anonymous caller.
	Entrances []string `json:"entrances,omitempty"`
	// Plain are those that read no cookie and set none, by their paths below Path:
	// pages of other origins may use them.
	Plain []string `json:"plain,omitempty"`
}

// Has reports whether the path of the OpenAPI document is below Path.
func (c Credentials) Has(path string) bool {
	return c.Path != "" && strings.HasPrefix(path, c.Path)
}

// Prefix is where the paths of REST begin, whatever their version.
const Prefix = "/api"

// LinkBase is the beginning of paths that are stored as texts: they are those of
// version 1 of REST. Each version shows them below its own base, and GraphQL below that
// of a version that is served. See [Href].
const LinkBase = Prefix + "/v1"

// Base is where the paths of this version of REST begin: "/api/v1".
func (s Service) Base() string { return Prefix + "/v" + s.Major() }

// Offered are the versions of REST that are offered where no setting names them, with
// their conventions: that of the schema, by which documents and clients are generated,
// and beside version 1 a second one.
func (s Service) Offered() []string {
	versions := []string{"v" + s.Major() + "=main"}
	if s.Base() == LinkBase {
		versions = append(versions, "v2=jsend")
	}
	return versions
}

// Major is the first number of Version: "1".
func (s Service) Major() string {
	major, _, _ := strings.Cut(s.Version, ".")
	return major
}
