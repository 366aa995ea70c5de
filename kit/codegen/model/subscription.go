package model

import (
	"slices"
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

// Subscription is a subscription of GraphQL that a topic of an entity feeds.
type Subscription struct {
	expose.Subscription
	// Entity is the entity of its answer.
	Entity *Entity
	// Topic is the topic of its events.
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
		s := &Subscription{Subscription: *t.Feeds, Entity: e, Topic: t, Of: e.keyed(t, byType)}
		s.announceDeletion()
		e.Subscriptions = append(e.Subscriptions, s)
	}
}

// hides is the condition of an update that deletes a row softly.
const hides = "NEW.deleted_at IS NOT NULL AND OLD.deleted_at IS NULL"

// announceDeletion has the soft deletion of the argument's row announced, where no
// topic that the stream hears does: the stream completes with it. It is a
// statement of the topic Gone, of a topic of its own where the schema names none.
func (s *Subscription) announceDeletion() {
	if s.Argument == "" || s.Of == nil || !s.Of.SoftDelete {
		return
	}
	named := false // a topic Gone that there is not is for the check to tell
	for _, t := range s.Of.Events {
		named = named || t.Key == "" && t.Name == s.Gone
		heard := t.Key == "" && (t.Name == s.Gone || s.Of == s.Entity && t.Name == s.Topic.Name)
		if heard && t.On == "update" && (t.When == "" || t.Name == s.Gone || strings.Contains(t.When, "deleted_at")) {
			return
		}
	}
	switch {
	case named:
	case s.Gone != "":
		return
	default:
		s.Gone = s.Of.Singular + ".gone"
		if slices.ContainsFunc(s.Of.Events, func(t expose.Topic) bool { return t.Name == s.Gone }) {
			return
		}
		s.Of.Events = append(s.Of.Events, expose.Topic{Name: s.Gone, On: "delete"})
	}
	s.Of.Events = append(s.Of.Events, expose.Topic{Name: s.Gone, On: "update", When: hides})
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
