package gql

import (
	"github.com/99designs/gqlgen/graphql"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/social"
	"github.com/entwine-go/entwine/kit/graph/plan"
	"github.com/entwine-go/entwine/kit/policy"
)

// feed plans feed. It is by hand: it merges posts of several users by time
// (social.Feed), which no filter that a schema declares can do.
func feed(p *plan.Planner, f graphql.CollectedField) (plan.Read, error) {
	if rule := policy.SignedIn(); rule.For(p.Viewer).Never() {
		return nil, policy.Denied(p.Viewer)
	}
	q, err := p.Page(entity.Post, p.Arguments(f), entity.Post.Limit)
	if err != nil {
		return nil, err
	}
	timeline := social.Feed(p.Viewer.UserID)
	q.Where, q.Sort = timeline, timeline.Order()
	return p.Connection(entity.Post, q, f.Selections)
}
