// Package prepared keeps what is made of documents that are run again and
// again: the compiled selections of their root fields, and what their operations
// cost.
//
// It compiles and measures nothing itself, and keeps nothing that one request
// could tell another: see [Operation.Selection] for what a selection depends on.
package prepared
