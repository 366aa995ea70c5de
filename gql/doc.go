// Package gql is the GraphQL door.
//
// gqlgen parses and validates documents, keeps them, decodes the arguments of
// mutations and answers introspection. It does not execute reads: each root
// field that answers with entities is planned. Its validated selection is
// compiled to a [listing.Selection], which package listing runs with one SQL
// statement for each level and appends as JSON; the response is put together
// from what the root fields appended. A mutation's resolver writes and
// answers with the row's id alone; its payload is planned like a read.
//
//	schema.go     the schema: gql/*.graphql by hand, gql/generated from schema/
//	handler.go    HTTP, and what gqlgen is told
//	operation.go  an operation: its root fields, run and put together
//	root.go       what each root query reads
//	plan*.go      from a selection to a listing
//	value.go      what resolvers return, written as the selection asks
//	errors.go     problems as GraphQL errors
//
// Handlers and resolvers hold no rule about the caller: policies and the
// visibility of fields are part of every listing.
package gql
