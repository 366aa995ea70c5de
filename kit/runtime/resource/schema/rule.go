package schema

import (
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
)

// Rule says what is wrong with a decoded body beyond what its schema says. The
// operation checks the same itself; a body that does not get as far as that is
// checked here, so that all that is wrong is told at once.
type Rule func(body any) []problem.Detail

// Rules are the rules of operations, by operationId.
type Rules map[string]Rule

func (r Rules) broken(id string, body any) []problem.Detail {
	if rule := r[id]; rule != nil {
		return rule(body)
	}
	return nil
}

// Before is the rule that the time in one member of a body is before that in
// another. JSON Schema compares no members.
func Before(from, to string) Rule {
	return func(body any) []problem.Detail {
		members, _ := body.(map[string]any)
		first, isText := members[from].(string)
		last, isTextToo := members[to].(string)
		if !isText || !isTextToo {
			return nil
		}
		begin, err := reading.ParseMoment(first)
		if err != nil {
			return nil
		}
		end, err := reading.ParseEnd(last)
		if err != nil || begin.Before(end) {
			return nil
		}
		return []problem.Detail{problem.Rulef(from, first, "must be before %s", to)}
	}
}
