package change

import (
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// jobs compares the kinds of jobs and their arguments: what the old version
// queued, the new one has to read.
func (j *judge) jobs() {
	felt := reach{}
	queued := func(e *Effects) { e.Jobs = Breaks }
	for _, had := range j.before.Jobs {
		i := slices.IndexFunc(j.after.Jobs, func(o contract.Job) bool { return o.Kind == had.Kind })
		if i >= 0 {
			j.arguments(had, j.after.Jobs[i])
			continue
		}
		n := slices.IndexFunc(j.after.Jobs, func(o contract.Job) bool { return o.Type == had.Type })
		if n >= 0 {
			j.add(46, had.Kind, "the kind is called "+j.after.Jobs[n].Kind, felt, queued)
			j.arguments(had, j.after.Jobs[n])
			continue
		}
		j.add(46, had.Kind, "no type of arguments is of the kind any longer", felt, queued)
	}
	for _, has := range j.after.Jobs {
		if !slices.ContainsFunc(j.before.Jobs, func(o contract.Job) bool { return o.Kind == has.Kind || o.Type == has.Type }) {
			j.add(added, has.Kind, "a new kind of job", felt)
		}
	}
}

func (j *judge) arguments(was, now contract.Job) {
	queued := func(e *Effects) { e.Jobs = Breaks }
	for _, had := range was.Args {
		i := slices.IndexFunc(now.Args, func(a contract.Argument) bool { return a.Name == had.Name })
		switch {
		case i < 0:
			j.add(45, now.Kind+" "+had.Name, "it is no argument any longer", reach{}, queued)
		case now.Args[i].Type != had.Type:
			j.add(45, now.Kind+" "+had.Name, fmt.Sprintf("it is %s, and was %s", now.Args[i].Type, had.Type), reach{}, queued)
		case had.Optional && !now.Args[i].Optional:
			j.add(45, now.Kind+" "+had.Name, "it is required", reach{}, queued)
		}
	}
	for _, has := range now.Args {
		switch {
		case slices.ContainsFunc(was.Args, func(a contract.Argument) bool { return a.Name == has.Name }):
		case has.Optional:
			j.add(added, now.Kind+" "+has.Name, "a new argument that may be absent", reach{})
		default:
			j.add(45, now.Kind+" "+has.Name, "a new argument that queued jobs have not: omitempty, and a handler that does without, make it optional", reach{}, queued)
		}
	}
}
