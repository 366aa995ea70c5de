package policy

import (
	"fmt"
	"strings"
)

// String writes the rule as a schema says it: "any(owner(author_id),
// roles(admin))". Two rules with the same text admit the same.
func (r Rule) String() string {
	switch r.op {
	case opRoles:
		var names []string
		for _, role := range r.roles {
			names = append(names, string(role))
		}
		return call("roles", names...)
	case opKey:
		return call("key", string(r.perm))
	case opOwner:
		return call("owner", r.column)
	case opKeyOwner:
		return call("key_owner", r.column)
	case opTenant:
		return call("tenant", r.column)
	case opIs:
		return fmt.Sprintf("%s = %v", r.column, r.value)
	case opIn:
		var values []string
		for _, value := range r.values {
			values = append(values, fmt.Sprint(value))
		}
		return r.column + " in (" + strings.Join(values, ", ") + ")"
	case opNull:
		return r.column + " is null"
	case opLess:
		return r.column + " < " + r.foreign
	case opRelated:
		return fmt.Sprintf("%s of %s.%s(%s)", r.column, r.table, r.foreign, r.rules[0])
	}
	var inner []string
	for _, rule := range r.rules {
		if rule.op != opStays && rule.op != opKept { // rows that are being deleted count as deleted
			inner = append(inner, rule.String())
		}
	}
	switch {
	case len(inner) == 0:
		return words[r.op]
	case len(inner) == 1 && len(r.rules) > 1:
		return inner[0]
	}
	return call(words[r.op], inner...)
}

func call(word string, arguments ...string) string {
	return word + "(" + strings.Join(arguments, ", ") + ")"
}
