package adopt

import (
	"regexp"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/codegen/orm"
)

const kit = "github.com/entwine-go/entwine/kit"

// namer gives entities names that no other has.
type namer struct {
	taken []string // in any case
	paths []string
}

// used are paths that the service answers by itself.
var used = []string{"auth", "search", "changes", "docs", "openapi", "versions", "health", "me", "graphql", "nodes"}

// entity is the name for a table, its path and why it is not the table's.
func (n *namer) entity(table string) (name, path, why string) {
	words := naming.Snake(naming.Pascal(singular(member(table))))
	if words == "" || words[0] >= '0' && words[0] <= '9' {
		words = "table_" + words
	}
	if len(words) > 30 { // with what comes before or behind it below
		words = strings.Trim(words[:30], "_")
	}
	if !orm.Free(naming.Pascal(words), n.taken) || slices.Contains(used, plural(words)) {
		words = "adopted_" + words
		why = "the name without Adopted is taken"
	}
	for base, i := words, 2; !orm.Free(naming.Pascal(words), n.taken); i++ {
		words = base + "_" + string(rune('a'+i-2))
	}
	name = naming.Pascal(words)
	n.taken = append(n.taken, name)
	path = strings.ReplaceAll(plural(words), "_", "-")
	for slices.Contains(n.paths, path) {
		path += "-rows"
	}
	n.paths = append(n.paths, path)
	return name, path, why
}

// singular is the word for one where the name is a word for many: address stays.
func singular(name string) string {
	if one := naming.Singular(name); naming.Plural(one) == name {
		return one
	}
	return name
}

// plural is the word for many, which Ent makes otherwise of a word that has none.
func plural(name string) string {
	if many := naming.Plural(name); !strings.HasSuffix(many, "Slice") {
		return many
	}
	return name + "_rows"
}

var unnamed = regexp.MustCompile(`[^a-z0-9]+`)

// member is a name in snake_case of ASCII: "ArtistId" is artist_id.
func member(column string) string {
	words := column
	if strings.ToUpper(words) == words {
		words = strings.ToLower(words)
	}
	words = strings.Trim(unnamed.ReplaceAllString(strings.ToLower(naming.Snake(words)), "_"), "_")
	if words != "" && words[0] >= '0' && words[0] <= '9' {
		words = "n_" + words
	}
	return words
}

// meant are names of fields that say more than a name: they have others, and the
// column keeps its own.
var meant = []string{
	"id", "version", "deleted_at", "deleted_with", "and", "or", "not", "label", "table", "columns", "hooks", "policy", "edges", "config", "actions",
}

// asked are names of parameters of listings, by which nothing is filtered.
var asked = []string{
	"page", "limit", "offset", "cursor", "after", "before", "sort", "order", "search", "q", "fields", "expand", "include_deleted", "total", "from", "to", "first", "last",
}
