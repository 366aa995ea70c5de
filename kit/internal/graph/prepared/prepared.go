// Package prepared caches documents that are run again and again: the validated
// documents, their root fields, the compiled selections of these, and the costs of
// their operations. An [Operation] has the prepared parts of a request's operation.
//
// It compiles and measures nothing itself, and keeps nothing that one request
// could tell another: see [Operation.Selection] for what a selection depends on.
package prepared
