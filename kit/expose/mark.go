package expose

import "entgo.io/ent"

// Mark is a flag that a user sets on a row and can take back: like, follow. It is
// a row of another entity, which names both. Doing it again changes nothing and is
// answered with 200, the first time with 201; taking it back is DELETE on the same
// path, and 204 also where there was nothing to take back.
//
//	{Verb: "like", Undo: "unlike", Said: "liked", Entity: "Like", To: "post_id", By: "user_id", Count: "likes_count",
//		Viewer: "viewer_has_liked", …}
//
// Users can't mark themselves: where both are of one entity, that is 422.
type Mark struct {
	// Verb is that of the path and of the operations: POST /posts/{id}/like,
	// likePost. The policy of Entity says who may, by create and delete.
	Verb string `json:"verb"`
	// Undo takes it back. Empty: it can't be taken back.
	Undo string `json:"undo,omitempty"`
	// Comment and UndoComment say what the two do, Detail what the REST document
	// adds to the first.
	Comment     string `json:"comment"`
	UndoComment string `json:"undo_comment,omitempty"`
	Detail      string `json:"detail,omitempty"`
	// Entity is the one whose rows are the marks, To its foreign key to the row
	// that is marked, and By the one to the user: [Caller] says who may name another.
	Entity string `json:"entity"`
	To     string `json:"to"`
	By     string `json:"by"`
	// Said is the flag in the answers, and SaidComment describes it: "liked".
	// Empty: there is none.
	Said        string `json:"said,omitempty"`
	SaidComment string `json:"said_comment,omitempty"`
	// Count is the field of the row that counts the marks, by [CountOf].
	Count string `json:"count"`
	// Viewer is the name of the derived field by which the caller sees whether
	// they did it (see [ViewerHas]), described by ViewerComment. Empty: there is none.
	Viewer        string `json:"viewer,omitempty"`
	ViewerComment string `json:"viewer_comment,omitempty"`
	// Again makes a row each time: a share. All are answered with 201.
	Again bool `json:"again,omitempty"`
	// URL adds the row's address to the answers, as url.
	URL bool `json:"url,omitempty"`
	// Answer is the type of the answers in the REST document, Payload in GraphQL.
	Answer  string `json:"answer"`
	Payload string `json:"payload"`
	// AnswerComment describes them: "What a post has come to by being liked."
	AnswerComment string `json:"answer_comment"`
}

// Upsert has a create that would break a unique index change the existing row, and
// answer 200: a product that is put into a cart twice is there once, in a larger
// quantity.
type Upsert struct {
	// Index are the fields of the unique index.
	Index []string `json:"index"`
	// Add are the number fields that grow by what the create names; the others
	// get what it names.
	Add []string `json:"add,omitempty"`
	// Run has a method do it, of the name Create.
	Run Run `json:"run,omitempty"`
	// Comment says what creating does then, Detail what the REST document adds,
	// and Summary is its line there.
	Comment string `json:"comment"`
	Detail  string `json:"detail,omitempty"`
	Summary string `json:"summary,omitempty"`
}

// Bulk is an operation on many rows at once: POST, PATCH or DELETE /users/bulk, or an
// action of each of them: POST /posts/bulk/publish.
type Bulk struct {
	// Operation is Create, Patch or Delete, empty where Verb names an action.
	Operation Operation `json:"operation,omitempty"`
	// Verb is that of an action of a row, without input, which answers with the row.
	Verb string `json:"verb,omitempty"`
	// Each gives every item its own outcome, by its status: 207. Else it is all
	// or nothing, which only Create can be.
	Each bool `json:"each,omitempty"`
	// Maximum is how many items a request has at most.
	Maximum int `json:"maximum"`
	// Member is the name of the list of new rows in the body: "users". Empty: the last
	// part of the entity's path.
	Member string `json:"member,omitempty"`
	// Comment says what it does, Detail what the REST document adds.
	Comment string `json:"comment"`
	Detail  string `json:"detail,omitempty"`
}

// Beside is input of creates and updates that is no field of the entity, such
// as the password of a new user: a method sees to it, around the write.
type Beside struct {
	// On are the operations: Create, Replace, Patch.
	On []Operation `json:"on"`
	// Input is further input of callers beside the fields.
	Input []ent.Field `json:"input"`
}
