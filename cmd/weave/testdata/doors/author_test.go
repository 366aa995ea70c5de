package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// author invents steps, by the rows that there are.
type author struct {
	*rand.Rand
	*model
	steps int
}

func (a *author) one(of []string) string { return of[a.IntN(len(of))] }

func (a *author) few(of []string) []string {
	all := slices.Clone(of)
	a.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(len(all), a.IntN(4))]
}

func (a *author) tag() string { a.steps++; return fmt.Sprintf("t%07d", a.steps) }

// name is one of few, so that two boxes want the same, in another case.
func (a *author) name() string {
	name := a.one([]string{"red", "green", "blue", "pale"}) + " " + a.one([]string{"oak", "elm", "fir", "ash"})
	if a.IntN(3) == 0 {
		name = strings.ToUpper(name)
	}
	return name
}

// next is a step that can be taken, if not by everybody.
func (a *author) next() step {
	s := step{who: people[a.IntN(len(people))][0]}
	s.Name, s.Code, s.Secret, s.Shout = a.name(), a.one([]string{"a", "b", "a code that is too long"}), a.one([]string{"x", "y"}), a.one([]string{"ho", "Hi"})
	s.Note = a.one([]string{"", "plain", "  spaced  ", "forbidden"})
	s.Weight, s.Fragile = int64(a.IntN(30))-1, a.IntN(2) == 0
	s.Tag = a.tag()
	all := []string{"make", "make many", "label"}
	boxes, items, labels := sorted(a.boxes), sorted(a.items), sorted(a.labels)
	if len(boxes) > 0 {
		s.box, s.to = a.one(boxes), a.one(boxes)
		all = append(all, "rename", "note", "seal", "close", "reopen", "hide", "restore", "put", "put", "tally", "tally")
		if len(boxes) > 10 {
			all = append(all, "remove", "remove", "remove")
		}
	}
	if len(items) > 0 {
		s.item = a.one(items)
		all = append(all, "weigh", "move", "move", "labels")
		if len(items) > 20 {
			all = append(all, "drop", "drop", "drop")
		}
	}
	if tallies := slices.DeleteFunc(sorted(a.tallies), func(key string) bool { return a.boxes[key[:8]].hidden }); len(tallies) > 0 {
		s.tally = a.one(tallies)
		all = append(all, "retally")
	}
	if len(labels) > 0 {
		s.labels, s.things = []string{a.one(labels)}, a.few(items)
		all = append(all, "items")
		if len(labels) > 6 {
			all = append(all, "unlabel", "unlabel")
		}
	}
	switch s.Do = a.one(all); s.Do {
	case "make many":
		for range 1 + a.IntN(3) {
			s.Tags = append(s.Tags, a.tag())
		}
	case "labels":
		s.labels = a.few(labels)
	case "tally":
		s.Kind = a.one([]string{"cups", "pots"})
	}
	return s
}
