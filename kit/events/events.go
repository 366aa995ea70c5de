// Package events delivers events to subscriptions, in order, and feeds programs that
// keep copies of rows with their changes: see [Feed].
//
// The database itself inserts a row for each event, in the transaction of
// the write (expose.Topic). A [Tailer] reads them in order and hands them to
// the subscriptions of its process. Wake-ups ([Topic], through pubsub) only
// say that there may be something to read; without them it looks by itself.
//
// The promise: a subscription gets every event that is committed after it
// was accepted, once, in the order of commits, or it ends with an error that
// says why. There is never a silent gap.
//
// The order is the same for all subscriptions of a process. Transactions that
// commit between two looks, a few milliseconds, are in the order of their last
// events: one that has read what another wrote, or has waited for it, comes after
// it. Two processes may order two others differently. Where a look finds more than
// a thousand events, they are in the order in which their transactions began to
// write. No transaction holds back the events of others, however long it takes.
package events

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/entwine-go/entwine/kit/gid"
)

// Topic is the topic of wake-ups: see pubsub.Bus.
const Topic = "events"

// Event is something that was written.
type Event struct {
	// Topic names the event: "post.published".
	Topic string
	// Entity and EntityID name the row that it happened to.
	Entity   string
	EntityID gid.ID
	// Key selects subscriptions: the row's id, or the id of a row that it belongs to.
	Key gid.ID
	// Payload holds values of the row at that time, as a JSON object: nil if
	// there are none.
	Payload json.RawMessage
	// At is when it was written, in UTC.
	At time.Time

	place place
}

// Number is the id of the event's row, which no other event has. Later events may have
// smaller ones: the order is that in which [Subscription.Next] returns them.
func (e *Event) Number() int64 { return e.place.id }

// size is about how many bytes an event takes.
func (e *Event) size() int { return 128 + len(e.Payload) }

// Filter selects the events that have one of the topics and the key.
type Filter struct {
	// Topics are those selected: without any, no event is.
	Topics []string
	// Key selects events with the key; nil selects all.
	Key *gid.ID
}

// Why a subscription has ended.
var (
	// ErrSlow ends a subscription whose events are not taken fast enough.
	ErrSlow = errors.New("the subscriber is too slow")
	// ErrClosed ends every subscription when the process does.
	ErrClosed = errors.New("the service is shutting down")
	// ErrBehind ends every subscription when events may have been removed
	// before they were read, because the database could not be reached.
	ErrBehind = errors.New("events may have been missed")
	// ErrReplaced ends every subscription when the database is another one, or at an
	// earlier state: after a restore, and a failover to a standby that lagged.
	ErrReplaced = errors.New("the database was replaced or restored")
)
