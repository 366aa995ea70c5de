package viewer_test

import (
	"testing"

	"github.com/entwine-go/entwine/kit/viewer"
)

// Viewers have the same rights where no rule can tell them apart.
func TestRights(t *testing.T) {
	t.Parallel()
	ada := &viewer.Viewer{UserID: 1, Role: "user", SessionID: "a phone"}
	for name, c := range map[string]struct {
		other *viewer.Viewer
		same  bool
	}{
		"another sign-in": {&viewer.Viewer{UserID: 1, Role: "user", SessionID: "a desk"}, true},
		"another user":    {&viewer.Viewer{UserID: 2, Role: "user", SessionID: "a phone"}, false},
		"another role":    {&viewer.Viewer{UserID: 1, Role: "editor", SessionID: "a phone"}, false},
		"another tenant":  {&viewer.Viewer{UserID: 1, Role: "user", SessionID: "a phone", Tenant: 3}, false},
		"a key":           {&viewer.Viewer{KeyID: 1, Client: "a program"}, false},
		"nobody":          {viewer.Anonymous(), false},
		"an admin's eyes": {&viewer.Viewer{UserID: 1, Role: "user", SessionID: "a phone", Actor: 2}, false},
		"the system":      {viewer.System(), false},
	} {
		if same := ada.Rights() == c.other.Rights(); same != c.same {
			t.Errorf("%s shares: %v, want %v", name, same, c.same)
		}
	}
}
