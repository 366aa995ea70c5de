package gql

import (
	"context"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/profile"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/viewer"
)

// SetProfile resolves setProfile(userId:, input:, expectedVersion:). A profile
// that is made and then refused was never there.
func (r *resolver) SetProfile(ctx context.Context, userID string, input generated.UpdateProfileInput, expectedVersion *int) (p *generated.Profile, err error) {
	if err := entity.Profile.Rules.Check(viewer.From(ctx), policy.Update); err != nil {
		return nil, err
	}
	id, err := gid.Parse(entity.User.Name, userID)
	if err != nil {
		return nil, problem.Inputs(problem.Invalidf("userId", userID, "%v", err))
	}
	err = r.DB.InTx(ctx, func(ctx context.Context) error {
		there, err := r.Reader.Readable(ctx, entity.User, id)
		if err != nil {
			return err
		}
		if !there {
			return reading.NotFound(entity.User)
		}
		key, err := r.profileOf(ctx, typedid.UserID(id))
		if err != nil {
			return err
		}
		p, err = r.UpdateProfile(ctx, gid.Encode(entity.Profile.Name, int64(key)), input, expectedVersion)
		return err
	})
	return p, err
}

// profileOf is the id of the user's profile, which is made where there is none.
func (r *resolver) profileOf(ctx context.Context, id typedid.UserID) (typedid.ProfileID, error) {
	find := r.Mutations.Client.Profile.Query().Where(profile.UserID(id))
	key, err := find.Clone().OnlyID(ctx)
	if !ent.IsNotFound(err) {
		return key, err
	}
	err = r.DB.InTx(ctx, func(ctx context.Context) error { // a savepoint: the row may be another request's by now
		made, err := r.Mutations.Client.Profile.Create().SetUserID(id).Save(ctx)
		if err == nil {
			key = made.ID
		}
		return err
	})
	if ent.IsConstraintError(err) {
		key, err = find.OnlyID(ctx)
	}
	if err != nil {
		return 0, door.Failed(entity.Profile, err)
	}
	return key, nil
}
