package policy

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/entwine-go/entwine/kit/viewer"
)

// sentRule is a rule as JSON: annotations of schemas reach the generator so.
type sentRule struct {
	Op      string            `json:"op"`
	Rules   []Rule            `json:"rules,omitempty"`
	Roles   []viewer.Role     `json:"roles,omitempty"`
	Key     viewer.Permission `json:"key,omitempty"`
	Column  string            `json:"column,omitempty"`
	Value   any               `json:"value,omitempty"`
	Values  []any             `json:"values,omitempty"`
	Table   string            `json:"table,omitempty"`
	Foreign string            `json:"foreign,omitempty"`
}

var words = map[op]string{
	opNever: "never", opAlways: "always", opAny: "any", opAll: "all", opNot: "not",
	opAuthenticated: "authenticated", opSignedIn: "signed_in", opRoles: "roles", opKey: "key",
	opOwner: "owner", opKeyOwner: "key_owner", opIs: "is", opIn: "in", opNull: "null", opLess: "less", opRelated: "related", opAnother: "another", opTenant: "tenant", opStays: "stays", opKept: "kept",
}

// MarshalJSON implements json.Marshaler.
func (r Rule) MarshalJSON() ([]byte, error) {
	t := r.detail()
	return json.Marshal(sentRule{words[r.op], r.rules, t.roles, t.perm, r.column, r.value, t.values, t.table, t.foreign})
}

// UnmarshalJSON implements json.Unmarshaler.
func (r *Rule) UnmarshalJSON(text []byte) error {
	var s sentRule
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&s); err != nil {
		return err
	}
	*r = Rule{
		rules: s.Rules, column: s.Column, value: whole(s.Value),
		details: &details{roles: s.Roles, perm: s.Key, table: s.Table, foreign: s.Foreign},
	}
	for _, value := range s.Values {
		r.values = append(r.values, whole(value))
	}
	for o, word := range words {
		if word == s.Op {
			r.op = o
			return nil
		}
	}
	return fmt.Errorf("policy: a rule is of no kind %q", s.Op)
}

// whole is the value of [Is], where a number is an int.
func whole(value any) any {
	if number, ok := value.(json.Number); ok {
		if n, err := number.Int64(); err == nil {
			return int(n)
		}
	}
	return value
}
