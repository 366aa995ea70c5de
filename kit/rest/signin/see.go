package signin

import (
	"context"
	"time"

	"github.com/entwine-go/entwine/kit/viewer"
)

type seeAs struct {
	Email string `json:"email"`
	Role  string `json:"role"`
}

type sight struct {
	Status    string `json:"status"`
	Token     string `json:"token"`
	ExpiresIn int    `json:"expiresIn"`
	Session   string `json:"session"`
	Role      string `json:"role"`
}

// seeAs answers with a token to see as another: POST /auth/see-as.
func (a *API) seeAs(ctx context.Context, in seeAs) (any, error) {
	seen, err := a.Accounts.Seer.SeeAs(ctx, in.Email, viewer.Role(in.Role), origin(ctx))
	if err != nil {
		return nil, err
	}
	return sight{success, seen.Token.Text, int(seen.Life / time.Second), seen.Session, string(seen.Role)}, nil
}
