package stream

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// prove returns whom the payload of connection_init proves the connection to
// be from: nil where it is empty, and what the upgrade request proved is as
// good as before. The names of members are matched in any case.
//
//	{"Authorization": "Bearer …"}   {"token": "…"}   {"apiKey": "ek_…"}
//	{"authToken": "…"}                               Apollo's
//	{"headers": {"Authorization": "Bearer …"}}       Hasura's
//
// A payload that says something else is refused: its client believes that it
// has said who it is.
func (s *Server) prove(ctx context.Context, payload json.RawMessage) (*viewer.Viewer, error) {
	var members map[string]any
	if payload == nil || json.Unmarshal(payload, &members) != nil {
		return nil, nil //nolint:nilerr // a payload that is no object proves nothing
	}
	var c credentials
	if err := c.read(members); err != nil {
		return nil, err
	}
	switch {
	case len(c.proofs) > 1:
		return nil, problem.New(problem.Invalid, "payload has several credentials")
	case len(c.proofs) == 0 && !c.named && c.unknown != "":
		return nil, problem.New(problem.Invalid, "payload.%.40s is no credential: Authorization, token and apiKey are", c.unknown)
	}
	for proof := range c.proofs {
		if proof.key {
			return s.Auth.APIKey(ctx, proof.text)
		}
		return s.Auth.Token(ctx, proof.text)
	}
	return nil, nil
}

// credentials are the credentials in the payload of a connection.
type credentials struct {
	// proofs are those that it has, each once.
	proofs map[proof]bool
	// named is whether it has a place for one, which may be empty.
	named bool
	// unknown is a member that says something else, empty where none does.
	unknown string
}

// proof is an API key or a token.
type proof struct {
	text string
	key  bool
}

// read reads the members of a payload, or of its headers.
func (c *credentials) read(members map[string]any) error {
	for _, name := range slices.Sorted(maps.Keys(members)) {
		var err error
		switch strings.ToLower(name) {
		case "headers":
			err = c.headers(members[name])
		case "authorization":
			err = c.add(members[name], false, true)
		case "token", "accesstoken", "authtoken":
			err = c.add(members[name], false, false)
		case "apikey", "x-api-key":
			err = c.add(members[name], true, false)
		case "content-type", "accept": // which clients put among headers for every request
		default:
			c.unknown = name
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (c *credentials) headers(value any) error {
	members, ok := value.(map[string]any)
	if !ok && value != nil {
		return problem.New(problem.Invalid, "payload.headers is no object")
	}
	return c.read(members)
}

// add takes a credential, which may have the scheme Bearer, or has to.
func (c *credentials) add(value any, key, scheme bool) error {
	c.named = true
	text, ok := value.(string)
	switch {
	case value == nil || ok && text == "":
		return nil
	case !ok:
		return problem.ErrAuthRequired
	}
	if before, after, found := strings.Cut(text, " "); found && strings.EqualFold(before, "Bearer") {
		text = strings.TrimLeft(after, " ")
	} else if scheme {
		return problem.ErrAuthRequired
	}
	if c.proofs == nil {
		c.proofs = make(map[proof]bool, 1)
	}
	c.proofs[proof{text, key}] = true
	return nil
}
