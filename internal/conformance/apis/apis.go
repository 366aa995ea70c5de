// Package apis has tests only: what this service's two APIs answer to a caller, put
// together behind their edge in one process, with a clock that only the test moves. They
// are about accounts and sign-ins, versions of rows, and keys of repeated writes.
package apis
