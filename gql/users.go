package gql

import (
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/runtime/gid"
)

// userWith is the user with the id. What is selected of them is read afterwards.
func userWith(id int64) *generated.User {
	return &generated.User{ID: gid.Encode(entity.User.Name, id)}
}
