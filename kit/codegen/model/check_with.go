package model

import (
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
)

// with checks that the policy knows with which rows those of the entity are deleted,
// where a job deletes them: readers would see them until it has.
func (c rulesChecker) with(m *Model, said policy.With) {
	want := policy.With{}
	for _, e := range m.Entities {
		for _, edge := range e.Edges {
			if edge.Deleted && edge.Type.Type == c.own && edge.FarKey() != nil {
				want = policy.With{
					Column: edge.FarKey().StorageKey(), Table: e.Type.Table(),
					Keyed: IDsOf(e.Type.ID) != gid.Numbers || IDsOf(c.own.ID) != gid.Numbers,
				}
			}
		}
	}
	jobs := c.tables["jobs"] != nil
	switch {
	case said == (policy.With{}) && want != said && jobs:
		c.wrong("policy.Rules: rows are deleted with those of %q (expose.DeletedWith), and readers would see them until a job has: say With: policy.With{Column: %q, Table: %q%s}",
			want.Table, want.Column, want.Table, map[bool]string{true: ", Keyed: true"}[want.Keyed])
	case said != (policy.With{}) && !jobs:
		c.wrong("policy.Rules: With: there is no table of jobs, so that rows are deleted at once: leave it out, or embed tables.Job")
	case said != want && want == (policy.With{}):
		c.wrong("policy.Rules: With: no edge to the entity is expose.DeletedWith: leave it out")
	case said != want && jobs:
		c.wrong("policy.Rules: With: Column %q, Table %q and Keyed: %t are allowed: the edge is expose.DeletedWith", want.Column, want.Table, want.Keyed)
	}
}
