package rest

import (
	"context"
	"net/http"

	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/viewer"
	"github.com/entwine-go/entwine/internal/web"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// Register signs somebody up, and in: POST /auth/register.
func (o *operations) Register(ctx context.Context, req *server.Registration) (*server.Registered, error) {
	who, err := o.Registrar.Register(ctx, account.Registration{Name: req.Name, Email: req.Email, Password: req.Password})
	if err != nil {
		return nil, err
	}
	grant, err := o.Authenticator.Gate.Admit(ctx, who, account.ModeBearer, origin(ctx))
	if err != nil {
		return nil, err
	}
	return &server.Registered{
		Status:  success,
		Message: "welcome, " + who.Name,
		User:    server.RegisteredUser{ID: int64(who.ID), Name: who.Name, Email: who.Email},
		Token:   grant.Access.Text,
	}, nil
}

// Login signs a user in: POST /auth/login.
func (o *operations) Login(ctx context.Context, req *server.Credentials) (*server.SignIn, error) {
	grant, err := o.Authenticator.Login(ctx, account.Login{
		Email: req.Email, Password: req.Password, Mode: account.ModeBearer, From: origin(ctx),
	})
	if err != nil {
		return nil, err
	}
	return &server.SignIn{
		Status:      success,
		Token:       grant.Access.Text,
		AccessToken: grant.Access.Text,
		ExpiresIn:   int(o.Authenticator.Gate.Issuer.Lifetime.Seconds()),
		User:        server.SignedInUser{ID: int64(grant.User.ID), Name: grant.User.Name},
	}, nil
}

// success is the status in the specification's literal bodies.
const success = "success"

// origin is where the request is from.
func origin(ctx context.Context) account.Origin {
	c := web.ClientOf(ctx)
	return account.Origin{Agent: c.Agent, Address: c.Address}
}

// ReadMe answers with the user who asks: GET /auth/me.
func (o *operations) ReadMe(ctx context.Context, w http.ResponseWriter) error {
	if err := crud.Guards["readUser"].Check(ctx); err != nil {
		return err
	}
	return o.ReadUser(ctx, server.ReadUserParams{ID: viewer.From(ctx).UserID}, w)
}
