package change

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// fields compares the fields of an entity with those it had.
func (j *judge) fields(was, now *contract.Entity, r reach) {
	stays := map[string]bool{}
	for i := range now.Fields {
		f := &now.Fields[i]
		had := field(was.Fields, f.Name)
		if had == nil && f.Was != "" {
			had = field(was.Fields, f.Was)
		}
		if had == nil {
			j.newField(now, f, r)
			continue
		}
		stays[had.Name] = true
		j.columns[now.Table+"."+had.Column] = f.Column
		j.field(was, now, had, f, r)
	}
	for i := range was.Fields {
		f := &was.Fields[i]
		if stays[f.Name] || j.covers(now.Table, f.Column) {
			continue
		}
		j.cover(now.Table, f.Column)
		j.add(10, now.Name+"."+f.Name, "the field goes, with its values", fieldReach(was, f, r)).ends(f.Shown).ask(f.Name, "field", like(was, now, f))
	}
}

func field(all []contract.Field, name string) *contract.Field {
	i := slices.IndexFunc(all, func(f contract.Field) bool { return f.Name == name })
	if i < 0 {
		return nil
	}
	return &all[i]
}

// fieldReach has the areas that a change of an existing field affects.
func fieldReach(e *contract.Entity, f *contract.Field, r reach) reach {
	shown := f.Shown != nil
	r.rest, r.graphql = r.rest && shown, r.graphql && shown
	r.cursors = r.cursors && shown && (f.Shown.Sort || f.Shown.Filter || inOrder(e, f.Name))
	r.events = slices.ContainsFunc(e.Topics, func(t contract.Topic) bool {
		return t.Key == f.Column || slices.Contains(t.Payload, f.Column) || slices.ContainsFunc(t.On, func(on string) bool { return mentions(on, f.Column) })
	})
	r.jobs, r.column = []string{f.Name}, f.Column
	return r
}

// mentions reports whether the SQL names the column of OLD or NEW.
func mentions(sql, column string) bool {
	for _, word := range strings.FieldsFunc(sql, func(c rune) bool {
		return c != '_' && c != '.' && (c < '0' || c > '9') && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z')
	}) {
		if word == "NEW."+column || word == "OLD."+column {
			return true
		}
	}
	return false
}

func inOrder(e *contract.Entity, name string) bool {
	return slices.ContainsFunc(strings.Split(e.Order, ","), func(term string) bool { return strings.TrimPrefix(term, "-") == name })
}

// newField judges a field that there was not.
func (j *judge) newField(e *contract.Entity, f *contract.Field, r reach) {
	if j.covers(e.Table, f.Column) {
		return
	}
	j.cover(e.Table, f.Column)
	r.rest, r.graphql = r.rest && f.Shown != nil && f.Shown.Required, r.graphql && f.Shown != nil && f.Shown.Required
	r.jobs, r.column, r.events, r.cursors = []string{f.Name}, f.Column, false, false
	what := e.Name + "." + f.Name
	var filled []set
	if f.Backfill != "" {
		filled = append(filled, none(rows), some(old)) // on PostgreSQL a trigger fills what old processes write
	}
	switch {
	case f.Kept != "" && !strings.Contains(f.Kept, `"as"`):
		j.add(43, what, "a new field that the database keeps", r)
	case f.Null && f.Generated == "":
		j.add(6, what, "a new field, null for the rows that are there", r)
	case f.Default == contract.Computed && f.Generated == "":
		j.add(8, what, "a new field whose value is computed", r, filled...)
	case f.Generated != "":
		j.add(8, what, "a new field with a column that the database computes", r, unnoticed)
	case f.Default != "":
		j.add(7, what, "a new field, "+f.Default+" by default", r)
	default:
		j.add(9, what, "a new field that is required", r, filled...)
	}
}

// unnoticed is of columns that the database computes: it does so for what old
// processes write, too, and for the rows that are there in batches.
func unnoticed(e *Effects) { none(rows, locks, old)(e) }

// field compares a field with what it was.
func (j *judge) field(wasIn, nowIn *contract.Entity, was, now *contract.Field, r reach) {
	r = fieldReach(wasIn, was, r)
	what := nowIn.Name + "." + now.Name
	if was.Name == "id" {
		if was.Stored != now.Stored {
			j.add(48, nowIn.Name+".id", fmt.Sprintf("ids are %s, and were %s", now.Stored, was.Stored), reachOf(wasIn))
		}
		j.queries(what, was.Shown, now.Shown, r)
		return
	}
	j.renamed(what, was, now, r)
	j.stored(what, was, now, wasIn.Key == was.Name, r)
	j.values(what, was.Values, now.Values, now.ValuesWas, r)
	switch {
	case !wasIn.Exposed || !nowIn.Exposed:
	case was.Shown != nil && now.Shown == nil:
		j.add(26, what, "no API shows it any longer", r)
	case was.Shown == nil && now.Shown != nil:
		visible := r
		visible.rest, visible.graphql = true, true
		j.add(28, what, "the APIs show it", visible)
	case now.Shown != nil:
		j.input(what, was, now, r)
		j.visible(what, was.Shown, now.Shown, r)
		if was.Shown.Secret == now.Shown.Secret {
			j.queries(what, was.Shown, now.Shown, r)
		}
		if family(was.Stored) == family(now.Stored) { // else the type says it
			j.limits(what, was.Shown.Limits, now.Shown.Limits, r)
		}
	}
	if was.Kept != now.Kept {
		if was.Kept == "" {
			j.add(43, what, "the database keeps it", r)
		} else {
			j.add(44, what, "it follows from something else", r)
		}
	}
	if was.Generated == "" && now.Generated != "" && !slices.ContainsFunc(j.found, func(f Finding) bool { return f.What == what && f.Kind == 33 }) {
		j.add(8, what, "the database computes a column beside it", r, unnoticed)
	}
}

// renamed compares the names of a field.
func (j *judge) renamed(what string, was, now *contract.Field, r reach) {
	inGraphQL := r.graphql
	if r.sql = was.Column != now.Column; r.sql && was.Name == now.Name {
		j.moved(11, what, fmt.Sprintf("the column is %s, and was %s", now.Column, was.Column), "StorageKey", r)
		r.sql = false
	}
	r.cursors = false // those that were given out are taken
	snake, camel := Safe, Safe
	if was.Shown != nil && now.Shown != nil {
		snake, camel = restNames(was.Shown, now.Shown)
		r.rest = r.rest && max(snake, camel) == Breaks
		r.graphql = r.graphql && !subset(was.Shown.GraphQL, append(slices.Clone(now.Shown.GraphQL), now.Shown.WasGraphQL))
	}
	j.oldName(what, was, now, r)
	retyped := len(was.Values) > 0 && was.Name != now.Name && was.Shown != nil && now.Shown != nil && inGraphQL
	switch {
	case was.Name != now.Name:
		says := "it was " + was.Name + ": values stay, the name does not"
		if now.Shown != nil && now.Shown.WasREST+now.Shown.WasGraphQL != "" {
			says = "it was " + was.Name + ": values stay, and clients may use either name"
		}
		f := j.add(11, what, says, r, func(e *Effects) {
			if !r.sql && !r.rest && !r.graphql {
				e.Jobs, e.Events = Safe, Safe
			}
			if retyped { // variables may have the type's name before, and what clients generate of the schema has not
				e.GraphQL = max(e.GraphQL, Depends)
			}
		})
		f.Was, f.snake, f.camel = was.Name, &snake, &camel
		if r.sql && !r.rest && !r.graphql {
			f.Way = fmt.Sprintf("StorageKey(%q) at the field %s keeps the column, which costs nothing; the APIs have the new name, and that before until its sunset", was.Column, now.Name)
		}
	case r.rest || r.graphql:
		if was.Shown != nil && now.Shown != nil {
			r.events = false
			f := j.add(11, what, fmt.Sprintf("the APIs call it %s, and called it %s", names(now.Shown), names(was.Shown)), r, func(e *Effects) { e.Jobs = Safe })
			f.snake, f.camel = &snake, &camel
		}
	}
}

// moved judges another name in the database of what is called as before by all
// others: a declaration that kept the name was taken away. Processes of the
// version before stop at their next statement that has it.
func (j *judge) moved(kind int, what, says, keeps string, r reach) {
	r.sql, r.rest, r.graphql, r.cursors, r.jobs = true, false, false, false, nil
	j.add(kind, what, says, r, none(jobs)).Way = keeps + " keeps the name, which costs nothing; or add the new one beside it with expose.Backfill, and drop the old one in a later release"
}

// oldName judges the end of an old name that clients could use.
func (j *judge) oldName(what string, was, now *contract.Field, r reach) {
	if was.Shown == nil || now.Shown == nil || was.Name != now.Name {
		return
	}
	gone := func(name string, all ...string) bool { return name != "" && !slices.Contains(all, name) }
	r.sql, r.events, r.jobs = false, false, nil
	r.rest = gone(was.Shown.WasREST, now.Shown.REST, now.Shown.WasREST)
	r.graphql = gone(was.Shown.WasGraphQL, append(slices.Clone(now.Shown.GraphQL), now.Shown.WasGraphQL)...)
	if r.rest || r.graphql {
		j.add(11, what, "clients may not call it "+cmp.Or(was.Shown.WasREST, was.Shown.WasGraphQL)+" any longer", r, none(jobs))
	}
}

func names(s *contract.Shown) string {
	return strings.Join(append([]string{s.REST}, s.GraphQL...), ", ")
}

// subset reports whether all of the names are still there.
func subset(names, all []string) bool {
	return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(all, name) })
}

// sizes are bits, by what Ent calls the types of numbers.
var sizes = map[string]int{
	"int8": 8, "int16": 16, "int32": 32, "int": 64, "int64": 64, "uint8": 8, "uint16": 16, "uint32": 32, "uint64": 64, "float32": 32, "float64": 64,
}

// stored compares what the database keeps. A key is what stands for the id in
// paths.
func (j *judge) stored(what string, was, now *contract.Field, key bool, r reach) {
	j.typeChanged(what, was, now, r)
	switch {
	case was.Null && !now.Null:
		says, sets := "rows without a value are not allowed any longer", []set(nil)
		if now.Backfill != "" {
			sets = append(sets, none(rows), some(old))
		}
		j.add(15, what, says, r, sets...)
	case !was.Null && now.Null && (was.Shown == nil || now.Shown == nil || was.Shown.Nullable == now.Shown.Nullable):
		j.add(added, what, "rows may be without a value", r)
	}
	switch {
	case !was.Unique && now.Unique:
		j.add(19, what, "no two rows may have the same", r)
	case was.Unique && !now.Unique && !key && j.withinTenant(j.table(r.table), now.Column):
		j.add(20, what, "rows of two tenants may have the same", r, none(rest, graphQL))
	case was.Unique && !now.Unique && key:
		j.add(20, what, "rows may have the same, and it was the key of paths", r)
	case was.Unique && !now.Unique:
		j.add(20, what, "rows may have the same", r, none(rest, graphQL))
	}
}

// typeChanged compares the types of a field, in the database and in the APIs.
func (j *judge) typeChanged(what string, was, now *contract.Field, r reach) {
	kindWas, kindNow := "", ""
	if was.Shown != nil && now.Shown != nil {
		kindWas, kindNow = was.Shown.Kind+" "+j.typed(was.Shown.Ref)+" "+was.Shown.Currency, now.Shown.Kind+" "+now.Shown.Ref+" "+now.Shown.Currency
	}
	says := fmt.Sprintf("it is %s, and was %s", typeName(now), typeName(was))
	sizeWas, sizeNow := sizes[word(was.Stored)], sizes[word(now.Stored)]
	switch {
	case was.Stored == now.Stored && kindWas == kindNow:
	case strings.HasPrefix(kindWas, "Money") != strings.HasPrefix(kindNow, "Money") && kindNow != "", strings.HasPrefix(kindWas, "Money") && kindWas != kindNow,
		word(was.Stored) == "time.Time" && word(now.Stored) == "time.Time":
		if was.Stored == now.Stored { // the same numbers mean something else
			j.add(33, what, says, r, none(locks, old))
			return
		}
		j.add(33, what, says, r)
	case sizeWas > 0 && sizeNow >= sizeWas && was.Stored != now.Stored && sameFamily(was.Stored, now.Stored):
		j.add(12, what, says, r)
	case word(was.Stored) == word(now.Stored) && word(now.Stored) == "string" && longer(was.Stored, now.Stored):
		j.add(13, what, says, r)
	case was.Stored == now.Stored && j.repointed(was.Shown, now.Shown):
	default:
		j.add(14, what, says, r)
	}
}

// repointed reports whether it is an edge that came or went, or that leads
// elsewhere because the entity went: those tell.
func (j *judge) repointed(was, now *contract.Shown) bool {
	return (was.Ref == "") != (now.Ref == "") || was.Ref != "" && entity(j.after, j.typed(was.Ref)) == nil
}

func word(stored string) string {
	name, _, _ := strings.Cut(stored, " ")
	name, _, _ = strings.Cut(name, "(")
	return name
}

func sameFamily(a, b string) bool {
	return strings.TrimRight(word(a), "0123456789") == strings.TrimRight(word(b), "0123456789")
}

// longer reports whether a text may be longer: one without a length may be any.
func longer(was, now string) bool {
	length := func(stored string) int {
		n := 255 // Ent's for a text without one
		if _, size, ok := strings.Cut(stored, "("); ok {
			_, _ = fmt.Sscanf(size, "%d", &n)
		}
		return n
	}
	return length(now) >= length(was)
}

func typeName(f *contract.Field) string {
	if f.Shown == nil {
		return f.Stored
	}
	name := f.Shown.Kind
	if f.Shown.Ref != "" {
		name += " of " + f.Shown.Ref
	}
	if f.Shown.Currency != "" {
		name += " in " + f.Shown.Currency
	}
	return name + " (" + strings.Replace(f.Stored, "string(2147483647)", "text", 1) + ")" // Ent's for a text of any length
}

// values compares the values of an enum.
func (j *judge) values(what string, was, now []string, before map[string]string, r reach) {
	if len(was) == 0 || len(now) == 0 {
		return
	}
	named := map[string]bool{}
	for _, v := range was {
		if slices.Contains(now, v) {
			continue
		}
		to, mapped := before[v]
		switch {
		case mapped && !slices.Contains(was, to) && !named[to]:
			named[to] = true
			j.add(25, what, fmt.Sprintf("%s is called %s: clients may send either, and get the new one", v, to), r, some(rest), some(graphQL), none(cursors))
		case mapped:
			j.add(24, what, fmt.Sprintf("%s becomes %s: clients may send either, and get the new one", v, to), r, none(rows), some(old), some(rest), some(graphQL), none(cursors))
		default:
			j.add(24, what, v+" is none of its values any longer", r)
		}
	}
	for _, v := range now {
		if !slices.Contains(was, v) && !named[v] {
			j.add(23, what, v+" is one of its values", r)
		}
	}
}
