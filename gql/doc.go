// Package gql is the GraphQL door.
//
// gqlgen parses and validates documents, keeps them, decodes the arguments of
// mutations and answers introspection. It does not execute reads: each root
// field that answers with entities is planned. Its validated selection is
// compiled to a [reading.Selection], which package reading runs with one SQL
// statement for each level and appends as JSON; the response is put together
// from what the root fields appended. A mutation's resolver writes and
// answers with the row's id alone; its payload is planned like a read.
//
//	schema.go     the schema: gql/*.graphql by hand, gql/generated from schema/
//	handler.go    what the API is made of, and what gqlgen is told
//	transport.go  HTTP
//	limit.go      what an operation may ask for; bounds.go what a document may
//	              hold, and rules.go how it is validated (overlap.go: fields
//	              that merge)
//	prepared.go   what is kept of a document: its plans and its cost
//	operation.go  an operation: its root fields, run and put together
//	root.go       what each root query reads; users.go, posts.go by hand
//	plan*.go      from a selection to a listing, by the tables of table.go
//	accounts.go   signing up, in and out; two_factor.go, and cookie.go for pages
//	fragment.go   which fragments are deferred; deferred.go answers them, and
//	              increment.go writes the parts
//	resolver.go   root fields that are not planned; gql/crud has the mutations
//	resolved.go   what resolvers return; value.go writes it as is selected
//	subscription.go  events, each answered with a planned read; audience.go
//	              has those who ask for the same share it; stream/ is the wire
//	errors.go     problems as GraphQL errors
//
// Handlers and resolvers hold no rule about the caller: policies and the
// visibility of fields are part of every listing.
package gql
