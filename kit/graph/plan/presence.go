package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/presence"
	"github.com/entwine-go/entwine/kit/read"
)

// Presence is the plan of a subscription to the viewers of a row: the fields of members,
// and the form of an update.
type Presence struct {
	// Key names what is shown.
	Key string

	users   string
	parts   []livePart
	members [][]livePart
}

// IsPresence reports whether the subscription is to the viewers of a row.
func IsPresence(f *ast.FieldDefinition) bool {
	return f.Name == "presence" && f.Type.Name() == "Presence"
}

// Presence plans who looks at a row: users of the entity of that name.
func (p *Planner) Presence(f graphql.CollectedField, users string) (*Presence, error) {
	variables, err := json.Marshal(p.Op.Variables)
	if err != nil {
		return nil, fmt.Errorf("name a presence: %w", err)
	}
	made := &Presence{users: users, Key: fmt.Sprintf("graphql %p %s %s", p.Op.Operation, f.Alias, variables)}
	made.parts = made.compile(p, f.Selections, "Presence")
	return made, nil
}

func (s *Presence) compile(p *Planner, set ast.SelectionSet, of string) (parts []livePart) {
	for _, f := range p.Collect(set, []string{of}) {
		part := livePart{key: strconv.Quote(f.Alias) + ":", name: f.Name}
		switch f.Name {
		case "__typename":
			part.raw = strconv.Quote(of)
		case "steps":
			part.parts = s.compile(p, f.Selections, "PresenceStep")
		case "node":
			part.view = len(s.members)
			s.members = append(s.members, s.compile(p, f.Selections, "PresenceMember"))
		}
		parts = append(parts, part)
	}
	return parts
}

// Show writes a member as each of the nodes has it.
func (s *Presence) Show(m *presence.Member) []read.View {
	views := make([]read.View, len(s.members))
	for i, parts := range s.members {
		dst := []byte{'{'}
		for j, part := range parts {
			if j > 0 {
				dst = append(dst, ',')
			}
			dst = append(dst, part.key...)
			switch {
			case part.name == "id":
				dst = strconv.AppendQuote(dst, m.ID)
			case part.name == "userId" && m.UserID != 0:
				dst = strconv.AppendQuote(dst, gid.Int(m.UserID).Global(s.users))
			case part.name == "state":
				dst = append(dst, m.State...)
			case part.raw != "":
				dst = append(dst, part.raw...)
			default:
				dst = append(dst, "null"...)
			}
		}
		dst = append(dst, '}')
		views[i].JSON = dst
	}
	return views
}

// Update plans what the subscription answers an update with.
func (s *Presence) Update(token string, u live.Update) Root {
	return func(*Planner, graphql.CollectedField) (Read, error) {
		return func(_ context.Context, _ *read.Reader, dst []byte) ([]byte, read.Info, error) {
			w := liveWriter{u: u, token: token}
			dst = w.update(dst, s.parts)
			return dst, w.info, nil
		}, nil
	}
}
