package model_test

import (
	"testing"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/expose"
)

// Topics, and the subscriptions that they feed.
func TestMistakesOfTopics(t *testing.T) {
	topic := func(e expose.Topic) func() { return func() { book.resource.Events = []expose.Topic{e} } }
	feeds := func(t expose.Topic, s expose.Subscription) func() {
		s.Comment = "One is lent."
		t.Name, t.On, t.Feeds = "book.lent", "insert", &s
		return topic(t)
	}
	wrong(t, library, []mistake{
		{"a topic in capitals", topic(expose.Topic{Name: "BookLent", On: "insert"}), `Book: event "BookLent": lower-case words joined by dots`},
		{"a topic on a statement that there is not", topic(expose.Topic{Name: "book.lent", On: "upsert"}), `Book: event "book.lent" on "upsert": insert, update and delete are allowed`},
		{"a topic on what was before it was", topic(expose.Topic{Name: "book.lent", On: "insert", When: "OLD.lent"}), `Book: event book.lent: condition "OLD.lent": NEW is allowed`},
		{"a topic on what is after it is gone", topic(expose.Topic{Name: "book.lent", On: "delete", When: "NEW.lent"}), `a row that is deleted has no NEW, but OLD`},
		{"a topic by a text", topic(expose.Topic{Name: "book.lent", On: "insert", Key: "note"}), `Book: event "book.lent": key "note": an integer or a foreign key is allowed: deleted_with, pages, price, shelf_id, author_id`},
		{"a topic with a flag", topic(expose.Topic{Name: "book.lent", On: "insert", Payload: []string{"lent"}}), `Book: event "book.lent": payload "lent": columns of text or integers`},
		{"a topic with a job in capitals", topic(expose.Topic{Name: "book.lent", On: "insert", Job: "BookLent"}), `Book: event "book.lent": job "BookLent": lower-case words joined by underscores`},
		{"a topic with a job where there are none", topic(expose.Topic{Name: "book.lent", On: "insert", Job: "book_lent"}), `Book: event "book.lent": job "book_lent": there is no table of jobs`},
		{"a condition that is more than one", topic(expose.Topic{Name: "book.lent", On: "insert", When: "NEW.lent; DROP TABLE books"}), `one expression is allowed`},
		{"a topic twice", func() { book.resource.Events = append(book.resource.Events, book.resource.Events...) }, `Book: event "book.lent" on update is there twice`},
		{"a subscription in capitals", feeds(expose.Topic{}, expose.Subscription{Name: "BookLent"}), `schema/book.go: Book: subscription "BookLent": a camelCase name is allowed`},
		{"a subscription that says nothing", topic(expose.Topic{Name: "book.lent", On: "insert", Feeds: &expose.Subscription{Name: "bookLent"}}), `Book: subscription "bookLent": a Comment is needed`},
		{"two subscriptions of one name", func() {
			feeds(expose.Topic{}, expose.Subscription{Name: "bookLent"})()
			shelf.resource.Events = []expose.Topic{{Name: "shelf.lent", On: "insert", Feeds: book.resource.Events[0].Feeds}}
		}, `subscription "bookLent": the name is taken by a subscription of Shelf`},
		{"two subscriptions of one topic", func() {
			feeds(expose.Topic{}, expose.Subscription{Name: "bookLent"})()
			book.resource.Events = append(book.resource.Events, expose.Topic{Name: "book.lent", On: "update", Feeds: &expose.Subscription{Name: "bookLentOut", Comment: "Again."}})
		}, `subscription "bookLentOut": event "book.lent" feeds a subscription already`},
		{"a subscription to an argument in capitals", feeds(expose.Topic{}, expose.Subscription{Name: "bookLent", Argument: "ID"}), `argument "ID": a camelCase name`},
		{"a subscription to what no key leads to", feeds(expose.Topic{Key: "pages"}, expose.Subscription{Name: "bookLent", Argument: "pages"}), `argument "pages": the topic's key is to be a foreign key to an entity that is exposed, not "pages"`},
		{"a subscription to what is not exposed", feeds(expose.Topic{Key: "author_id"}, expose.Subscription{Name: "bookLent", Argument: "userId"}), `argument "userId": the topic's key is to be a foreign key to an entity that is exposed`},
		{"a subscription to two keys", func() {
			feeds(expose.Topic{Key: "shelf_id"}, expose.Subscription{Name: "bookLent", Argument: "shelfId"})()
			book.resource.Events = append(book.resource.Events, expose.Topic{Name: "book.lent", On: "update"})
		}, `argument "shelfId": all statements of "book.lent" must have one key, not "shelf_id" and ""`},
		{"a present of no row", feeds(expose.Topic{}, expose.Subscription{Name: "bookLent", Present: true}), `subscription "bookLent": Present, Final, Gone and ArgumentComment are about the row of an Argument`},
		{"a present of another row", feeds(expose.Topic{Key: "shelf_id"}, expose.Subscription{Name: "bookLent", Argument: "shelfId", Present: true}), `Present is for the row that the events are about`},
		{"an end without a beginning", feeds(expose.Topic{}, expose.Subscription{Name: "bookLent", Argument: "id", Final: expose.At("state", "gone")}), `Final needs Present`},
		{"an end that is no state", feeds(expose.Topic{}, expose.Subscription{Name: "bookLent", Argument: "id", Present: true, Final: expose.At("pages", "0")}), `final "pages": an enum that is shown is allowed`},
		{"an end at a state that there is not", func() {
			book.fields = with(book.fields, field.Enum("state").Values("there", "gone"))
			feeds(expose.Topic{}, expose.Subscription{Name: "bookLent", Argument: "id", Present: true, Final: expose.At("state", "gone", "lost")})()
		}, `final "lost": there, gone are allowed`},
		{"an end at no state", func() {
			book.fields = with(book.fields, field.Enum("state").Values("there", "gone"))
			feeds(expose.Topic{}, expose.Subscription{Name: "bookLent", Argument: "id", Present: true, Final: expose.At("state")})()
		}, `final: values of state are needed`},
		{"an end by a topic of another", feeds(expose.Topic{Key: "shelf_id"}, expose.Subscription{Name: "bookLent", Argument: "shelfId", Gone: "book.lent"}), `gone "book.lent": a topic of Shelf without a key is allowed`},
	})
}
