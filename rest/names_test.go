package rest_test

import (
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/viewer"
)

func roleOf(r viewer.Role) user.Role { return user.Role(r) }

func userID(v *viewer.Viewer) typedid.UserID { return typedid.UserID(v.UserID) }
