package change

import (
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// jobs compares the kinds of jobs and their arguments: the new version has to read
// the jobs that the old one queued.
func (j *judge) jobs() {
	felt := reach{}
	for _, had := range j.before.Jobs {
		i := slices.IndexFunc(j.after.Jobs, func(o contract.Job) bool { return o.Kind == had.Kind })
		if i >= 0 {
			j.arguments(had, j.after.Jobs[i])
			continue
		}
		if n := slices.IndexFunc(j.after.Jobs, func(o contract.Job) bool { return slices.Contains(o.Was, had.Kind) }); n >= 0 {
			j.add(46, had.Kind, "the kind is called "+j.after.Jobs[n].Kind+", which does the jobs that are queued", felt, none(jobs))
			j.arguments(had, j.after.Jobs[n])
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
		if !slices.ContainsFunc(j.before.Jobs, func(o contract.Job) bool {
			return o.Kind == has.Kind || o.Type == has.Type || slices.Contains(has.Was, o.Kind)
		}) {
			j.add(added, has.Kind, "a new kind of job", felt)
		}
	}
}

func (j *judge) arguments(was, now contract.Job) {
	for _, had := range was.Args {
		i := slices.IndexFunc(now.Args, func(a contract.Argument) bool { return a.Name == had.Name })
		if n := slices.IndexFunc(now.Args, func(a contract.Argument) bool { return a.Was == had.Name }); i < 0 && n >= 0 && now.Args[n].Type == had.Type {
			j.add(45, now.Kind+" "+now.Args[n].Name, "it was "+had.Name+", by which it is read, too", reach{}, none(jobs))
			continue
		}
		called := renamedTo(had, was.Args, now.Args)
		switch {
		case i < 0 && called != "":
			j.add(45, now.Kind+" "+called, "it was "+had.Name+", which queued jobs call it", reach{}, queued)
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
		case hasArgument(was.Args, has.Name), has.Was != "" && hasArgument(was.Args, has.Was), slices.ContainsFunc(was.Args, func(a contract.Argument) bool { return renamedTo(a, was.Args, now.Args) == has.Name }):
		case has.Optional:
			j.add(added, now.Kind+" "+has.Name, "a new argument that may be absent", reach{})
		default:
			j.add(45, now.Kind+" "+has.Name, "a new argument that queued jobs have not: omitempty, and a handler that does without, make it optional", reach{}, queued)
		}
	}
}

func hasArgument(all []contract.Argument, name string) bool {
	return slices.ContainsFunc(all, func(a contract.Argument) bool { return a.Name == name })
}

// renamedTo is the name that an argument has now, empty where it stays or goes:
// the only new one of its type, where it is the only one of that which goes.
func renamedTo(a contract.Argument, was, now []contract.Argument) (name string) {
	others := func(all, but []contract.Argument) (names []string) {
		for _, o := range all {
			if o.Type == a.Type && !hasArgument(but, o.Name) {
				names = append(names, o.Name)
			}
		}
		return names
	}
	gone, come := others(was, now), others(now, was)
	if len(gone) == 1 && gone[0] == a.Name && len(come) == 1 {
		return come[0]
	}
	return ""
}
