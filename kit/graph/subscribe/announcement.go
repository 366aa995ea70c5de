package subscribe

import (
	"fmt"
	"maps"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/read"
)

// Announcement says which events a subscription sends.
type Announcement struct {
	// Entity is the entity of its answer: the row that the event is about.
	Entity *entity.Entity
	Topics []string
	// Argument names the row whose events they are, and Of is its entity. Nil: all
	// events of the topics.
	Argument string
	Of       *entity.Entity
	// Gone is a topic that may say that this row has been deleted or hidden.
	Gone string
	// Deleted also sends softly deleted rows, to viewers that may read them.
	Deleted bool
	// Present begins the stream with the current row. Of must be the Entity then.
	Present bool
	// Final holds for rows in a final state: the stream completes once it has sent
	// one. It needs Present.
	Final read.Filter
}

// Check makes sure that the schema's subscriptions are those that are announced.
// Those of live lists follow from the tables, and that of presence is the kit's.
func Check(schema *ast.Schema, announcements map[string]Announcement, tables plan.Tables) error {
	left := maps.Clone(announcements)
	var fields ast.FieldList
	if schema.Subscription != nil {
		fields = schema.Subscription.Fields
	}
	for _, f := range fields {
		a, ok := left[f.Name]
		if !ok && (tables.LiveEntity(f) != nil || plan.IsPresence(f)) {
			continue
		}
		if !ok || a.Entity.Name != f.Type.Name() || a.Of != nil && f.Arguments.ForName(a.Argument) == nil || a.Present && a.Of != a.Entity || a.Final != nil && !a.Present {
			return fmt.Errorf("no events for Subscription.%s", f.Name)
		}
		delete(left, f.Name)
	}
	for name := range left {
		return fmt.Errorf("no field Subscription.%s", name)
	}
	return nil
}
