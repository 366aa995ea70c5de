package expose

import (
	"entgo.io/ent"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Action is an operation on a row beside reading, changing and deleting it. Both
// APIs and their documents have it: in REST POST /orders/{id}/cancel, in GraphQL
// cancelOrder(id:). The entity's policy has the rule for it, under the same verb.
//
// An action that only sets columns is a declaration:
//
//	{Verb: "archive", Done: "archived",
//		Comment: "Hides a post from all but its author, editors and admins.",
//		When:    policy.Null("archived_at"),
//		Set:     expose.Set{"archived_at": expose.Now}}
//
// One that does more names with Run how a method is run, and the generated interface
// of the entity's methods has one by the verb's name:
//
//	{Verb: "pay", Done: "paid", Run: expose.OutsideTx, Answer: expose.Answer{Pending: true},
//		Comment: "Takes the money for a pending order.",
//		Errors:  []problem.Kind{problem.PaymentDeclined, problem.BadGateway, problem.GatewayTimeout}}
//
// Where the entity's state is declared ([States]), the action is possible in
// the states from which its verb leads.
type Action struct {
	// Verb is its name in policies: a verb in the imperative, such as "pay".
	Verb string `json:"verb"`
	// Comment describes it to users of the APIs, in sentences.
	Comment string `json:"comment,omitempty"`
	// Detail is added in the REST document: paragraphs in Markdown.
	Detail string `json:"detail,omitempty"`
	// Done is a word for the row after the action: "paid". It completes messages ("the
	// order can't be paid") and documents ("the order, paid").
	Done string `json:"done,omitempty"`
	// Else is the message to callers where When does not hold, and says what is
	// possible: "the post is published already". Without it, and without a state
	// to name, it is that the row can't be what Done says.
	Else string `json:"else,omitempty"`

	// Scope is the object of the action: a row, if empty.
	Scope Scope `json:"scope,omitempty"`
	// When says for which rows it is possible, for any caller: 409 else. A zero
	// rule: for all.
	When policy.Rule `json:"when,omitzero"`
	// Wait says for which of the rows that When leaves out it is a matter of time:
	// such a refusal says to try again, with Retry-After. A zero rule: for none.
	Wait policy.Rule `json:"wait,omitzero"`
	// Shown says which of the rows that When admits show it among their actions:
	// a method or a hook refuses the others, or changes nothing about them. A zero
	// rule: all.
	Shown policy.Rule `json:"shown,omitzero"`
	// Set are the columns that it writes. An action without Run whose verb leads
	// to a single state sets that as well, and the version moves where there is
	// one. With expose.InTx they are written before the method runs. Where every
	// column has its value already, nothing is written.
	Set Set `json:"set,omitempty"`
	// Run says whether a method does it, and in which way.
	Run Run `json:"run,omitempty"`
	// Input lists the arguments, in the vocabulary of fields: bounds, defaults, enums,
	// [Money], [Refers], [Secret], [Example]. An argument that is Optional or has a
	// default can be left out.
	Input []ent.Field `json:"input,omitempty"`
	// Errors are the kinds of problems that a client should expect beside those
	// that follow from the declaration.
	Errors []problem.Kind `json:"errors,omitempty"`
	// Answer describes the answer: the row after the action, if empty.
	Answer Answer `json:"answer,omitzero"`

	// Charts are pictures of a read's answer.
	Charts []Chart `json:"charts,omitempty"`

	// Names are those of the APIs, where they are not what follows from the verb.
	Names Names `json:"names,omitzero"`

	// Deprecated is when it ends, by [Deprecated].
	Deprecated Ending `json:"deprecated,omitzero"`
}

// Scope is the object of an action.
type Scope string

// The scopes.
const (
	// Row is one row: POST /orders/{id}/cancel.
	Row Scope = ""
	// Collection is all of them, or a new one: POST /emails/send. The verb
	// create is the creation itself: POST /orders.
	Collection Scope = "collection"
	// Unbound is nothing that is stored under the entity's path: Names.Path is
	// the whole path, such as "/reports/generate".
	Unbound Scope = "unbound"
)

// Run is how a method carries out an action.
type Run string

// The ways to run a method.
const (
	// InTx runs it in the transaction of the request, with the row locked.
	InTx Run = "in_tx"
	// OutsideTx runs it outside of any transaction: it begins its own, and can
	// ask other services between them.
	OutsideTx Run = "outside_tx"
)

// Names are an action's names in the APIs. An empty name follows from the verb.
type Names struct {
	// ID is the operationId, and the mutation if GraphQL is empty: "payOrder". With
	// GraphQL "-" a read is in REST alone.
	ID      string `json:"id,omitempty"`
	GraphQL string `json:"graphql,omitempty"`
	// Method is REST's: "POST" if empty. With "GET" the action is a read: its input
	// is the query in REST, and arguments of a query in GraphQL; it answers with
	// Members, outside of any transaction. Path is the last part of the path: the
	// verb if empty, none if "." (DELETE /api-keys/{id}).
	Method string `json:"method,omitempty"`
	Path   string `json:"path,omitempty"`
	// Tag is the part of the REST document that it stands in, Summary its line
	// there: "Pay an order".
	Tag     string `json:"tag,omitempty"`
	Summary string `json:"summary,omitempty"`
	// Body is the type of its input in the REST document: "OrderRefund" if
	// empty. In GraphQL, the input of an action of a row is arguments; that of
	// others is an object, "CreateOrderInput" if Object is empty.
	Body   string `json:"body,omitempty"`
	Object string `json:"object,omitempty"`
	// Answer is the name of the type of a read's answer in the REST document: the name
	// of the object, with "Response", if empty.
	Answer string `json:"answer,omitempty"`
	// BodyComment describes both: "What is paid back, and why."
	BodyComment string `json:"body_comment,omitempty"`
}

// Answer describes the answer of an action. The zero Answer is the row after the
// action: 200, or 201 where the verb is create.
type Answer struct {
	// Pending: it may not be decided yet, which is 202 with Retry-After.
	Pending bool `json:"pending,omitempty"`
	// Found: the row may have been there before, which is 200 where a new one is 201.
	Found bool `json:"found,omitempty"`
	// Nothing: 204 in REST. GraphQL answers with the row all the same.
	Nothing bool `json:"nothing,omitempty"`
	// Job is the message with which a job is answered that does it: 202, with its
	// id and address. GraphQL answers with the job.
	Job string `json:"job,omitempty"`
	// Once are members beside the row that are shown this once, and to no repetition.
	Once []Member `json:"once,omitempty"`
	// Members are answered with in the place of the row: see [MembersOf].
	Members []Member `json:"members,omitempty"`
	// Object is the type that they are in GraphQL, which REST has in data: see
	// [AnswerOf]. Comment describes it, and Example is one: JSON, as a text, which
	// keeps the order of the members.
	Object  string `json:"object,omitempty"`
	Comment string `json:"comment,omitempty"`
	Example string `json:"example,omitempty"`
	// File are the media types of the file that is answered with.
	File []string `json:"file,omitempty"`
}

// Reads reports whether the action is a read: GET in REST, a query in GraphQL.
func (a Action) Reads() bool { return a.Names.Method == "GET" }

// Condition is the rule for the rows to which the action can be done, by any
// caller: When, and a state from which its verb leads. State is the column with
// the moves, empty where the entity has none.
func (a Action) Condition(state string, moves []Move) policy.Rule {
	var all []policy.Rule
	if from := Before(moves, a.Verb); state != "" && from != nil {
		all = append(all, policy.In(state, from...))
	}
	if !a.When.Never() {
		all = append(all, a.When)
	}
	return policy.All(all...).For(viewer.Anonymous())
}

// Offered is the rule for the rows that show the action: [Action.Condition] and
// Shown.
func (a Action) Offered(state string, moves []Move) policy.Rule {
	rule := a.Condition(state, moves)
	if !a.Shown.Never() {
		rule = policy.Both(rule, a.Shown.For(viewer.Anonymous()))
	}
	return rule
}

// Link is a read that is offered among the actions of a row: an order's invoice.
type Link struct {
	// Name is its name and the last part of its path.
	Name string `json:"name"`
	// When says for which rows it is offered. A zero rule: for all.
	When policy.Rule `json:"when,omitzero"`
	// Verb is the verb of the policy that a viewer needs to be offered the link.
	// Empty: the right to read the row.
	Verb string `json:"verb,omitempty"`
}
