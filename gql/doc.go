// Package gql is the service's GraphQL API: its schema, and what no other
// service has of one. Package graph serves it.
//
//	schema.go         the schema: *.graphql by hand, generated/ from schema/
//	handler.go        the API, put together from the service's values
//	resolver.go       root fields that are neither planned nor declared
//	writes.go         mutations without resolvers: crud/ lists those that schemas
//	                  declare; those of writes.graphql are kept letter by letter
//
// Each of the other files has the root fields of one activity: resolvers, and
// the plan by hand of feed (social.go).
//
// Resolvers hold no rule about the caller beyond asking the entity's: policies
// and the visibility of fields are part of what is read and written.
package gql
