package apiversion

// Mark is how a body says that it is a success. It is the first member.
type Mark uint8

// The marks.
const (
	Status Mark = iota // "status":"success"
	Flag               // "success":true
)

func (m Mark) member() string {
	if m == Flag {
		return `"success":true`
	}
	return `"status":"success"`
}

// Wrapping is the envelope of an item or a list.
type Wrapping uint8

// The wrappings.
const (
	Bare  Wrapping = iota // "data":{…}
	Named                 // "data":{"post":{…}}
)

func (w Wrapping) begin(noun string) string {
	if w == Named && noun != "" {
		return `,"data":{"` + noun + `":`
	}
	return `,"data":`
}

func (w Wrapping) end(noun string) string {
	if w == Named && noun != "" {
		return "}"
	}
	return ""
}

// Count is the name of a list's number of items: of a page of rows, and of created
// rows. An empty name is not written.
type Count struct{ Page, Made string }

// Deletion is the answer to a DELETE.
type Deletion uint8

// The answers.
const (
	Silent Deletion = iota // 204
	Told                   // 200 with a message
)

// Pages are the names of a page's figures.
type Pages struct {
	TotalPages, HasNext, HasPrev string // by offset
	HasMore, NextCursor          string // by cursor
	HasNextPage, AfterID         string // by keyset
	TotalExact                   string
}
