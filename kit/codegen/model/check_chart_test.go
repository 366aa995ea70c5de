package model_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/expose"
)

// lent is the answer of a read of how books are lent.
type lent struct {
	_     struct{} `comment:"How books are lent."`
	Steps []step   `json:"steps" comment:"One for each day."`
}

type step struct {
	_     struct{} `comment:"A day."`
	Day   string   `json:"day" format:"date" comment:"The day."`
	Books int64    `json:"books" comment:"How many were lent."`
	Shelf string   `json:"shelf" comment:"Where they stand."`
}

// A refusal of a chart says what the answer lacks.
func TestChartsAreOfTheAnswer(t *testing.T) {
	for want, change := range map[string]func(a *expose.Action, c *expose.Chart){
		"":                                 func(*expose.Action, *expose.Chart) {},
		"Charts are of reads":              func(a *expose.Action, _ *expose.Chart) { a.Names.Method = "" },
		"needs a Title and Values":         func(_ *expose.Action, c *expose.Chart) { c.Title = "" },
		`no list of objects "days"`:        func(_ *expose.Action, c *expose.Chart) { c.List = "days" },
		`have no member "date"`:            func(_ *expose.Action, c *expose.Chart) { c.Along = "date" },
		`have no text or enum "books"`:     func(_ *expose.Action, c *expose.Chart) { c.Each = "books" },
		`have no number or amount "shelf"`: func(_ *expose.Action, c *expose.Chart) { c.Values = []string{"books", "shelf"} },
	} {
		library()
		c := expose.Chart{Title: "Lent", List: "steps", Along: "day", Values: []string{"books"}, Each: "shelf"}
		a := expose.Action{
			Verb: "lending", Scope: expose.Unbound, Run: expose.OutsideTx, Comment: "How books are lent.",
			Answer: expose.AnswerOf(lent{Steps: []step{{Day: "2026-01-01", Books: 1, Shelf: "A"}}}),
			Names:  expose.Names{ID: "readLending", Method: "GET", Path: "/lending", Tag: "Books", Summary: "Read the lending", Answer: "Lending"},
		}
		change(&a, &c)
		a.Charts = []expose.Chart{c}
		book.resource.Actions = []expose.Action{a}
		book.rules.Verbs = with2(book.rules.Verbs, a.Verb)
		err := judge(t)
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
	library()
}
