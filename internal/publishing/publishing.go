// Package publishing moves posts between the states in which others see them:
//
//	draft     -Publish-> published   who reads posts reads it
//	published -Archive-> archived    its author, editors and admins read it
//	draft     -Archive-> archived
//	archived  -Publish-> published   again, with the time at which it first was
//
// A [Publisher] leans on Ent's policies for who may, and on the database for
// what follows: the category's count, and the event that tells subscribers of
// a post that becomes visible. A change from a state that does not allow it is
// of kind Conflict; a post that the viewer cannot read is [problem.NotFound],
// one that they may not change Forbidden.
package publishing

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/post"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

// Publisher publishes and archives posts.
type Publisher struct{ DB *store.DB }

// why says why a change touched no row: the viewer may not, or else the state
// of the post does not allow it.
func (p *Publisher) why(ctx context.Context, id int64, verb, conflict string) error {
	reader := &reading.Reader{DB: p.DB, Dialect: p.DB.Dialect}
	may, err := reader.May(ctx, entity.Post, reading.ByID(entity.Post, id), verb)
	if err != nil {
		return fmt.Errorf("%s post %d: %w", verb, id, err)
	}
	if may {
		return problem.New(problem.Conflict, "%s", conflict)
	}
	return reader.Why(ctx, entity.Post, id, verb)
}

// change is a change of the post with the id, not made yet.
func (p *Publisher) change(id int64) *ent.PostUpdate {
	return orm.Client(p.DB).Post.Update().Where(post.ID(typedid.PostID(id))).AddVersion(1)
}
