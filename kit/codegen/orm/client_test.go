package orm_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/codegentest"
)

// The client has what is exposed or declared, without edges to what is left out,
// and an entity has the features that it has asked for.
func TestTheClientHasWhatIsDeclared(t *testing.T) {
	t.Parallel()
	root := codegentest.Tree(t).Root
	read := func(names ...string) string {
		text, err := os.ReadFile(filepath.Join(append([]string{root, "ent"}, names...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	client, user, items, posts := read("client.go"), read("user_query.go"), read("cartitem_query.go"), read("post_query.go")
	for _, one := range []struct {
		what, in, word string
		want           bool
	}{
		{"an exposed entity", client, "Post *PostClient", true},
		{"a table of the kit that is exposed", client, "Job *JobClient", true},
		{"a table of the kit", client, "SessionClient", false},
		{"an edge between exposed entities", user, "WithPosts", true},
		{"a feature that is asked for", items, "Modify(", true},
		{"a feature that is not", posts, "Modify(", false},
		{"the tables of all", read("migrate", "schema.go"), `Name:       "sessions"`, true},
	} {
		if strings.Contains(one.in, one.word) != one.want {
			t.Errorf("%s: %q is there: %v, want %v", one.what, one.word, !one.want, one.want)
		}
	}
}
