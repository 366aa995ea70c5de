// Package apiversion holds what versions of a resource API differ in, as small
// values: the names of fields and of the API's own words, how ids are written,
// what an item and a list stand in, the names of a page's figures, the envelope
// of errors, and what a DELETE answers.
//
// It is one package because a version is one set of names and envelopes for requests,
// answers and the document: these have to agree for every word.
//
// A [Version] is a list of these and of the [Change]s that it has made; [Sets]
// are the lists there are. [New] makes of the versions that a service offers what
// requests need: [Versions.Choose] finds out which one a request is for, and a
// [Served] is asked for names and envelopes by the code that reads requests and
// writes answers. Nothing else knows which versions there are, and no other package
// asks which one it has (doc/api/versions.md).
package apiversion

// Set is a set of conventions.
type Set struct {
	Names    Names
	IDs      IDs
	Mark     Mark
	Item     Wrapping
	List     Wrapping
	Count    Count
	Pages    Pages
	Errors   Errors
	Deletion Deletion
}
