package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// Answer is a possible meaning of a removal while something of its type is added.
type Answer struct {
	// Means is "renamed" or "removed", Line what says so: a line of a schema, or a
	// command.
	Means string `json:"means"`
	Line  string `json:"line"`
}

// ask has the finding of something that goes ask whether it is one of those that
// came under another name. Until that is answered no command drops it: the line to
// copy would lose the values of a rename.
func (f *Finding) ask(was, at string, came []string) {
	if len(came) == 0 {
		return
	}
	f.Asks = strings.Join(came, " or ")
	f.Answers = []Answer{{"renamed", fmt.Sprintf("expose.Was(%q) at the %s %s", was, at, f.Asks)}, {"removed", f.Command}}
	f.Command = ""
}

// sunset notes the sunset date that clients got for what is removed.
func (f *Finding) sunset(day string) *Finding {
	f.Sunset = day
	return f
}

// ends notes that of a field.
func (f *Finding) ends(shown *contract.Shown) *Finding {
	if shown == nil {
		return f
	}
	return f.sunset(shown.Sunset)
}

// Removed takes the questions back that the names given to --drop answer.
func Removed(found []Finding, drops []string) {
	for i := range found {
		f := &found[i]
		if f.Asks == "" {
			continue
		}
		removed := f.Answers[len(f.Answers)-1].Line
		if all := dropped(removed); len(all) > 0 && !slices.ContainsFunc(all, func(name string) bool { return !given(drops, name) }) {
			f.Asks, f.Answers, f.Command = "", nil, removed
		}
	}
}

// Asked are the findings that break something of which it is not known yet what
// is meant.
func Asked(found []Finding) (all []Finding) {
	return slices.DeleteFunc(Refused(found), func(f Finding) bool { return f.Asks == "" })
}

// dropped are the names that the command gives to --drop.
func dropped(command string) (all []string) {
	words := strings.Fields(command)
	for i, word := range words[:max(0, len(words)-1)] {
		if word == "--drop" {
			all = append(all, words[i+1])
		}
	}
	return all
}

// given reports whether one of the names given to --drop is this one, or its
// column.
func given(drops []string, name string) bool {
	_, column, _ := strings.Cut(name, ".")
	return slices.ContainsFunc(drops, func(drop string) bool { return drop == name || drop == column })
}

// like are the fields that came to the entity and are kept as the field that goes
// was.
func like(was, now *contract.Entity, gone *contract.Field) (names []string) {
	for _, f := range now.Fields {
		if field(was.Fields, f.Name) == nil && (f.Was == "" || field(was.Fields, f.Was) == nil) && family(f.Stored) == family(gone.Stored) {
			names = append(names, f.Name)
		}
	}
	return names
}

// family names the types of columns that can become each other by a rename.
func family(stored string) string {
	return strings.TrimRight(strings.TrimPrefix(word(stored), "u"), "0123456789")
}

// newcomers are the entities that were not there.
func newcomers(pairs []pair) (names []string) {
	for _, p := range pairs {
		if p.was == nil {
			names = append(names, p.now.Name)
		}
	}
	return names
}

// alike are the edges among those that came which lead from where this one did to
// where it did, and are kept as it was.
func (l link) alike(came []link) (names []string) {
	for _, c := range came {
		if c.from == l.from && c.to == l.to && (c.column == "") == (l.column == "") {
			names = append(names, c.name())
		}
	}
	return names
}
