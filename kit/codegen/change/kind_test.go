package change_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/change"
)

// The kinds are those of doc/schema/changes.md, and of doc/operations/migrations.md
// by their numbers.
func TestKindsAreDocumented(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../../doc/schema/changes.md")
	if err != nil {
		t.Fatal(err)
	}
	migrations, err := os.ReadFile("../../../doc/operations/migrations.md")
	if err != nil {
		t.Fatal(err)
	}
	codes, taken := map[string]bool{}, []string(nil)
	for number, k := range change.Kinds() {
		if k.Number != number || codes[k.Code] || len(k.Does) != len(change.Areas()) {
			t.Errorf("kind %d: number %d, code %s, does %s", number, k.Number, k.Code, k.Does)
		}
		codes[k.Code] = true
		if number == 0 {
			continue
		}
		if k.Taken() {
			taken = append(taken, fmt.Sprint(number))
		}
		row := fmt.Sprintf("| %d | `%s` | %s | %s | %s |", number, k.Code, k.Title, or(k.Letters(), "–"), k.Way)
		if !strings.Contains(string(page), row+"\n") {
			t.Errorf("doc/schema/changes.md has no row\n%s", row)
		}
		if !strings.Contains(string(migrations), fmt.Sprintf("\n| %d |", number)) {
			t.Errorf("doc/operations/migrations.md has no kind %d", number)
		}
	}
	if said := "the safe way of the kinds " + strings.Join(taken, ", "); !strings.Contains(string(page), said) {
		t.Errorf("doc/schema/changes.md does not say: %s", said)
	}
}

func or(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
