// Package failure turns errors into GraphQL's: a [problem.Error] keeps its
// message and gets the code and the status of its kind in extensions, and
// everything else is logged and masked.
//
// Errors of fields have a path and the place of the field in the document (see
// [At] and [Presenter]); refusals are about a whole operation that is not run
// (see [Refusal] and [CompleteAll]).
package failure
