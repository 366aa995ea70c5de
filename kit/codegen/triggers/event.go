package triggers

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// The time of an event, as package store keeps times.
const (
	postgresNow = "now()"
	sqliteNow   = "strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now')"
)

// The transaction of an event: on PostgreSQL ids commit out of order, on
// SQLite there is one writer.
const (
	postgresXID = "pg_current_xact_id()::text::bigint"
	sqliteXID   = "0"
)

// announcements are the triggers that write the entity's topics into the
// table of events.
func announcements(e *model.Entity) []trigger {
	var triggers []trigger
	for _, topic := range e.Events {
		insert := func(xid, object, now string) string {
			row := "NEW"
			if topic.On == "delete" {
				row = "OLD"
			}
			key := topic.Key
			if key == "" {
				key = "id"
			}
			return fmt.Sprintf("INSERT INTO \"events\" (\"xid\", \"topic\", \"entity\", \"entity_id\", \"key\", \"payload\", \"created_at\")\n"+
				"\tVALUES (%s, '%s', '%s', %s.\"id\", %s.%q, %s, %s);",
				xid, topic.Name, e.Name, row, row, key, payload(object, row, topic.Payload), now)
		}
		triggers = append(triggers, trigger{
			name: model.EventName(topic), table: e.Type.Table(), on: topic.On, when: topic.When,
			body: []string{insert(postgresXID, "json_build_object", postgresNow)},
			lite: []string{insert(sqliteXID, "json_object", sqliteNow)},
		})
	}
	return triggers
}

// payload is the JSON object of the row's columns, null for none.
func payload(object, row string, columns []string) string {
	if len(columns) == 0 {
		return "NULL"
	}
	var members []string
	for _, c := range columns {
		members = append(members, fmt.Sprintf("'%s', %s.%q", c, row, c))
	}
	text := object + "(" + strings.Join(members, ", ") + ")"
	if object == "json_build_object" {
		text += "::text"
	}
	return text
}
