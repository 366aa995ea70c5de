package change

import (
	"fmt"
	"slices"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// hand compares the operations by hand, and the types that they are about.
func (j *judge) hand() {
	for i := range j.before.Operations {
		had := &j.before.Operations[i]
		r := reach{rest: had.Method != "", graphql: had.Method == ""}
		n := slices.IndexFunc(j.after.Operations, func(o contract.Operation) bool { return o.Key == had.Key })
		if n < 0 {
			j.add(40, had.Key, "the operation goes", r)
			continue
		}
		j.inputs(had.Key, had.Input, j.after.Operations[n].Input, r)
		j.answers(had.Key, had.Answer, j.after.Operations[n].Answer, r)
	}
	for _, has := range j.after.Operations {
		if !slices.ContainsFunc(j.before.Operations, func(o contract.Operation) bool { return o.Key == has.Key }) {
			j.add(added, has.Key, "a new operation", reach{rest: true, graphql: true})
		}
	}
	for _, had := range j.before.Shapes {
		n := slices.IndexFunc(j.after.Shapes, func(s contract.Shape) bool { return s.API == had.API && s.Name == had.Name })
		if n >= 0 {
			j.members(had, j.after.Shapes[n])
		} // else an operation reports it: the type has another name
	}
}

// members compares a type of the documents by hand.
func (j *judge) members(was, now contract.Shape) {
	r := reach{rest: was.API == "REST", graphql: was.API == "GraphQL"}
	what := was.API + " " + was.Name
	j.values(what, was.Values, now.Values, nil, r)
	for _, had := range was.Members {
		i := slices.IndexFunc(now.Members, func(m contract.ShapeMember) bool { return m.Name == had.Name })
		of := what + "." + had.Name
		switch {
		case i < 0 && was.Input:
			j.add(49, of, "it is no input any longer", r)
		case i < 0:
			j.add(10, of, "it goes", r)
		case was.Input && !had.Required && now.Members[i].Required:
			j.add(49, of, "it has to be named", r)
		case !was.Input && had.Required && !now.Members[i].Required:
			j.add(17, of, "it may be absent", r)
		case base(now.Members[i].Type) != base(had.Type):
			j.add(14, of, fmt.Sprintf("it is %s, and was %s", now.Members[i].Type, had.Type), r).Way = anotherName
		default:
			j.values(of, had.Values, now.Members[i].Values, nil, r)
		}
	}
	for _, has := range now.Members {
		switch {
		case slices.ContainsFunc(was.Members, func(m contract.ShapeMember) bool { return m.Name == has.Name }):
		case was.Input && has.Required:
			j.add(49, what+"."+has.Name, "a new input that has to be named", r)
		default:
			j.add(added, what+"."+has.Name, "it is new", r)
		}
	}
}

// base is a type whatever says that it is required.
func base(name string) string {
	for len(name) > 0 && name[len(name)-1] == '!' {
		name = name[:len(name)-1]
	}
	return name
}
