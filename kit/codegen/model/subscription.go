package model

import (
	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

// Subscription is a subscription of GraphQL that a topic of an entity feeds.
type Subscription struct {
	expose.Subscription
	// Entity is what it answers with.
	Entity *Entity
	// Topic is what it tells of.
	Topic expose.Topic
	// Of is the entity of the row that the argument names, nil if that is none
	// that is exposed.
	Of *Entity
}

// FinalField is the field that says where a row is, nil if there is no end.
func (s *Subscription) FinalField() *Field {
	if s.Final == nil {
		return nil
	}
	return s.Entity.Field(s.Final.Field)
}

// addSubscriptions adds what the entity's topics feed.
func (e *Entity) addSubscriptions(byType map[string]*Entity) {
	for _, t := range e.Events {
		if t.Feeds == nil {
			continue
		}
		e.Subscriptions = append(e.Subscriptions, &Subscription{Subscription: *t.Feeds, Entity: e, Topic: t, Of: e.keyed(t, byType)})
	}
}

// keyed is the entity whose rows are the keys of the topic's events.
func (e *Entity) keyed(t expose.Topic, byType map[string]*Entity) *Entity {
	if t.Key == "" {
		return e
	}
	if edge := edgeOf(e.Type, t.Key); edge != nil {
		return byType[edge.Type.Name]
	}
	return nil
}

// edgeOf is the edge whose foreign key is the column, nil if there is none.
func edgeOf(t *gen.Type, column string) *gen.Edge {
	for _, edge := range t.Edges {
		if f := edge.Field(); f != nil && f.StorageKey() == column {
			return edge
		}
	}
	return nil
}
