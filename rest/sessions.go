package rest

import (
	"context"

	"github.com/entwine-go/entwine/rest/oas/server"
)

// ListSessions lists the caller's sign-ins: GET /auth/sessions.
func (o *operations) ListSessions(ctx context.Context) (*server.ListSessionsOK, error) {
	all, err := o.Accounts.Gate.List(ctx)
	if err != nil {
		return nil, err
	}
	answer := &server.ListSessionsOK{Status: success, Data: make([]server.ActiveSession, len(all))}
	for i, s := range all {
		answer.Data[i] = server.ActiveSession{
			ID: s.ID, Mode: server.ActiveSessionMode(s.Mode), UserAgent: s.Agent, Address: s.Address,
			CreatedAt: s.Created, ExpiresAt: s.Expires, Current: s.Current,
		}
	}
	return answer, nil
}

// EndSession ends one of the caller's sign-ins: DELETE /auth/sessions/{id}.
func (o *operations) EndSession(ctx context.Context, params server.EndSessionParams) error {
	return o.Accounts.Gate.End(ctx, params.ID)
}

// EndOtherSessions ends all of them but the current one: DELETE /auth/sessions.
func (o *operations) EndOtherSessions(ctx context.Context) error {
	return o.Accounts.Gate.EndOthers(ctx)
}
