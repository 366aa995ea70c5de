package read

import (
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// readable says which rows v can read by way of the edge. An edge that lifts the
// policy of its required end lifts soft deletion too: a post keeps its author.
func readable(g *entity.Edge, v *viewer.Viewer, deleted bool) policy.Rule {
	rules := g.To.Rules
	if g.Through {
		rules.Read = policy.Anyone()
	}
	switch {
	case g.Through && g.Required:
		return rules.Readable(v, true)
	case deleted:
		return rules.Shown(v)
	}
	return rules.Readable(v, false)
}
