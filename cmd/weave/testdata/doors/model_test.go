package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// model has the rows that doc/guides/from-ent.md promises after the steps: the reference
// for all worlds.
type model struct {
	boxes           map[string]*boxRow // by their tags, as all others
	items           map[string]*itemRow
	labels          map[string]int // their versions
	labelled        map[[2]string]bool
	tallies         map[string]*tallyRow // by the tag of the box and the kind
	events, changes map[string]int
}

type boxRow struct {
	name, note, code, secret, shout, owner string
	closed, hidden                         bool
	version                                int
}

type itemRow struct {
	weight  int64
	fragile bool
	box     string
	version int
}

type tallyRow struct {
	quantity int64
	version  int
}

func newModel() *model {
	return &model{map[string]*boxRow{}, map[string]*itemRow{}, map[string]int{}, map[[2]string]bool{}, map[string]*tallyRow{}, map[string]int{}, map[string]int{}}
}

func sorted[V any](of map[string]V) []string { return slices.Sorted(maps.Keys(of)) }

// mine reports whether a policy lets who writes write the box.
func (s step) mine(b *boxRow) bool { return b.owner == s.who || s.who == "Carl" || s.who == "Root" }

// taken reports whether another box has the name, in any case. One that is deleted softly counts.
func (m *model) taken(name, but string) bool {
	for tag, b := range m.boxes {
		if tag != but && strings.EqualFold(b.name, name) {
			return true
		}
	}
	return false
}

// written notes updates of the box's row: those that raise its version, and those of its counts.
func (m *model) written(b *boxRow, times int) {
	m.events["box.touched"] += times
	if !b.hidden {
		m.changes["update"] += times
	}
}

// take does the step, unless it is to be refused.
func (m *model) take(s step) (ok bool) {
	switch s.Do {
	case "make", "make many":
		return m.make(s)
	case "rename", "note", "seal", "close", "reopen", "hide", "restore", "remove":
		return m.write(s, m.boxes[s.box])
	case "put", "weigh", "move", "drop":
		return m.item(s)
	case "label":
		m.labels[s.Tag] = 1
	case "unlabel":
		delete(m.labels, s.labels[0])
		maps.DeleteFunc(m.labelled, func(key [2]string, _ bool) bool { return key[1] == s.labels[0] })
	case "labels":
		if !s.mine(m.boxes[m.items[s.item].box]) {
			return false
		}
		maps.DeleteFunc(m.labelled, func(key [2]string, _ bool) bool { return key[0] == s.item })
		for _, label := range s.labels {
			m.labelled[[2]string{s.item, label}] = true
		}
		m.items[s.item].version++
	case "items":
		had := m.ends(s.labels[0], 1)
		for _, item := range slices.Concat(had, s.things) {
			if slices.Contains(had, item) != slices.Contains(s.things, item) && !s.mine(m.boxes[m.items[item].box]) {
				return false
			}
		}
		maps.DeleteFunc(m.labelled, func(key [2]string, _ bool) bool { return key[1] == s.labels[0] })
		for _, item := range s.things {
			m.labelled[[2]string{item, s.labels[0]}] = true
		}
		m.labels[s.labels[0]]++
	case "tally", "retally":
		return m.tally(s)
	}
	return true
}

func (m *model) make(s step) bool {
	names := map[string]string{s.Tag: s.Name}
	if s.Do == "make many" {
		clear(names)
		for i, tag := range s.Tags {
			names[tag] = fmt.Sprint(s.Name, " ", i)
		}
	}
	for _, name := range names {
		if m.taken(name, "") {
			return false
		}
	}
	if s.Note == "forbidden" || len(s.Code) > 20 {
		return false
	}
	for tag, name := range names {
		m.boxes[tag] = &boxRow{name: name, note: strings.TrimSpace(s.Note), code: s.Code, secret: s.Secret, shout: s.Shout, owner: s.who, version: 1}
		m.events["box.made"]++
		m.changes["insert"]++
	}
	return true
}

// write does what is done to a box.
func (m *model) write(s step, b *boxRow) bool {
	switch {
	case s.Do == "remove":
		if s.who != "Root" {
			return false
		}
		m.remove(s.box, b)
		return true
	case b.hidden != (s.Do == "restore"), !s.mine(b):
		return false
	case s.Do == "rename" && m.taken(s.Name, s.box):
		return false
	case s.Do == "note" && s.Note == "forbidden", s.Do == "seal" && len(s.Code) > 20:
		return false
	case s.Do == "close" && b.closed, s.Do == "reopen" && !b.closed:
		return false
	case s.Do == "hide" && s.who == "Carl":
		return false
	}
	change := "update"
	switch s.Do {
	case "rename":
		b.name = s.Name
		m.events["box.renamed"]++
	case "note":
		b.note = strings.TrimSpace(s.Note)
	case "seal":
		b.code, b.secret, b.shout = s.Code, s.Secret, s.Shout
	case "close":
		b.closed = true
		m.events["box.closed"]++
	case "reopen":
		b.closed = false
	case "hide":
		b.hidden, change = true, "delete"
		m.events["box.hidden"]++
	case "restore":
		b.hidden, change = false, "insert"
	}
	b.version++
	m.events["box.touched"]++
	m.changes[change]++
	return true
}

// remove removes the box with all that is in it.
func (m *model) remove(tag string, b *boxRow) {
	for item, i := range m.items {
		if i.box == tag {
			m.gone(item)
		}
	}
	maps.DeleteFunc(m.tallies, func(key string, _ *tallyRow) bool { return strings.HasPrefix(key, tag+" ") })
	if !b.hidden {
		m.changes["delete"]++
	}
	delete(m.boxes, tag)
}

func (m *model) gone(item string) {
	maps.DeleteFunc(m.labelled, func(key [2]string, _ bool) bool { return key[0] == item })
	delete(m.items, item)
	m.events["item.gone"]++
}

// item does what is done to what a box holds, and counts it.
func (m *model) item(s step) bool {
	if s.Do == "put" {
		b := m.boxes[s.box]
		if s.Weight < 0 || !s.mine(b) || b.hidden {
			return false
		}
		m.items[s.Tag] = &itemRow{s.Weight, s.Fragile, s.box, 1}
		m.written(b, 1)
		return true
	}
	i := m.items[s.item]
	b := m.boxes[i.box]
	if !s.mine(b) {
		return false
	}
	switch s.Do {
	case "weigh":
		if s.Weight < 0 {
			return false
		}
		if i.weight != s.Weight || i.fragile != s.Fragile {
			m.written(b, 2) // what it was is taken away, and what it is added
		}
		i.weight, i.fragile = s.Weight, s.Fragile
		i.version++
	case "move":
		to := m.boxes[s.to]
		if !s.mine(to) || to.hidden {
			return false
		}
		i.box = s.to
		i.version++
		m.events["item.moved"]++
		m.written(b, 1)
		m.written(to, 1)
	case "drop":
		m.gone(s.item)
		m.written(b, 1)
	}
	return true
}

// tally counts once more what is counted already.
func (m *model) tally(s step) bool {
	key := s.tally
	if s.Do == "tally" {
		key = s.box + " " + s.Kind
	}
	tag, _, _ := strings.Cut(key, " ")
	b, t := m.boxes[tag], m.tallies[key]
	if t == nil {
		t = &tallyRow{}
	}
	quantity := s.Weight
	if s.Do == "tally" {
		quantity += t.quantity
	}
	if s.Weight < 1 || quantity > 1000 || !s.mine(b) || b.hidden {
		return false
	}
	m.tallies[key] = &tallyRow{quantity, t.version + 1}
	return true
}

// changed reports whether the step changes something: by an API what a row has already
// is not written, and Ent's client writes it all the same.
func (m *model) changed(s step) bool {
	b, i := m.boxes[s.box], m.items[s.item]
	switch s.Do {
	case "rename":
		return b.name != s.Name
	case "note":
		return b.note != strings.TrimSpace(s.Note)
	case "seal":
		return b.secret != s.Secret || !strings.EqualFold(b.shout, s.Shout) || b.code != s.Code
	case "weigh":
		return i.weight != s.Weight || i.fragile != s.Fragile
	case "move":
		return i.box != s.to
	case "retally":
		return m.tallies[s.tally].quantity != s.Weight
	case "labels":
		return !slices.Equal(slices.Sorted(slices.Values(s.labels)), m.ends(s.item, 0))
	case "items":
		return !slices.Equal(slices.Sorted(slices.Values(s.things)), m.ends(s.labels[0], 1))
	}
	return true
}

// ends are the other ends of an item (0) or a label (1).
func (m *model) ends(of string, side int) (all []string) {
	for key := range m.labelled {
		if key[side] == of {
			all = append(all, key[1-side])
		}
	}
	slices.Sort(all)
	return all
}

// finds are the boxes that a search for the word finds.
func (m *model) finds(word string) string {
	var names []string
	for _, b := range m.boxes {
		if !b.hidden && slices.ContainsFunc(strings.Fields(strings.ToLower(b.name)), func(w string) bool { return strings.HasPrefix(w, word) }) {
			names = append(names, b.name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

// dump has the rows as [world.dump] has them.
func (m *model) dump() (all []string) {
	line := func(values ...any) {
		texts := make([]string, len(values))
		for i, v := range values {
			switch known := v.(type) {
			case bool:
				v = map[bool]int{true: 1}[known]
			case string:
				if known == "" {
					v = nil
				}
			}
			texts[i] = fmt.Sprint(v)
		}
		all = append(all, strings.Join(texts, "|"))
	}
	for _, tag := range sorted(m.boxes) {
		b := m.boxes[tag]
		items, fragile, weight := 0, 0, int64(0)
		for _, i := range m.items {
			if i.box == tag {
				items, weight = items+1, weight+i.weight
				fragile += map[bool]int{true: 1}[i.fragile]
			}
		}
		status := map[bool]string{true: "closed", false: "open"}[b.closed]
		line("box", tag, b.name, strings.ToLower(b.name), b.note, b.code, "sealed:"+b.secret, strings.ToUpper(b.shout), status,
			items, fragile, weight, items == 0, b.version, b.hidden, b.owner)
	}
	for _, tag := range sorted(m.items) {
		i := m.items[tag]
		line("item", tag, i.weight, i.fragile, i.version, i.box)
	}
	for _, tag := range sorted(m.labels) {
		line("label", tag, m.labels[tag])
	}
	for _, item := range sorted(m.items) {
		for _, label := range m.ends(item, 0) {
			line("labelled", item, label)
		}
	}
	for _, key := range sorted(m.tallies) {
		tag, kind, _ := strings.Cut(key, " ")
		line("tally", tag, kind, m.tallies[key].quantity, m.tallies[key].version)
	}
	for _, topic := range sorted(m.events) {
		line("event", topic, m.events[topic])
	}
	for _, kind := range sorted(m.changes) {
		line("change", kind, m.changes[kind])
	}
	return all
}
