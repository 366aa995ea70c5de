package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// input compares what clients send and get.
func (j *judge) input(what string, was, now *contract.Field, r reach) {
	w, n := was.Shown, now.Shown
	writes := func(s *contract.Shown) bool { return s.Create || s.Update }
	switch {
	case !w.Required && n.Required && w.Create:
		j.add(16, what, "who makes a row has to name it", r)
	case !w.Replaced && n.Replaced && w.Update:
		j.add(16, what, "who replaces a row has to name it", r)
	case was.Default != now.Default && (writes(w) || was.Default != ""):
		j.add(18, what, fmt.Sprintf("it is %s by default, and was %s", orNone(now.Default), orNone(was.Default)), r)
	}
	if !w.Nullable && n.Nullable {
		j.add(17, what, "it can be null", r)
	}
	switch {
	case w.Create && !n.Create || w.Update && !n.Update:
		j.add(29, what, "clients do not set it any longer", r)
	case !subsetOfRoles(w.Writable, n.Writable):
		j.add(29, what, fmt.Sprintf("it is set by %s, and was by %s", everyone(n.Writable), everyone(w.Writable)), r)
	case !subsetOfRoles(n.Writable, w.Writable):
		j.add(28, what, fmt.Sprintf("it is set by %s, and was by %s", everyone(n.Writable), everyone(w.Writable)), r)
	case !w.Create && n.Create || !w.Update && n.Update:
		j.add(added, what, "clients set it", r)
	}
}

// visible compares who sees a field.
func (j *judge) visible(what string, was, now *contract.Shown, r reach) {
	if !was.Secret && now.Secret {
		j.add(26, what, "it is written, and never shown", r)
		return
	}
	says := fmt.Sprintf("it is seen by %s, and was by %s", seenBy(now), seenBy(was))
	fewer := !subsetOfRoles(was.Visible, now.Visible) || !was.Known && now.Known
	more := !subsetOfRoles(now.Visible, was.Visible) || was.Known && !now.Known || was.Secret && !now.Secret
	switch {
	case fewer:
		j.add(27, what, says, r)
	case more:
		j.add(28, what, says, r)
	}
}

func seenBy(s *contract.Shown) string {
	switch {
	case s.Secret:
		return "no caller"
	case s.Known && len(s.Visible) == 0:
		return "callers who are known"
	}
	return everyone(s.Visible)
}

func everyone(roles []string) string {
	if len(roles) == 0 {
		return "everyone"
	}
	return strings.Join(roles, ", ")
}

// subsetOfRoles reports whether all of the roles are among the others, where
// none stands for every role.
func subsetOfRoles(roles, others []string) bool {
	return len(others) == 0 || len(roles) > 0 && subset(roles, others)
}

// queries compares what listings do by a field.
func (j *judge) queries(what string, was, now *contract.Shown, r reach) {
	if was == nil || now == nil {
		return
	}
	var gone, come []string
	for _, use := range []struct {
		name     string
		was, now bool
	}{{"filtered", was.Filter, now.Filter}, {"sorted", was.Sort, now.Sort}, {"searched", was.Search, now.Search}} {
		switch {
		case use.was && !use.now:
			gone = append(gone, use.name)
		case !use.was && use.now:
			come = append(come, use.name)
		}
	}
	r.cursors = r.rest
	if len(gone) > 0 {
		j.add(30, what, "listings are not "+strings.Join(gone, " or ")+" by it any longer", r)
	}
	if len(come) == 0 {
		return
	}
	says := "listings can be " + strings.Join(come, " and ") + " by it"
	if now.Scans || slices.Contains(come, "searched") {
		j.add(31, what, says, r)
	} else {
		j.add(added, what, says, r)
	}
}

// limits compares the bounds of values. The length of a text and the range of a
// number are kept by the program: the database takes any.
func (j *judge) limits(what string, was, now contract.Limits, r reach) {
	program := none(locks, old)
	narrow := func(kind int, says string) {
		f := j.add(kind, what, says, r, program, some(rows))
		f.Way, f.Command = "announce it with a date: rows that are there stay, until a client writes them", j.accepting(f)
	}
	switch upper(was.MaxLength, now.MaxLength) {
	case -1:
		narrow(14, "it is "+long("at most", now.MaxLength)+", and was "+long("at most", was.MaxLength))
	case 1:
		j.add(13, what, "it is "+long("at most", now.MaxLength)+", and was "+long("at most", was.MaxLength), r)
	}
	for _, l := range []struct {
		word     string
		was, now *int
	}{{"items", was.MaxItems, now.MaxItems}, {"bytes", was.MaxSize, now.MaxSize}} {
		switch upper(l.was, l.now) {
		case -1:
			narrow(14, "it has "+several("at most", l.now, l.word)+", and had "+several("at most", l.was, l.word))
		case 1:
			j.add(13, what, "it has "+several("at most", l.now, l.word)+", and had "+several("at most", l.was, l.word), r)
		}
	}
	var tighter, looser []string
	note := func(direction int, says string) {
		switch direction {
		case -1:
			tighter = append(tighter, says)
		case 1:
			looser = append(looser, says)
		}
	}
	note(upper(was.Maximum, now.Maximum), bounded("at most", now.Maximum))
	note(lower(was.Minimum, now.Minimum), bounded("at least", now.Minimum))
	note(lower(was.MinLength, now.MinLength), long("at least", now.MinLength))
	note(lower(was.MinItems, now.MinItems), "with "+several("at least", now.MinItems, "items"))
	for _, form := range [][2]string{{was.Pattern, now.Pattern}, {was.Format, now.Format}} {
		switch {
		case form[0] == form[1]:
		case form[1] == "":
			looser = append(looser, "of any form")
		case form == [2]string{"uri", "uri-reference"}: // each address is one
			looser = append(looser, "of the form "+form[1])
		default:
			tighter = append(tighter, "of the form "+form[1])
		}
	}
	if len(tighter) > 0 {
		narrow(21, "it has to be "+strings.Join(tighter, ", "))
	}
	if len(looser) > 0 {
		j.add(22, what, "it may be "+strings.Join(looser, ", "), r)
	}
}

// accepting is the command by which a change is meant that migrates nothing.
func (j *judge) accepting(f *Finding) string { return strings.ReplaceAll(accept, "{code}", f.Code) }

// upper compares upper bounds: -1 where the new one is tighter, 1 where it is
// looser, which a missing one is.
func upper[T int | float64](was, now *T) int {
	switch {
	case was == nil && now == nil, was != nil && now != nil && *was == *now:
		return 0
	case now == nil, was != nil && *now > *was:
		return 1
	}
	return -1
}

// lower compares lower bounds in the same way.
func lower[T int | float64](was, now *T) int {
	switch {
	case was == nil && now == nil, was != nil && now != nil && *was == *now:
		return 0
	case now == nil, was != nil && *now < *was:
		return 1
	}
	return -1
}

// long is how long a text may be, or has to be.
func long(side string, limit *int) string {
	if limit == nil {
		return "of any length"
	}
	return fmt.Sprintf("%s %d characters long", side, *limit)
}

// several is how many there may be of something, or have to be.
func several(side string, limit *int, word string) string {
	if limit == nil {
		return "any number of " + word
	}
	return fmt.Sprintf("%s %d %s", side, *limit, word)
}

func bounded(side string, limit *float64) string {
	if limit == nil {
		return "without " + map[string]string{"at most": "an upper", "at least": "a lower"}[side] + " bound"
	}
	return side + " " + fmt.Sprint(*limit)
}
