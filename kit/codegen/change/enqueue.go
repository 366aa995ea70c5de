package change

import (
	"slices"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// enqueued compares the jobs that a topic's events make (expose.Topic.Job). The
// arguments of one are the row's id and the columns of the payload, by their own
// names: a payload that changes is a change of arguments, of jobs that either
// version may do. had is the topic as it was, with the names of then.
func (j *judge) enqueued(what string, had, has contract.Topic) {
	for _, kind := range had.Jobs {
		now := j.kindNow(kind)
		if !slices.Contains(has.Jobs, now) {
			j.add(46, what, "its events make no jobs of the kind "+kind+" any longer", reach{}, queued)
			continue
		}
		for _, column := range had.Payload {
			if slices.Contains(has.Payload, column) {
				continue
			}
			if found := j.argumentGoes(kind, now, column); found != Safe {
				j.add(45, now+" "+column, "jobs of "+what+" do not have it any longer", reach{}, func(e *Effects) { e.Jobs = found })
			}
		}
	}
	for _, kind := range has.Jobs {
		if !slices.ContainsFunc(had.Jobs, func(was string) bool { return j.kindNow(was) == kind }) {
			j.add(added, what, "its events make jobs of the kind "+kind, reach{})
		}
	}
}

// queued is of jobs that wait, or that the other version makes.
func queued(e *Effects) { e.Jobs = Breaks }

// kindNow is the new name of a former kind of job.
func (j *judge) kindNow(kind string) string {
	for _, job := range j.after.Jobs {
		if slices.Contains(job.Was, kind) {
			return job.Kind
		}
	}
	return kind
}

// argumentGoes is the effect of a removed argument on jobs: on those that the
// version before works on, and on those of now. Which arguments a kind has is
// known where its type is declared.
func (j *judge) argumentGoes(was, now, name string) Effect {
	worst := Safe
	for _, version := range []struct {
		all  []contract.Job
		kind string
	}{{j.before.Jobs, was}, {j.after.Jobs, now}} {
		i := slices.IndexFunc(version.all, func(o contract.Job) bool { return o.Kind == version.kind })
		if i < 0 {
			return Depends
		}
		for _, a := range version.all[i].Args {
			switch {
			case a.Name != name:
			case a.Optional:
				worst = max(worst, Depends)
			default:
				worst = Breaks
			}
		}
	}
	return worst
}
