package orders_test

import (
	"slices"
	"time"

	"github.com/anishathalye/porcupine"
)

// explained asks porcupine for an order of the steps that the state machine of
// an order of this price allows, and in which each lies between its call and
// its return. porcupine tries all orders, of which fifty requests at once have
// too many. All but a few are the same with other names: the model refuses
// those (see rules), which takes no history from it that it would accept.
//
// The search deepens iteratively: it first looks for an order without any of the
// steps that were never acknowledged, then for one with few of them.
// A kill leaves some forty of these, of which a handful happened, and a search
// that may try them all at once gets lost among their subsets.
func explained(price int64, steps []porcupine.Operation) porcupine.CheckResult {
	steps = telling(steps)
	s := search{events: make([]event, len(steps))}
	maybes := 0
	for i := range steps {
		in := steps[i].Input.(step)
		s.events[i] = event{step: in, call: steps[i].Call, end: steps[i].Return}
		steps[i].Input = i
		if in.maybe {
			maybes++
		}
	}
	s.classify()
	deadline := time.Now().Add(time.Minute)
	for {
		result := s.check(price, steps, time.Until(deadline))
		if result != porcupine.Illegal || s.budget >= maybes {
			return result
		}
		s.budget += 2 // a payment or a refund
	}
}

// check looks for an order within the budget.
func (s search) check(price int64, steps []porcupine.Operation, limit time.Duration) porcupine.CheckResult {
	return porcupine.CheckOperationsTimeout(porcupine.Model{
		Init: func() any {
			return standing{done: make([]bool, len(s.events)), accounts: []account{{state: "pending", total: price}}}
		},
		Step: func(state, n, _ any) (bool, any) { return s.step(state.(standing), n.(int)) },
		// It compares what is done itself, from which the number of maybes follows.
		Equal: func(a, b any) bool { return slices.Equal(a.(standing).accounts, b.(standing).accounts) },
	}, steps, max(limit, time.Nanosecond)) // 0 would be no limit
}

// standing is where a search stands: what it has put in order, and where the
// order may be by then.
type standing struct {
	done     []bool
	accounts []account
	// maybes is how many of the steps happened that no client was answered about.
	maybes int
}

// event is a step and the time in which it happened.
type event struct {
	step
	call, end int64
	// other is the other step of the same request, itself if there is one step.
	other int
	// class is the same for events that differ in time only.
	class int
}

// search is all that is to be put in order.
type search struct {
	events []event
	// budget is how many steps may have happened that no client was answered about.
	budget int
}

// classify groups events that differ in time only: steps of the same kind, whose
// requests had the same outcome.
func (s search) classify() {
	type key struct{ step, other step }
	classes := make(map[key]int)
	for i, e := range s.events {
		s.events[i].other = i
		for j, o := range s.events {
			if o.id == e.id && i != j {
				s.events[i].other = j
			}
		}
		k := key{e.step, s.events[s.events[i].other].step}
		k.step.id, k.other.id = 0, 0
		if classes[k] == 0 {
			classes[k] = len(classes) + 1
		}
		s.events[i].class = classes[k]
	}
}

// step puts event n next, if the order can be where it is possible and no rule says that
// another comes before it. An event that no client saw happens here or comes last.
func (s search) step(at standing, n int) (bool, any) {
	if !s.rules(at, n) {
		return false, nil
	}
	accounts, maybes := s.after(at.accounts, n), at.maybes
	if s.events[n].maybe {
		maybes++
		if s.told(at) {
			accounts, maybes = at.accounts, at.maybes // it never happened, and nothing else matters any more
		}
	}
	if len(accounts) == 0 || maybes > s.budget {
		return false, nil
	}
	done := slices.Clone(at.done)
	done[n] = true
	return true, standing{done, accounts, maybes}
}

// rules reports whether n has to be tried here. It need not
//
//   - if something can be put here that changes nothing: wherever that stands
//     in an order that explains everything, it can stand here as well;
//   - if one that differs only in time can be put here and has to be done
//     sooner: in every order in which that one comes later, the two can change
//     places.
func (s search) rules(at standing, n int) bool {
	first := int64(1<<63 - 1) // until then, whatever comes next has to happen
	for i, e := range s.events {
		if !at.done[i] {
			first = min(first, e.end)
		}
	}
	for i, e := range s.events {
		if at.done[i] || i == n || e.call > first {
			continue
		}
		if e.sees() {
			if (i < n || !s.events[n].sees()) && s.holds(at.accounts, i) {
				return false
			}
			continue
		}
		sooner := e.end < s.events[n].end || e.end == s.events[n].end && i < n
		if e.class == s.events[n].class && sooner && s.ready(at, i) {
			return false
		}
	}
	return true
}

// told reports whether all that a client was answered about is in order.
func (s search) told(at standing) bool {
	for i, e := range s.events {
		if !at.done[i] && !e.maybe {
			return false
		}
	}
	return true
}

// holds reports whether event n is true wherever the order may be.
func (s search) holds(accounts []account, n int) bool {
	for _, a := range accounts {
		if len(a.after(s.events[n].step)) == 0 {
			return false
		}
	}
	return true
}

// ready reports whether nothing has to come before event n but time.
func (s search) ready(at standing, n int) bool {
	kind := s.events[n].kind
	return kind != "decide" && kind != "repaid" || at.done[s.events[n].other]
}

// after lists where the order may be after event n, in one order.
func (s search) after(accounts []account, n int) (next []account) {
	for _, a := range accounts {
		for _, b := range a.after(s.events[n].step) {
			if !slices.Contains(next, b) {
				next = append(next, b)
			}
		}
	}
	slices.SortFunc(next, account.compare)
	return next
}

// telling leaves out what says no more than something else does: a reader that saw
// the same within the time of another explains that one too.
func telling(steps []porcupine.Operation) (kept []porcupine.Operation) {
	same := func(a, b porcupine.Operation) bool {
		x, y := a.Input.(step), b.Input.(step)
		x.id, y.id = 0, 0
		return x == y
	}
	for i, s := range steps {
		implied := false
		for j, o := range steps {
			within := o.Call >= s.Call && o.Return <= s.Return
			implied = implied || s.Input.(step).sees() && i != j && within && same(s, o)
		}
		if !implied {
			kept = append(kept, s)
		}
	}
	return kept
}
