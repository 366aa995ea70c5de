package triggers

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// The time of an event, and of a default, as package store keeps times.
const (
	postgresNow = "now()"
	SQLiteNow   = "strftime('%Y-%m-%d %H:%M:%f000+00:00', 'now')"
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
			id := named("entity_id", "entity_text", e.Type, e.Type.ID, row)
			key := named("key", "key_text", e.Type, e.TopicKey(topic), row)
			return fmt.Sprintf("INSERT INTO \"events\" (\"xid\", \"topic\", \"entity\", %s, %s, \"payload\", \"created_at\")\n"+
				"\tVALUES (%s, '%s', '%s', %s, %s, %s, %s);",
				id.columns, key.columns, xid, topic.Name, e.Name, id.values, key.values, payload(object, row, topic.Payload), now)
		}
		t := trigger{
			name: model.EventName(topic), table: model.StoredIn(e.Type), on: topic.On, when: topic.When, announces: true,
			body: []string{insert(postgresXID, "json_build_object", postgresNow)},
			lite: []string{insert(sqliteXID, "json_object", SQLiteNow)},
		}
		if topic.Job != "" {
			t.body = append(t.body, enqueue(e, topic, "json_build_object", "::jsonb", postgresNow))
			t.lite = append(t.lite, enqueue(e, topic, "json_object", "", SQLiteNow))
		}
		triggers = append(triggers, t)
	}
	return triggers
}

// enqueue is the statement that makes the topic's job. It is not enqueued in Redis:
// sweepers find it within a second.
func enqueue(e *model.Entity, topic expose.Topic, object, cast, now string) string {
	row := "NEW"
	if topic.On == "delete" {
		row = "OLD"
	}
	id := model.RowID(e.Type, row)
	args := []string{"'id', " + id}
	if tenant := model.TenantOf(e.Type); tenant != nil { // as package jobs has it
		args = append(args, fmt.Sprintf("'$tenant', %s.%q", row, tenant.StorageColumn()))
	}
	for _, c := range topic.Payload {
		args = append(args, fmt.Sprintf("'%s', %s.%q", c, row, c))
	}
	return fmt.Sprintf("INSERT INTO \"jobs\" (\"kind\", \"status\", \"progress\", \"attempts\", \"max_attempts\", \"args\", \"subject\", \"queue\",\n"+
		"\t\t\"fence\", \"generation\", \"run_at\", \"ring_at\", \"created_at\", \"updated_at\")\n"+
		"\tVALUES ('%s', 'queued', 0, 0, 10, %s(%s)%s, '%[6]s:' || %[7]s, 'default', 0, 0, %[5]s, %[5]s, %[5]s, %[5]s);",
		topic.Job, object, strings.Join(args, ", "), cast, now, e.Name, id)
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
