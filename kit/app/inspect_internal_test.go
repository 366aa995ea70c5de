package app

import (
	"testing"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A process serves every tenant, so that an admin of one tenant may not look into it.
func TestWhoInspectsAProcess(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		who  *viewer.Viewer
		want problem.Kind
	}{
		"anonymous":             {viewer.Anonymous(), problem.Unauthenticated},
		"a user":                {&viewer.Viewer{UserID: 7, Role: "user"}, problem.Forbidden},
		"an admin":              {&viewer.Viewer{UserID: 7, Role: viewer.Admin}, -1},
		"an admin of a tenant":  {&viewer.Viewer{UserID: 7, Role: viewer.Admin, Tenant: 3}, problem.Forbidden},
		"a key that may do all": {&viewer.Viewer{KeyID: 7, Permissions: []viewer.Permission{viewer.Read, viewer.Write}}, problem.Forbidden},
	} {
		err := inspects(c.who)
		if (err == nil) != (c.want < 0) || err != nil && problem.KindOf(err) != c.want {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
}
