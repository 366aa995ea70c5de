package schema

import (
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Rules that several entities share, by the names that policies read aloud.
var (
	// admin admits admins.
	admin = policy.Roles(viewer.Admin)
	// moderators admits those who may remove what others wrote.
	moderators = policy.Roles(viewer.Admin, viewer.Moderator)
	// merchants admits those who keep the catalogue.
	merchants = policy.Any(admin, policy.Key(viewer.Write))
	// known admits authenticated callers: users, and API keys that may read.
	known = policy.Any(policy.SignedIn(), policy.Key(viewer.Read))
	// alive admits rows that are not deleted.
	alive = policy.Null("deleted_at")
)

// roles lists the roles as the values of an enum.
func roles() []string {
	var names []string
	for _, r := range viewer.Roles() {
		names = append(names, string(r))
	}
	return names
}
