package database_test

import (
	"os"
	"regexp"
	"slices"
	"strconv"
	"testing"
)

// rows are there before every change.
var rows = []string{
	`INSERT INTO authors (id, name, email, age) VALUES (1, 'Ada', 'ada@example.com', 36), (2, 'ÄNNE', 'ann@example.com', 20), (3, 'Bob', 'bob@example.com', 50)`,
	`INSERT INTO posts (id, title, status, price, author_id) VALUES (1, 'First Words', 'live', 100, 1), (2, 'Second', 'draft', 250, 1), (3, 'Third', 'dead', 5, 2)`,
	`INSERT INTO tags (id, label) VALUES (1, 'x'), (2, 'y')`,
	`INSERT INTO post_tags (post_id, tag_id) VALUES (1, 1), (1, 2), (3, 1)`,
}

// change is a change of a schema on tables with rows.
type change struct {
	// kind is its number in doc/operations/migrations.md.
	kind int
	name string
	// before makes the schema that it begins with, after the one it leads to.
	before, after func(w *world)
	rows          []string // more of them
	drop, accept  []string
	// refused is the message of weave migrate diff where it writes nothing.
	refused string
	// fails is the error of a migration that is not applied.
	fails string
	// mend makes the rows so that it is.
	mend []string
	// none is set where there is nothing to migrate.
	none bool
	// want are queries and what they return once it is applied.
	want map[string]string
	// breaks are statements that the database refuses then.
	breaks []string
	// then are statements after which wantThen holds: triggers do their work.
	then     []string
	wantThen map[string]string
}

const postCount = `SELECT CAST(count(*) AS text) FROM posts`

// corpus are the changes of every kind, in the order of doc/operations/migrations.md.
func corpus() []change { return slices.Concat(fieldChanges(), valueChanges(), linkChanges()) }

// A kind of change that is documented has its case here.
func TestEveryKindHasItsCase(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../doc/operations/migrations.md")
	if err != nil {
		t.Fatal(err)
	}
	has := map[int]bool{}
	for _, c := range corpus() {
		has[c.kind] = true
	}
	kinds := regexp.MustCompile(`(?m)^\| (\d+) \|`).FindAllStringSubmatch(string(text), -1)
	for _, k := range kinds {
		n, err := strconv.Atoi(k[1])
		if err != nil {
			t.Fatal(err)
		}
		if !has[n] {
			t.Errorf("kind %d has no case", n)
		}
		delete(has, n)
	}
	if len(kinds) < 50 || len(has) > 0 {
		t.Errorf("%d kinds are documented; cases of others: %v", len(kinds), has)
	}
}
