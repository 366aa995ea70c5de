package expose

import "slices"

// Move takes a row from one of its states to another. Schemas make moves of
// [On].
type Move struct {
	// Verb is the action that does it, or what happens, where System is set.
	Verb string `json:"verb"`
	// Froms are the states before it, Tos those after it: several where it
	// depends.
	Froms []string `json:"from"`
	Tos   []string `json:"to"`
	// System is set for moves that no client asks for.
	System bool `json:"system,omitempty"`
}

// States declares how an enum field goes from one of its values to the next. Other
// moves are refused. Actions by the verbs of moves are possible in the states from
// which they lead, a refusal names the state and what is possible, and documents
// draw the moves:
//
//	field.Enum("status").Values("pending", "processing", "paid", "cancelled").Default("pending").
//		Annotations(expose.Computed(), expose.Busy("processing"), expose.States(
//			expose.On("pay").From("pending").To("processing", "paid"),
//			expose.On("capture").From("processing").To("paid").BySystem(),
//			expose.On("cancel").From("pending").To("cancelled")))
func States(moves ...Move) Field { return Field{Moves: moves} }

// Busy names the states of a field with [States] in which something is being done: an
// action that is refused in one of them is answered with Retry-After.
func Busy(states ...string) Field { return Field{BusyIn: states} }

// On begins a move by the verb.
func On(verb string) Move { return Move{Verb: verb} }

// From names the states before the move.
func (m Move) From(states ...string) Move {
	m.Froms = states
	return m
}

// To names the states after it, one of which the row gets.
func (m Move) To(states ...string) Move {
	m.Tos = states
	return m
}

// BySystem says that no client asks for the move: it follows from something else.
func (m Move) BySystem() Move {
	m.System = true
	return m
}

// Before lists the states from which the verb leads, nil where it leads nowhere.
func Before(moves []Move, verb string) (states []string) {
	for _, m := range moves {
		if m.Verb == verb {
			states = append(states, m.Froms...)
		}
	}
	return states
}

// After lists the states to which the verb leads.
func After(moves []Move, verb string) (states []string) {
	for _, m := range moves {
		for _, state := range m.Tos {
			if m.Verb == verb && !slices.Contains(states, state) {
				states = append(states, state)
			}
		}
	}
	return states
}
