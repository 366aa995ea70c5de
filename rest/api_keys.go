package rest

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/account"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/rest/crud"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// apiKeyGuards are the guards of the operations in api_keys.yaml.
var apiKeyGuards = map[string]door.Guard{
	"createAPIKey": {Entity: entity.APIKey, Verb: policy.Create},
	"rotateAPIKey": {Entity: entity.APIKey, Verb: policy.Rotate},
	"revokeAPIKey": {Entity: entity.APIKey, Verb: policy.Revoke},
	"readData":     {Entity: entity.APIKey, Verb: policy.UseData},
}

// CreateAPIKey makes a key and shows it: POST /api-keys.
func (o *operations) CreateAPIKey(ctx context.Context, req *server.NewAPIKey, w http.ResponseWriter) error {
	in := account.NewAPIKey{ClientName: req.ClientName}
	for _, p := range req.Permissions {
		in.Permissions = append(in.Permissions, viewer.Permission(p))
	}
	if end, ok := req.ExpiresAt.Get(); ok {
		in.Expires = &end
	}
	return o.door.Create(ctx, w, crud.APIKeyResource, func(ctx context.Context) (door.Row, error) {
		text, key, err := o.Accounts.Keyring.Create(ctx, in)
		if err != nil {
			return door.Row{}, err
		}
		showKey(ctx, text)
		return door.Row{ID: int64(key.ID)}, nil
	})
}

// RotateAPIKey gives a key another text and shows it: POST /api-keys/{id}/rotate.
func (o *operations) RotateAPIKey(ctx context.Context, params server.RotateAPIKeyParams, w http.ResponseWriter) error {
	return o.door.Act(ctx, w, crud.APIKeyResource, params.ID, policy.Rotate, func(ctx context.Context) error {
		text, _, err := o.Accounts.Keyring.Rotate(ctx, typedid.APIKeyID(params.ID))
		showKey(ctx, text)
		return err
	})
}

// RevokeAPIKey ends a key: DELETE /api-keys/{id}.
func (o *operations) RevokeAPIKey(ctx context.Context, params server.RevokeAPIKeyParams) error {
	return o.door.End(ctx, entity.APIKey, params.ID, policy.Revoke, func(ctx context.Context) error {
		return o.Accounts.Keyring.Revoke(ctx, typedid.APIKeyID(params.ID))
	})
}

func showKey(ctx context.Context, text string) {
	door.From(ctx).ShowOnce(door.Once{Name: "key", Value: text})
}

// publicData is the answer of GET /data.
type publicData struct {
	Status      string              `json:"status"`
	Client      string              `json:"client"`
	Permissions []viewer.Permission `json:"permissions"`
	Data        publicTotals        `json:"data"`
}

// publicTotals has the fields of reporting.PublicTotals, in their order.
type publicTotals struct {
	Users      int64 `json:"users"`
	Posts      int64 `json:"posts"`
	Products   int64 `json:"products"`
	Categories int64 `json:"categories"`
}

// ReadData tells a program in short what there is: GET /data.
func (o *operations) ReadData(ctx context.Context, _ server.ReadDataParams, w http.ResponseWriter) error {
	totals, err := o.Reporter.Public(ctx)
	if err != nil {
		return err
	}
	who := viewer.From(ctx)
	body, err := json.Marshal(publicData{success, who.Client, who.Permissions, publicTotals(totals)})
	if err != nil {
		return err
	}
	return door.From(ctx).Answer(w, door.Answer{Body: body})
}
