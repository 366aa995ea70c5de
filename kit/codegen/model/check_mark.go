package model

import (
	"cmp"
	"fmt"
	"slices"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/expose"
)

// marks checks what users do to rows and take back.
func (c checker) marks() {
	for _, m := range c.Entity.Marks {
		says := fmt.Sprintf("mark %q: ", m.Verb)
		if !verbForm.MatchString(m.Verb) || m.Undo != "" && !verbForm.MatchString(m.Undo) {
			c.wrong("", "%sverbs of lower-case words are allowed, such as \"like\" and \"unlike\"", says)
		}
		if m.Of == nil {
			c.wrong("", "%sthere is no exposed entity %q", says, m.Mark.Entity)
			continue
		}
		if m.To == nil || m.To.Ref != c.Name {
			c.wrong("", "%sTo %q: a foreign key of %s to %s is allowed", says, m.Mark.To, m.Of.Name, c.Name)
		}
		if m.By == nil || !m.By.Caller {
			c.wrong("", "%sBy %q: a foreign key of %s with expose.Caller is allowed", says, m.Mark.By, m.Of.Name)
		}
		if m.Count == nil || m.Count.Tally == nil {
			c.wrong("", "%sCount %q: a field with expose.CountOf is allowed", says, m.Mark.Count)
		}
		if !m.Again && !m.Of.unique(m.Mark.To, m.Mark.By) {
			c.wrong("", "%s%s needs a unique index of %q and %q: else it could be there twice", says, m.Of.Name, m.Mark.To, m.Mark.By)
		}
		if m.Comment == "" || m.Undo != "" && m.UndoComment == "" || m.Answer == "" || m.Payload == "" {
			c.wrong("", "%sit needs a Comment, with Undo an UndoComment, and the names of its answers in Answer and Payload", says)
		}
	}
}

// unique reports whether the entity has a unique index of the columns.
func (e *Entity) unique(names ...string) bool {
	return slices.ContainsFunc(e.Type.Indexes, func(i *gen.Index) bool {
		return i.Unique && len(i.Columns) == len(names) && !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(i.Columns, name) })
	})
}

// many checks upserts and operations on many rows.
func (c checker) many() {
	if u := c.Upsert; u != nil {
		if !c.unique(u.Index...) || !c.Offers(expose.Create) {
			c.wrong("", "upsert: an entity with expose.Create, and a unique index of the fields %v, is allowed", u.Index)
		}
		if u.Comment == "" {
			c.wrong("", "upsert: it needs a Comment, which says to clients what it does")
		}
		for _, name := range u.Add {
			if f := c.Field(name); f == nil || f.Kind != "Int" && f.Kind != "Float" && f.Kind != "Money" {
				c.wrong("", "upsert: add %q: a number that is shown is allowed", name)
			}
		}
	}
	for i := range c.Resource.Bulk {
		c.bulk(i)
	}
	c.beside()
}

// bulk checks an operation on many rows.
func (c checker) bulk(i int) {
	b := c.Resource.Bulk[i]
	says := fmt.Sprintf("bulk %q: ", cmp.Or(string(b.Operation), b.Verb))
	same := func(o expose.Bulk) bool { return o.Operation == b.Operation && o.Verb == b.Verb }
	switch {
	case (b.Operation == "") == (b.Verb == ""), b.Operation != "" && !slices.Contains([]expose.Operation{expose.Create, expose.Patch, expose.Delete}, b.Operation):
		c.wrong("", "%sthe operations create, patch and delete are allowed, or the verb of an action", says)
	case b.Verb != "":
		c.bulkAction(b, says)
	case !c.Offers(b.Operation):
		c.wrong("", "%sit is none of the Operations on single rows", says)
	}
	switch {
	case slices.ContainsFunc(c.Resource.Bulk[:i], same):
		c.wrong("", "%sit is declared twice", says)
	case b.Operation != expose.Create && !b.Each:
		c.wrong("", "%sit is done to each row for itself: Each is needed", says)
	case b.Maximum < 1 || b.Maximum > 10_000:
		c.wrong("", "%smaximum %d: 1 to 10000 are allowed", says, b.Maximum)
	case b.Comment == "":
		c.wrong("", "%sit needs a Comment", says)
	}
}

// bulkAction checks an action of many rows. Each of them is a savepoint of one transaction
// and is answered with its row, so an action that opens its own, or has another answer,
// can't be one.
func (c checker) bulkAction(b expose.Bulk, says string) {
	i := slices.IndexFunc(c.Actions, func(a *Action) bool { return a.Verb == b.Verb })
	if i < 0 {
		c.wrong("", "%sthe entity has no such action", says)
		return
	}
	a := c.Actions[i]
	answer := a.Answer
	switch {
	case !a.OfRow() || a.Reads():
		c.wrong("", "%san action that changes a row is allowed", says)
	case len(a.Input) > 0:
		c.wrong("", "%san action without input is allowed", says)
	case a.Run == expose.OutsideTx:
		c.wrong("", "%san action in a transaction is allowed, not one that runs outside", says)
	case answer.Nothing || answer.Job != "" || len(answer.Members) > 0 || len(answer.Once) > 0 || len(answer.File) > 0:
		c.wrong("", "%san action that answers with the row is allowed", says)
	}
}

// beside checks input that is no field.
func (c checker) beside() {
	for _, b := range c.Resource.Beside {
		for _, o := range b.On {
			if !slices.Contains([]expose.Operation{expose.Create, expose.Replace, expose.Patch}, o) || !c.Offers(o) {
				c.wrong("", "beside: operation %q: create, replace and patch are allowed, of those that there are", o)
			}
		}
	}
	for _, o := range []expose.Operation{expose.Create, expose.Replace, expose.Patch} {
		c.inputs("beside: ", c.Extra[o], c.Fields)
		for _, f := range c.Extra[o] {
			if c.Field(f.Name) != nil {
				c.wrong("", "beside: input %q: a field is called so", f.Name)
			}
		}
	}
}
