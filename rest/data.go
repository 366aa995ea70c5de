package rest

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/runtime/resource/door"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/rest/oas/server"
)

// dataGuards are the guards of the operations in data.yaml.
var dataGuards = map[string]door.Guard{"readData": {Entity: entity.APIKey, Verb: "use_data"}}

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
