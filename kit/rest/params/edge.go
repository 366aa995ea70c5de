package params

import (
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
)

// filters reports whether REST's listings can be filtered by which rows the edge
// leads to.
func filters(g *entity.Edge) bool { return g.Filter && g.Many }

// filterEdges reads labels=1,2: rows that the edge leads from to any of these,
// which are named by what stands for their ids in paths. A row that the viewer
// can't read counts as absent.
func (p *parser) filterEdges() {
	for _, g := range p.entity.Edges {
		if !filters(g) {
			continue
		}
		end := g.To.ID()
		if g.To.Key != nil {
			end = g.To.Key
		}
		n := len(p.where)
		if p.filterIn(g.Name, end); len(p.where) > n {
			p.where[n] = read.Has{Edge: g, Filter: p.where[n]}
		}
	}
}
