package jobs

import (
	"encoding/json"
	"reflect"
	"strings"
)

// names are those of arguments that were called otherwise, by the names before.
type names struct {
	now map[string]string
	// within are those of objects, and of each item of lists, by the name of now.
	within map[string]names
}

// namesOf reads the tags of a struct: `json:"order_id" was:"order"`.
func namesOf(t reflect.Type) names { return namesWithin(t, map[reflect.Type]bool{}) }

func namesWithin(t reflect.Type, seen map[reflect.Type]bool) names {
	n := names{now: map[string]string{}, within: map[string]names{}}
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return n
	}
	seen[t] = true
	defer delete(seen, t)
	for _, f := range reflect.VisibleFields(t) {
		if !f.IsExported() || len(f.Index) > 1 && !f.Anonymous && f.Tag.Get("was") == "" {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			name = f.Name
		}
		if was := f.Tag.Get("was"); was != "" {
			n.now[was] = name
		}
		if inner := namesWithin(f.Type, seen); !f.Anonymous && !inner.none() {
			n.within[name] = inner
		}
	}
	return n
}

func (n names) none() bool { return len(n.now)+len(n.within) == 0 }

// ofNow is the JSON of arguments by the names of now. One that has both keeps that of now.
func (n names) ofNow(args []byte) ([]byte, error) {
	if n.none() {
		return args, nil
	}
	var list []json.RawMessage
	if json.Unmarshal(args, &list) == nil && list != nil {
		for i := range list {
			var err error
			if list[i], err = n.ofNow(list[i]); err != nil {
				return nil, err
			}
		}
		return json.Marshal(list)
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(args, &members); err != nil || members == nil {
		return args, err
	}
	for was, now := range n.now {
		value, old := members[was]
		if _, has := members[now]; old && !has {
			members[now] = value
		}
		if old {
			delete(members, was)
		}
	}
	for name, inner := range n.within {
		if value, ok := members[name]; ok {
			renamed, err := inner.ofNow(value)
			if err != nil {
				return nil, err
			}
			members[name] = renamed
		}
	}
	return json.Marshal(members)
}
