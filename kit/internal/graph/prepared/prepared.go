// Package prepared keeps what is made of documents that are run again and
// again: the documents themselves, valid as they are, their root fields, the compiled
// selections of these, and what their operations cost. Beside that an [Operation] is
// what is known of a request's operation.
//
// It compiles and measures nothing itself, and keeps nothing that one request
// could tell another: see [Operation.Selection] for what a selection depends on.
package prepared
