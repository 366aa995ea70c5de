// Package builtin holds the documents of the operations that the kit answers by itself. Emitters
// add them to the documents of a schema that has the tables for them: accounts (packages signin of
// the kit), and in REST the manifest, search over indexed fields, changes of rows, viewers of
// rows, files and results of jobs (package builtin of the kit).
package builtin

import (
	_ "embed"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

var (
	//go:embed accounts.yaml
	accounts string
	//go:embed changes.yaml
	changes string
	//go:embed files.yaml
	files string
	//go:embed presence.yaml
	presence string
	//go:embed manifest.yaml
	manifest string
	//go:embed results.yaml
	results string
	//go:embed search.yaml
	search string
	//go:embed tokens.yaml
	tokens string

	//go:embed accounts.graphql
	graphqlAccounts string
	//go:embed files.graphql
	graphqlFiles string
	//go:embed presence.graphql
	graphqlPresence string
)

// Document is a part of the OpenAPI document.
type Document struct {
	// About says which operations it has, for errors.
	About string
	Text  []byte
}

// REST are the parts of the OpenAPI document that the schema has the tables for.
// Without accounts there are no operations of these, and callers have tokens of
// another issuer.
func REST(m *model.Model) (all []Document) {
	add := func(about, text string, replace ...string) {
		all = append(all, Document{about, []byte(strings.NewReplacer(replace...).Replace(text))})
	}
	if m.Accounts() {
		add("accounts", accounts, "with the role `user`", "with the role `"+m.FirstRole()+"`")
	} else {
		add("tokens of another issuer", tokens)
	}
	if e := m.Jobs(); e != nil && e.Offers(expose.Read) {
		add("results of jobs", results, "$path", e.Path, "$tag", e.Plural(), "$entity", e.Name)
	}
	add("the manifest", manifest)
	if len(m.Searchable()) > 0 {
		add("search", search)
	}
	if len(m.Followed()) > 0 {
		add("changes", changes)
	}
	if len(m.FileFields()) > 0 {
		add("files", files)
	}
	if len(m.Attended()) > 0 {
		add("presence", presence)
	}
	return all
}

// GraphQL are the documents of the schema, by the names of their files: of accounts,
// of files and of who looks at rows, where there are any.
func GraphQL(m *model.Model) map[string]string {
	all := map[string]string{}
	if m.Accounts() {
		all["accounts"] = strings.ReplaceAll(graphqlAccounts, "with the role user,", "with the role "+m.FirstRole()+",")
	}
	if len(m.FileFields()) > 0 {
		all["files"] = graphqlFiles
	}
	if len(m.Attended()) > 0 {
		all["presence"] = graphqlPresence
	}
	return all
}
