package expose

// Topic announces writes of an entity to subscriptions and jobs.
type Topic struct {
	// Name is the event's type: "post.published".
	Name string `json:"name"`
	// On is the statement that can cause it: "insert", "update" or "delete".
	On string `json:"on"`
	// When is an SQL condition over OLD and NEW, empty for always. It must
	// read the same on both databases.
	When string `json:"when,omitempty"`
	// Key names the column whose value subscribers can select events by, an integer or
	// a foreign key: empty for the row's id.
	Key string `json:"key,omitempty"`
	// Payload names columns of text or integers, and foreign keys, whose values are kept
	// with the event, as they were when it happened.
	Payload []string `json:"payload,omitempty"`
	// Job is the kind of a job that the database enqueues with each event, in the
	// transaction of the write: "note_written". Its arguments are the row's id, as
	// id, and the columns of Payload. A handler of the kind is the handler of the
	// event: it runs once for each, however many processes there are, and is tried
	// again where it fails. A service without a handler of the kind does not start, nor
	// one whose handler reads arguments that the topic does not send.
	// Empty: there is none.
	Job string `json:"job,omitempty"`
	// Feeds is the subscription that clients hear of the topic by, nil where
	// there is none. It is said once, at one of the topic's statements.
	Feeds *Subscription `json:"feeds,omitempty"`
}

// Subscription is a subscription of GraphQL. Each event of its topic is
// answered with the entity's current row, if the subscriber can read it.
type Subscription struct {
	// Name is its field in GraphQL: "newComment".
	Name string `json:"name"`
	// Comment says to clients which events they get.
	Comment string `json:"comment"`
	// Argument names the row whose events they are: "postId". That is the row
	// that the topic's Key leads to, or the row itself. Without it clients get
	// all events of the topic.
	Argument string `json:"argument,omitempty"`
	// ArgumentComment describes the argument, in words that fit any if it is empty.
	ArgumentComment string `json:"argument_comment,omitempty"`
	// Present begins the stream with the current row.
	Present bool `json:"present,omitempty"`
	// Final is where nothing more can happen to the row: the stream completes
	// once it has sent the row in that state. It needs Present.
	Final *State `json:"final,omitempty"`
	// Gone is a topic that may say that the argument's row was deleted or hidden.
	// The stream completes once the subscriber can't read the row, which is looked
	// at with each event. Soft deletions are among its events where the topic has no
	// statement for updates; without a name they have a topic of their own, such as
	// "ticket.gone".
	Gone string `json:"gone,omitempty"`
	// Deleted has subscribers whom [policy.ReadDeleted] admits hear of rows that are
	// deleted softly, too. Without it a row that is deleted is not there for a
	// stream, as for a read of it.
	Deleted bool `json:"deleted,omitempty"`
}

// State is where a row is: an enum field that has one of some values.
type State struct {
	Field  string   `json:"field"`  // an enum
	Values []string `json:"values"` // any of them
}

// At is the state of rows whose enum field has one of the values.
func At(field string, values ...string) *State { return &State{Field: field, Values: values} }
