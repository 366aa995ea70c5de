package params

import (
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/read"
)

// tree has the names to expand or to show, in the order of the request.
type tree struct {
	names []string
	below map[string]*tree
	leaf  bool // a path ends here
}

// expandTree reads "author,comments.author".
func expandTree(text string) *tree {
	root := &tree{below: map[string]*tree{}}
	for path := range strings.SplitSeq(text, ",") {
		at := root
		for name := range strings.SplitSeq(path, ".") {
			next, ok := at.below[name]
			if !ok {
				next = &tree{below: map[string]*tree{}}
				at.below[name] = next
				at.names = append(at.names, name)
			}
			at = next
		}
		at.leaf = true
	}
	return root
}

// tree reads a list of names, each of which it has once: a version takes some by
// two names (createdAt and created_at), and an answer has a member once.
func (p *parser) tree(text string) *tree {
	return expandTree(text).once(p.entity, p.opt.Names)
}

// once joins the names that mean the same member of the entity.
func (t *tree) once(e *entity.Entity, in *read.Names) *tree {
	joined := &tree{below: make(map[string]*tree, len(t.names)), leaf: t.leaf}
	for _, name := range t.names {
		joined.join(canonical(in, e, name), t.below[name])
	}
	for _, name := range joined.names {
		if g := findEdge(in, e, name); g != nil {
			joined.below[name] = joined.below[name].once(g.To, in)
		}
	}
	return joined
}

// join adds what is below a name.
func (t *tree) join(name string, below *tree) {
	at, ok := t.below[name]
	if !ok {
		t.names = append(t.names, name)
		t.below[name] = below
		return
	}
	at.leaf = at.leaf || below.leaf
	for _, inner := range below.names {
		at.join(inner, below.below[inner])
	}
}

// canonical is the version's name of a member for which it may have two names. An
// old name is a member of its own, and what means none stays.
func canonical(n *read.Names, e *entity.Entity, name string) string {
	if f := find(n, e, name); f != nil {
		if was(f.Old, n, name) {
			return name
		}
		return n.NameOf(f)
	}
	if c := findCalc(n, e, name); c != nil {
		return n.NameOf(c.Field)
	}
	if g := findEdge(n, e, name); g != nil && !was(g.Old, n, name) {
		return n.NameOfEdge(g)
	}
	return name
}
