// Package apiversion has the differences between versions of a resource API, as
// small values: the names of fields and of the API's own words, the form of ids,
// the envelopes of items, lists and errors, the names of a page's figures, and the
// answer of a DELETE.
//
// It is one package because a version is one set of names and envelopes for requests,
// answers and the document: these have to agree for every word.
//
// A [Version] is a list of these and of the [Change]s that it has made; [Sets] are
// the lists there are. [New] prepares the versions that a service offers:
// [Versions.Choose] finds the version of a request, and a [Served] has the names
// and envelopes for the code that reads requests and writes answers. Nothing else
// knows which versions there are, and no other package asks which one it has
// (doc/api/versions.md).
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
