package rest

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/entwine-go/entwine/internal/cart"
	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/viewer"
)

// cartGuards are the guards of the operations in cart.yaml: a cart is a user's.
var cartGuards = map[string]handler.Guard{"readCart": signedIn}

// cartBody is a cart on the wire.
type cartBody struct {
	Items     json.RawMessage `json:"items"`
	Quantity  int64           `json:"quantity"`
	Total     *json.Number    `json:"total"`
	Currency  *string         `json:"currency"`
	Totals    []cartTotal     `json:"totals"`
	Orderable bool            `json:"orderable"`
}

type cartTotal struct {
	Currency string      `json:"currency"`
	Total    json.Number `json:"total"`
}

// ReadCart answers with the caller's cart: GET /cart.
func (o *operations) ReadCart(ctx context.Context, w http.ResponseWriter) error {
	c, err := o.carts.Read(ctx)
	if err != nil {
		return err
	}
	v := viewer.From(ctx)
	rows, _, err := o.door.Reader.Page(ctx, nil, cartSelection(v, handler.From(ctx).Version.Names), read.Query{
		Where: read.Column{Name: "user_id", ID: gid.Int(v.UserID)},
		Sort:  []kitentity.Term{{Field: entity.CartItemFields.CreatedAt}},
		Page:  read.Page{Limit: 2 * cart.MaxItems}, // it may have grown since
	})
	if err != nil {
		return err
	}
	data := cartBody{Items: rows, Quantity: c.Quantity, Orderable: c.Orderable, Totals: make([]cartTotal, len(c.Totals))}
	for i, t := range c.Totals {
		data.Totals[i] = cartTotal{t.Currency, amount(t.Amount, t.Currency)}
	}
	switch len(data.Totals) {
	case 0:
		zero := json.Number("0")
		data.Total = &zero
	case 1:
		data.Total, data.Currency = &data.Totals[0].Total, &data.Totals[0].Currency
	}
	text, err := json.Marshal(envelope{success, data})
	if err != nil {
		return err
	}
	return handler.From(ctx).Answer(w, handler.Answer{Body: text, ByHand: true})
}

// cartSelection is an item with its product.
func cartSelection(v *viewer.Viewer, names *read.Names) *read.Selection {
	s := read.SelectAs(entity.CartItem, names)
	for _, f := range entity.CartItem.Fields {
		if f.May == nil { // the cart is the viewer's
			s.Named(f)
		}
	}
	s.One("product", entity.CartItem.Edge("product"), read.WholeOfMany(entity.Product, v, names), false)
	return s
}

func amount(minor int64, currency string) json.Number {
	return json.Number(money.Append(nil, minor, currency))
}
