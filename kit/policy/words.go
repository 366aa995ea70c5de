package policy

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/viewer"
)

// Words says in English what the rule asks: "published is true and archived_at is
// empty, or author_id is the caller". Columns are called what name says.
func (r Rule) Words(name func(column string) string) string {
	return r.words(nil, name, false)
}

// WordsFor is [Rule.Words] of the rule folded for viewers like v: other ids of
// users, keys and tenants make no difference.
func (r Rule) WordsFor(v *viewer.Viewer, name func(column string) string) string {
	return r.words(v, name, false)
}

func (r Rule) words(v *viewer.Viewer, name func(string) string, nested bool) string {
	if v != nil {
		switch folded := r.For(v); folded.op {
		case opAlways:
			return "every row"
		case opNever:
			return "no row"
		}
	}
	switch r.op {
	case opAny, opAll:
		return r.joined(v, name, nested)
	case opNot:
		return r.negated(v, name)
	case opRelated, opAnother:
		return r.relatedWords(v, name)
	}
	return r.condition(name)
}

// joined are the words of Any and All, without what does not matter to v.
func (r Rule) joined(v *viewer.Viewer, name func(string) string, nested bool) string {
	neutral, separator := opNever, " or "
	if r.op == opAll {
		neutral, separator = opAlways, " and "
	}
	var parts []string
	for _, rule := range r.rules {
		if v != nil && rule.For(v).op == neutral {
			continue
		}
		if text := rule.words(v, name, true); !slices.Contains(parts, text) {
			parts = append(parts, text)
		}
	}
	switch {
	case len(parts) == 0 && r.op == opAll:
		return "every row"
	case len(parts) == 0:
		return "no row"
	case len(parts) == 1:
		return parts[0]
	}
	text := strings.Join(parts, separator)
	if nested {
		return "(" + text + ")"
	}
	return text
}

func (r Rule) negated(v *viewer.Viewer, name func(string) string) string {
	inner := r.rules[0]
	switch inner.op {
	case opNull:
		return name(inner.column) + " is not empty"
	case opIs:
		return fmt.Sprintf("%s is not %v", name(inner.column), inner.value)
	}
	return "not " + inner.words(v, name, true)
}

// relatedWords are those of a rule about another row. Its columns have the names of
// the database.
func (r Rule) relatedWords(v *viewer.Viewer, name func(string) string) string {
	own := func(column string) string { return column }
	table := strings.ReplaceAll(r.table, "_", " ")
	inner := r.rules[0].words(v, own, true)
	where := " where " + inner
	if inner == "every row" || r.rules[0].op == opAlways {
		where = ""
	}
	switch {
	case r.op == opAnother:
		return "there is another of the " + table + where
	case r.foreign == "id":
		return name(r.column) + " is one of the " + table + where
	}
	return fmt.Sprintf("there is one of the %s with its %s as %s%s", table, name(r.column), r.foreign, where)
}

// condition are the words of a rule that has no others in it.
func (r Rule) condition(name func(string) string) string {
	switch r.op {
	case opNever:
		return "no caller"
	case opAlways:
		return "every caller"
	case opAuthenticated:
		return "the caller is signed in or has an API key"
	case opSignedIn:
		return "the caller is signed in"
	case opRoles:
		return "the caller is " + listed(r.roles)
	case opKey:
		return "the caller has an API key with the permission " + string(r.perm)
	case opOwner:
		return name(r.column) + " is the caller"
	case opKeyOwner:
		return name(r.column) + " is the caller's API key"
	case opTenant:
		return name(r.column) + " is the caller's tenant"
	case opIs:
		return fmt.Sprintf("%s is %v", name(r.column), r.value)
	case opIn:
		return name(r.column) + " is " + listed(r.values)
	case opNull:
		return name(r.column) + " is empty"
	case opLess:
		return name(r.column) + " is less than " + name(r.foreign)
	}
	return r.String()
}

// listed joins values as a sentence does: "a, b or c".
func listed[T any](values []T) string {
	texts := make([]string, len(values))
	for i, value := range values {
		texts[i] = fmt.Sprint(value)
	}
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	last := len(texts) - 1
	return strings.Join(texts[:last], ", ") + " or " + texts[last]
}
