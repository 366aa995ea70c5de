package stream

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// prove returns whom the payload of connection_init proves the connection to
// be from: nil where it holds no credential, and what the upgrade request
// proved is as good as before.
//
//	{"Authorization": "Bearer …"}   {"token": "…"}   {"apiKey": "ek_…"}
func (s *Server) prove(ctx context.Context, payload json.RawMessage) (*viewer.Viewer, error) {
	var members map[string]any
	if payload == nil || json.Unmarshal(payload, &members) != nil {
		return nil, nil //nolint:nilerr // a payload that is no object proves nothing
	}
	for name, value := range members {
		var prove func(context.Context, string) (*viewer.Viewer, error)
		switch strings.ToLower(name) {
		case "authorization", "token", "accesstoken":
			prove = s.Auth.Token
		case "apikey", "x-api-key":
			prove = s.Auth.APIKey
		default:
			continue
		}
		text, ok := value.(string)
		if value == nil || ok && text == "" {
			continue
		}
		scheme, token, found := strings.Cut(text, " ")
		if bearer := found && strings.EqualFold(scheme, "Bearer"); bearer {
			text = strings.TrimLeft(token, " ")
		} else if strings.EqualFold(name, "Authorization") {
			return nil, problem.ErrAuthRequired
		}
		if !ok {
			return nil, problem.ErrAuthRequired
		}
		return prove(ctx, text)
	}
	return nil, nil
}
