package change

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// rules compares who may do what to an entity: the permission matrix.
func (j *judge) rules(was, now *contract.Entity, r reach) {
	for _, had := range was.Rules {
		i := slices.IndexFunc(now.Rules, func(o contract.Rule) bool { return o.Verb == had.Verb })
		var rows map[string]string
		switch {
		case i >= 0:
			rows = now.Rules[i].Rows
		case !hasVerb(now, had.Verb): // the operation went with its rule
			continue
		}
		fewer, more := difference(had.Rows, rows)
		if len(fewer)+len(more) == 0 {
			continue
		}
		felt := r
		if had.Verb != "read" {
			felt.cursors, felt.events = false, false
		}
		says := []string{}
		if len(fewer) > 0 {
			says = append(says, "not any longer, or not all rows: "+strings.Join(fewer, ", "))
		}
		if len(more) > 0 {
			says = append(says, "now, or more rows: "+strings.Join(more, ", "))
		}
		says = append(says, tenancy(was, now)...)
		sets := []set(nil)
		if len(fewer) == 0 {
			sets = append(sets, some(permissions))
		}
		j.add(39, now.Name+" "+had.Verb, strings.Join(says, "; "), felt, sets...)
	}
}

// hasVerb reports whether an operation asks for the verb.
func hasVerb(e *contract.Entity, verb string) bool {
	return slices.ContainsFunc(e.Operations, func(o contract.Operation) bool { return o.Key == verb || o.Key == "action "+verb })
}

// difference lists the callers who may do it to fewer rows, and to more. Where
// both have a condition, and another one, that is fewer: some rows may be gone.
func difference(was, now map[string]string) (fewer, more []string) {
	callers := slices.Sorted(maps.Keys(was))
	for caller := range now {
		if _, had := was[caller]; !had {
			callers = append(callers, caller)
		}
	}
	slices.Sort(callers)
	for _, caller := range callers {
		had, has := was[caller], now[caller]
		switch {
		case had == has:
		case had == "" || has == contract.All || wider(had, has):
			more = append(more, row(caller, has))
		default:
			fewer = append(fewer, row(caller, has))
		}
	}
	return fewer, more
}

// wider reports whether the rule admits what the other did, and more: it is one
// more alternative.
func wider(had, has string) bool {
	inner, ok := strings.CutPrefix(has, "any(")
	if !ok {
		return false
	}
	inner = strings.TrimSuffix(inner, ")")
	old := strings.TrimSuffix(strings.TrimPrefix(had, "any("), ")")
	return strings.HasPrefix(inner, old+", ") || strings.HasSuffix(inner, ", "+old)
}

func row(caller, rows string) string {
	if rows == "" {
		return caller
	}
	return fmt.Sprintf("%s (%s)", caller, rows)
}
