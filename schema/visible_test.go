package schema_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/entity"
)

// hidden names the fields that some caller does not see, by entity and
// caller; who is not named sees all.
var hidden = map[string]map[string]string{
	"User": {
		"anonymous": "email role age is_active salary followers_count following_count created_at updated_at version deleted_at",
		"owner":     "salary",
		"other":     "salary",
		"moderator": "salary",
		"editor":    "salary",
		"developer": "salary",
		"reader":    "salary",
		"writer":    "salary",
	},
}

func TestFieldsAreHidden(t *testing.T) {
	for _, e := range entity.All {
		for _, v := range viewers {
			want := strings.Fields(hidden[e.Name][v.name])
			for _, f := range e.Fields {
				if visible := f.Visible(v.viewer); visible == slices.Contains(want, f.Name) {
					t.Errorf("%s.%s for %s: visible is %v", e.Name, f.Name, v.name, visible)
				}
			}
		}
	}
}
