package crud

import (
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// entity is an entity with operations.
type entity struct {
	*model.Entity
	Calls []operation
}

// Resource is the variable of the entity as REST serves it.
func (e *entity) Resource() string { return e.Name + "Resource" }

// Located reports whether a row has a path of its own.
func (e *entity) Located() bool { return e.Under == "" && e.Offers(expose.Read) }
