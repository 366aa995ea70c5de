package gql

import (
	"context"
	"math"
	"strconv"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/category"
	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
	"github.com/entwine-go/entwine/kit/viewer"
)

// CreatePost resolves createPost(input:, idempotencyKey:), whose category goes by its name or its id.
// The name is looked up in the transaction of the call: a repetition does not ask
// what it means by then.
func (r *resolver) CreatePost(ctx context.Context, in generated.CreatePostInput, key *string) (*generated.Post, error) {
	call := door.Call{Entity: entity.Post, Verb: policy.Create, Mutation: "createPost", Key: key, Arguments: []any{in}}
	id, err := r.Once(ctx, call, func(ctx context.Context) (id int64, err error) {
		in := in // it may run again
		err = r.inCategory(ctx, policy.Create, in.Category, &in.CategoryID, func() error {
			made, err := r.Mutations.CreatePost(ctx, in, nil)
			if err != nil {
				return err
			}
			id, err = gid.Parse(entity.Post.Name, made.ID)
			return err
		})
		return id, err
	})
	if err != nil {
		return nil, err
	}
	return &generated.Post{ID: gid.Encode(entity.Post.Name, id)}, nil
}

// UpdatePost resolves updatePost(id:, input:, expectedVersion:), as CreatePost.
func (r *resolver) UpdatePost(ctx context.Context, id string, in generated.UpdatePostInput, expectedVersion *int) (p *generated.Post, err error) {
	err = r.inCategory(ctx, policy.Update, in.Category, &in.CategoryID, func() error {
		p, err = r.Mutations.UpdatePost(ctx, id, in, expectedVersion)
		return err
	})
	return p, err
}

// absentID is an id that no row has: what is wrong with it is said with all
// else that is wrong.
var absentID = strconv.Itoa(math.MaxInt64)

// inCategory writes with the id of the category that is named, if one is.
func (r *resolver) inCategory(ctx context.Context, verb string, by graphql.Omittable[*string], id *graphql.Omittable[*string], write func() error) error {
	if err := entity.Post.Rules.Check(viewer.From(ctx), verb); err != nil {
		return err
	}
	name, named := by.ValueOK()
	if !named {
		return write()
	}
	given := id.Value()
	switch {
	case verb == policy.Create && name == nil: // null counts as absent there
		return write()
	case id.IsSet() && (given != nil || name != nil) && (given != nil || verb != policy.Create):
		return problem.Inputs(problem.Invalidf("input.category", name, "cannot be combined with categoryId"))
	}
	if name == nil {
		*id = graphql.OmittableOf[*string](nil)
		return write()
	}
	key, err := r.categoryID(ctx, *name)
	if err != nil {
		return err
	}
	*id = graphql.OmittableOf(&key)
	return problem.Retold(write(), func(d problem.Detail) problem.Detail {
		if d.Field == "input.categoryId" {
			d.Field, d.Value = "input.category", *name
		}
		return d
	})
}

// categoryID is the id of the category with the name, [absentID] where
// there is none. What can't be the name of one is not looked for: PostgreSQL
// takes no NUL.
func (r *resolver) categoryID(ctx context.Context, name string) (string, error) {
	if category.NameValidator(name) == nil {
		found, err := r.Mutations.Client.Category.Query().Where(category.Name(name)).OnlyID(ctx)
		if err == nil {
			return strconv.FormatInt(int64(found), 10), nil
		}
		if !ent.IsNotFound(err) {
			return "", err
		}
	}
	return absentID, nil
}
