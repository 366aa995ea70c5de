package manifest

import (
	"encoding/json"
	"slices"
)

// Differ returns the names of the entities that two documents describe differently: of
// those that one of them alone has, too.
func Differ(a, b *Manifest) (names []string) {
	described := func(m *Manifest) map[string]string {
		all := map[string]string{}
		for _, e := range m.Entities {
			text, _ := json.Marshal(e) // it was read from JSON, or is written as such
			all[e.Name] = string(text)
		}
		return all
	}
	before, after := described(a), described(b)
	for name, text := range before {
		if after[name] != text {
			names = append(names, name)
		}
	}
	for name := range after {
		if _, had := before[name]; !had {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}
