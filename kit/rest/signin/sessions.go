package signin

import (
	"context"
	"net/http"
	"time"

	"github.com/entwine-go/entwine/kit/rest/handler"
)

type sessions struct {
	Status string    `json:"status"`
	Data   []session `json:"data"`
}

type session struct {
	ID        string    `json:"id"`
	Mode      string    `json:"mode"`
	UserAgent string    `json:"user_agent"`
	Address   string    `json:"address"`
	CreatedAt time.Time `json:"created_at"`
	ExpiresAt time.Time `json:"expires_at"`
	Current   bool      `json:"current"`
}

// listSessions lists the caller's sign-ins: GET /auth/sessions.
func (a *API) listSessions(ctx context.Context, _ none) (any, error) {
	all, err := a.Accounts.Gate.List(ctx)
	if err != nil {
		return nil, err
	}
	answer := sessions{success, make([]session, len(all))}
	for i, s := range all {
		answer.Data[i] = session{s.ID, string(s.Mode), s.Agent, s.Address, s.Created.UTC(), s.Expires.UTC(), s.Current}
	}
	return answer, nil
}

// endSession ends one of the caller's sign-ins: DELETE /auth/sessions/{id}.
func (a *API) endSession(ctx context.Context, w http.ResponseWriter) error {
	return ended(w, a.Accounts.Gate.End(ctx, handler.From(ctx).PathValue("id")))
}

// endOtherSessions ends all of them but the current one: DELETE /auth/sessions.
func (a *API) endOtherSessions(ctx context.Context, w http.ResponseWriter) error {
	return ended(w, a.Accounts.Gate.EndOthers(ctx))
}

func ended(w http.ResponseWriter, err error) error {
	if err == nil {
		w.WriteHeader(http.StatusNoContent)
	}
	return err
}
