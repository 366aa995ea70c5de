package model

import (
	"strings"

	"github.com/entwine-go/entwine/kit/expose"
)

// EventName names a topic and the statement that announces it, as the trigger is called.
func EventName(t expose.Topic) string {
	return "event_" + strings.NewReplacer(".", "_", "-", "_").Replace(t.Name) + "_on_" + t.On
}
