package prepared

import (
	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Operation is what is kept of an operation. A nil one keeps nothing.
type Operation struct {
	*document
	*traits
	key costKey
}

// Selection is what is selected of a row, or of the rows of a connection of
// this shape.
type Selection struct {
	Rows  *reading.Selection
	Shape *reading.Shape
}

// extensionName is where an operation's preparation is kept.
const extensionName = "prepared"

// Of returns what is kept of the operation, nil where that is nothing.
func Of(op *graphql.OperationContext) *Operation {
	o, _ := op.Stats.GetExtension(extensionName).(*Operation)
	return o
}

// Cost is what an operation costs.
type Cost struct {
	// Requested is the most that it may cost.
	Requested int
	// Fixed is the part that it costs whatever it answers.
	Fixed int
	// Path is where most of it is: "feed.comments".
	Path string
}

// Cost is what measure returns, which is asked once for each setting of the
// switches where nothing else can change the answer.
func (o *Operation) Cost(op *graphql.OperationContext, measure func(*graphql.OperationContext) (Cost, *gqlerror.Error)) (Cost, *gqlerror.Error) {
	if o == nil || !o.constant {
		return measure(op)
	}
	o.mu.Lock()
	cost, known := o.costs[o.key]
	o.mu.Unlock()
	if known {
		return cost, nil
	}
	cost, err := measure(op)
	if err == nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if len(o.costs) < maxKept {
			o.costs[o.key] = cost
		}
	}
	return cost, err
}

// Selection is what compile makes of the root field with the alias, unless that
// is kept. An empty alias is of no root field.
func (o *Operation) Selection(root string, v *viewer.Viewer, compile func() (Selection, error)) (Selection, error) {
	if o == nil || root == "" || !o.fixed {
		return compile()
	}
	key := selectionKey{o.key, root, classOf(v)}
	o.mu.Lock()
	known, ok := o.selections[key]
	o.mu.Unlock()
	if ok {
		return known, nil
	}
	made, err := compile()
	if err == nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if len(o.selections) < maxKept {
			o.selections[key] = made
		}
	}
	return made, err
}
