package rest_test

import (
	"context"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/kit/viewer"
)

func roleOf(r viewer.Role) user.Role { return user.Role(r) }

func userID(v *viewer.Viewer) typedid.UserID { return typedid.UserID(v.UserID) }

type ctxt = context.Context

func viewerContext(w *world, v *viewer.Viewer) ctxt { return viewer.With(w.t.Context(), v) }
