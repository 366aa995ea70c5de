package conformance_test

import (
	"encoding/json"
	"testing"

	"github.com/entwine-go/entwine/kit/entity"
)

// decode reads a JSON list of objects.
func decode(t *testing.T, text []byte) []map[string]any {
	t.Helper()
	var items []map[string]any
	if err := json.Unmarshal(text, &items); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return items
}

func ids(items []map[string]any) []int {
	var all []int
	for _, item := range items {
		all = append(all, int(item["id"].(float64)))
	}
	return all
}

func count(all []int, one int) (n int) {
	for _, i := range all {
		if i == one {
			n++
		}
	}
	return n
}

func firstDouble(all []int) int {
	seen := map[int]bool{}
	for _, i := range all {
		if seen[i] {
			return i
		}
		seen[i] = true
	}
	return 0
}

func describe(terms []entity.Term) string {
	text := ""
	for _, t := range terms {
		sign := "+"
		if t.Desc {
			sign = "-"
		}
		text += sign + t.Field.Name + " "
	}
	return text
}
