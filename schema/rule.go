package schema

import (
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// The roles of users beside [viewer.Admin], which the kit names
// (doc/api/permissions.md). Those who sign up are members.
const (
	member          viewer.Role = "user"
	editor          viewer.Role = "editor"
	developer       viewer.Role = "developer"
	seniorDeveloper viewer.Role = "senior_developer"
	leadDeveloper   viewer.Role = "lead_developer"
	moderator       viewer.Role = "moderator"
)

// Rules that several entities share, by the names that policies read aloud.
var (
	// admin admits admins.
	admin = policy.Roles(viewer.Admin)
	// moderators admits those who may remove what others wrote.
	moderators = policy.Roles(viewer.Admin, moderator)
	// merchants admits those who keep the catalogue.
	merchants = policy.Any(admin, policy.Key(viewer.Write))
	// known admits authenticated callers: users, and API keys that may read.
	known = policy.Any(policy.SignedIn(), policy.Key(viewer.Read))
	// alive admits rows that are not deleted.
	alive = policy.Null("deleted_at")
)

// roles lists the roles as the values of an enum, the first that of those who sign up.
func roles() []string {
	var names []string
	for _, r := range []viewer.Role{member, viewer.Admin, editor, developer, seniorDeveloper, leadDeveloper, moderator} {
		names = append(names, string(r))
	}
	return names
}
