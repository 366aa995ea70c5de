package signin

import (
	"context"
	"time"

	"github.com/entwine-go/entwine/kit/viewer"
)

// sight is Sight.
type sight struct {
	AccessToken string `json:"accessToken"`
	ExpiresIn   int    `json:"expiresIn"`
	Session     string `json:"session"`
	Role        string `json:"role"`
}

func (a *API) seeAs(ctx context.Context, in arguments) (any, error) {
	seen, err := a.Accounts.Seer.SeeAs(ctx, in.text("email"), viewer.Role(in.text("role")), origin(ctx))
	if err != nil {
		return nil, err
	}
	return sight{seen.Token.Text, int(seen.Life / time.Second), seen.Session, string(seen.Role)}, nil
}
