package change

import (
	"fmt"
	"maps"
	"regexp"
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
		fewer, more := difference(conditions(had.Rows, was, now), rows, j.told())
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

// renamed is a text about an entity before in the names that its fields have now.
func renamed(text string, was, now *contract.Entity) string {
	for _, f := range now.Fields {
		if f.Was != "" && field(was.Fields, f.Was) != nil && field(was.Fields, f.Name) == nil {
			text = regexp.MustCompile(`\b`+regexp.QuoteMeta(f.Was)+`\b`).ReplaceAllLiteralString(text, f.Name)
		}
	}
	return text
}

// conditions are those before in these names.
func conditions(rows map[string]string, was, now *contract.Entity) map[string]string {
	all := map[string]string{}
	for caller, condition := range rows {
		all[caller] = renamed(condition, was, now)
	}
	return all
}

// hasVerb reports whether an operation asks for the verb.
func hasVerb(e *contract.Entity, verb string) bool {
	return slices.ContainsFunc(e.Operations, func(o contract.Operation) bool { return o.Key == verb || o.Key == "action "+verb })
}

// told maps each caller of the present rules to the caller of the former ones with the
// same rights. A new role had no users: it is compared with a role that no rule names. A
// removed role is a finding of its own, as a value of the field.
func (j *judge) told() map[string]string {
	all := map[string]string{"anonymous": "anonymous", "read-key": "read-key", "write-key": "write-key", contract.Plain: contract.Plain}
	for _, role := range j.after.Roles {
		all[role] = role
		if !knew(j.before, role) {
			all[role] = contract.Plain
		}
	}
	return all
}

// knew reports whether the contract has rules for the role. A contract from before roles
// were listed has them in its rules.
func knew(c *contract.Contract, role string) bool {
	if len(c.Roles) > 0 {
		return slices.Contains(c.Roles, role)
	}
	return slices.ContainsFunc(c.Entities, func(e contract.Entity) bool {
		return slices.ContainsFunc(e.Rules, func(r contract.Rule) bool { return r.Rows[role] != "" })
	})
}

// difference lists the callers who may do it to fewer rows, and to more. Where
// both have a condition, and another one, that is fewer: some rows may be gone.
func difference(was, now, callers map[string]string) (fewer, more []string) {
	for _, caller := range slices.Sorted(maps.Keys(callers)) {
		had, has := was[callers[caller]], now[caller]
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
