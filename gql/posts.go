package gql

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/gql/generated"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/publishing"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/gid"
	"github.com/entwine-go/entwine/kit/runtime/graph/door"
	"github.com/entwine-go/entwine/kit/runtime/graph/plan"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/viewer"
)

// posts plans posts(author_id:).
func posts(p *plan.Planner, f graphql.CollectedField) (plan.Read, error) {
	q := reading.Query{Page: reading.Page{Limit: reading.MaxLimit}}
	if author, ok := p.Arguments(f)["author_id"]; ok {
		id, err := gid.Unmarshal(entity.User.Name, author)
		if err != nil {
			return nil, problem.Inputs(problem.Invalidf("author_id", author, "%v", err))
		}
		q.Where = reading.Cond{Field: entity.PostFields.AuthorID, Op: reading.EQ, Value: id}
	}
	return p.Rows(entity.Post, q, f.Selections)
}

// PublishPost resolves publishPost(id:).
func (r *resolver) PublishPost(ctx context.Context, id string) (*generated.Post, error) {
	return actOnPost(ctx, id, policy.Publish, (&publishing.Publisher{DB: r.DB}).Publish)
}

// ArchivePost resolves archivePost(id:).
func (r *resolver) ArchivePost(ctx context.Context, id string) (*generated.Post, error) {
	return actOnPost(ctx, id, policy.Archive, (&publishing.Publisher{DB: r.DB}).Archive)
}

// actOnPost changes the state of a post. Who may do so to none is told that
// before anything is said of the id.
func actOnPost(ctx context.Context, id, verb string, act func(context.Context, int64) error) (*generated.Post, error) {
	if err := entity.Post.Rules.Check(viewer.From(ctx), verb); err != nil {
		return nil, err
	}
	key, err := door.Key(entity.Post, id)
	if err != nil {
		return nil, err
	}
	if err := act(ctx, key); err != nil {
		return nil, err
	}
	return postWith(key), nil
}

// postWith is the post with the id. What is selected of it is read afterwards.
func postWith(id int64) *generated.Post {
	return &generated.Post{ID: gid.Encode(entity.Post.Name, id)}
}
