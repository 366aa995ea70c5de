// Package signin holds the documents of the operations of accounts, which
// packages signin of the run-time answer. Emitters add them to the documents of a
// schema that has the tables of accounts.
package signin

import (
	_ "embed"
	"strings"
)

//go:embed rest.yaml
var rest string

//go:embed accounts.graphql
var graphql string

// REST is the part of the OpenAPI document, where users who sign up have the role.
func REST(role string) []byte {
	return []byte(strings.ReplaceAll(rest, "with the role `user`", "with the role `"+role+"`"))
}

// GraphQL is the part of the schema.
func GraphQL(role string) string {
	return strings.ReplaceAll(graphql, "with the role user,", "with the role "+role+",")
}
