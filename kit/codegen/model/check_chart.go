package model

import (
	"slices"

	"github.com/entwine-go/entwine/kit/expose"
)

// charts checks that pictures are of members that the answer of a read has.
func (c checker) charts(says string, a *Action) {
	drawn := []expose.Shape{expose.Count, expose.Decimal, expose.Amount}
	for _, chart := range a.Charts {
		list := shaped(a.Answer.Members, chart.List, expose.Objects)
		switch {
		case !a.Reads():
			c.wrong("", "%sCharts are of reads, whose Names.Method is \"GET\"", says)
		case chart.Title == "" || len(chart.Values) == 0:
			c.wrong("", "%sa chart needs a Title and Values", says)
		case list == nil || list.Object == nil:
			c.wrong("", "%schart %q: the answer has no list of objects %q", says, chart.Title, chart.List)
		case shaped(list.Object.Members, chart.Along) == nil:
			c.wrong("", "%schart %q: the objects of %q have no member %q", says, chart.Title, chart.List, chart.Along)
		case chart.Each != "" && shaped(list.Object.Members, chart.Each, expose.Text, expose.Values) == nil:
			c.wrong("", "%schart %q: the objects of %q have no text or enum %q", says, chart.Title, chart.List, chart.Each)
		}
		if list == nil || list.Object == nil {
			continue
		}
		for _, value := range chart.Values {
			if shaped(list.Object.Members, value, drawn...) == nil {
				c.wrong("", "%schart %q: the objects of %q have no number or amount %q", says, chart.Title, chart.List, value)
			}
		}
	}
}

// shaped is the member with the name and one of the shapes, any without.
func shaped(all []expose.Member, name string, shapes ...expose.Shape) *expose.Member {
	i := slices.IndexFunc(all, func(m expose.Member) bool {
		return m.Name == name && (len(shapes) == 0 || slices.Contains(shapes, m.Shape))
	})
	if i < 0 {
		return nil
	}
	return &all[i]
}
