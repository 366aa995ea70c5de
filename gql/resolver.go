package gql

import (
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/cart"
	"github.com/entwine-go/entwine/internal/service"
)

// queries resolves the fields of Query that are neither planned nor declared.
type queries struct {
	Config
	service.Root
	carts *cart.Carts
}

var _ generated.QueryResolver = (*queries)(nil)
