package model

import (
	"strings"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

// EventName names a topic and the statement that announces it, as the trigger is called.
func EventName(t expose.Topic) string {
	return "event_" + strings.NewReplacer(".", "_", "-", "_").Replace(t.Name) + "_on_" + t.On
}

// TopicKey is the field whose value is the key of the topic's events.
func (e *Entity) TopicKey(t expose.Topic) *gen.Field {
	if t.Key == "" {
		return e.Type.ID
	}
	return fieldOf(e.Type, t.Key)
}
