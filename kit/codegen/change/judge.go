package change

import (
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/naming"
)

// Judge says what leads from one contract to the other does: a finding for each
// declared change, the worst first.
func Judge(before, after *contract.Contract) []Finding {
	j := &judge{before: before, after: after, kinds: Kinds(), types: map[string]string{}, covered: map[string]bool{}, columns: map[string]string{}}
	j.entities()
	j.tables()
	j.jobs()
	j.hand()
	slices.SortStableFunc(j.found, order)
	return j.found
}

type judge struct {
	before, after *contract.Contract
	kinds         []Kind
	found         []Finding
	// types are the names of entities now, by those before; tables likewise.
	types, tableNames map[string]string
	// covered are columns ("posts.note") that come or go: what is made of them is
	// part of that change. columns are their names now, by those before.
	covered map[string]bool
	columns map[string]string
	// reshaped are tables whose indexes follow a change of their listing.
	reshaped map[string]bool
}

// reach has the areas that a change can affect.
type reach struct {
	sql, rest, graphql, cursors, events bool
	// jobs are names of arguments by which jobs refer to what changes.
	jobs []string
	// table and column are those of the command.
	table, column string
}

// everywhere is the reach of what is no part of an entity.
var everywhere = reach{sql: true, rest: true, graphql: true, cursors: true, events: true}

// set has the finding have an effect, whatever its kind says.
type set func(*Effects)

// none takes an effect away.
func none(all ...func(*Effects) *Effect) set {
	return func(e *Effects) {
		for _, of := range all {
			*of(e) = Safe
		}
	}
}

func rows(e *Effects) *Effect        { return &e.Rows }
func locks(e *Effects) *Effect       { return &e.Locks }
func old(e *Effects) *Effect         { return &e.Old }
func rest(e *Effects) *Effect        { return &e.REST }
func graphQL(e *Effects) *Effect     { return &e.GraphQL }
func cursors(e *Effects) *Effect     { return &e.Cursors }
func jobs(e *Effects) *Effect        { return &e.Jobs }
func events(e *Effects) *Effect      { return &e.Events }
func permissions(e *Effects) *Effect { return &e.Permissions }

// some has an effect depend, where it would break.
func some(of func(*Effects) *Effect) set {
	return func(e *Effects) { *of(e) = min(*of(e), Depends) }
}

// add adds a finding of the kind, with the effects that can be felt, and returns
// it until the next one is added.
func (j *judge) add(kind int, what, says string, r reach, sets ...set) *Finding {
	k := j.kinds[kind]
	e := k.Effects()
	if k.Taken() {
		e.Locks = min(e.Locks, Depends)
	}
	for _, masked := range []struct {
		felt bool
		of   []*Effect
	}{
		{r.sql, []*Effect{&e.Rows, &e.Locks, &e.Old}}, {r.rest, []*Effect{&e.REST}}, {r.graphql, []*Effect{&e.GraphQL}},
		{r.cursors, []*Effect{&e.Cursors}}, {r.events, []*Effect{&e.Events}}, {r.rest || r.graphql, []*Effect{&e.Permissions}},
	} {
		for _, of := range masked.of {
			if !masked.felt {
				*of = Safe
			}
		}
	}
	e.Jobs = min(e.Jobs, j.jobsFeel(r.jobs))
	for _, s := range sets {
		s(&e)
	}
	place := r.table
	if r.column != "" {
		place += "." + r.column
	}
	fill := strings.NewReplacer("{what}", what, "{table}.{column}", place, "{table}", r.table, "{column}", r.column, "{code}", k.Code)
	command := k.Command
	if command != "" && !r.sql { // there is nothing to migrate
		command = accept
	}
	j.found = append(j.found, Finding{
		Kind: k.Number, Code: k.Code, What: what, Says: says, Verdict: e.Worst(), Effects: e, Way: fill.Replace(k.Way), Command: fill.Replace(command),
	})
	return &j.found[len(j.found)-1]
}

// jobsFeel is the effect on jobs whose arguments have one of the names. For other
// jobs it depends on the columns that their handlers read.
func (j *judge) jobsFeel(names []string) Effect {
	if len(j.before.Jobs) == 0 {
		return Safe
	}
	for _, job := range j.before.Jobs {
		for _, a := range job.Args {
			if slices.Contains(names, a.Name[strings.LastIndex(a.Name, ".")+1:]) {
				return Breaks
			}
		}
	}
	return Depends
}

// reachOf has the areas that a change of the entity affects.
func reachOf(e *contract.Entity) reach {
	name := naming.Snake(e.Name)
	return reach{
		sql: true, rest: e.Exposed, graphql: e.Exposed, cursors: e.Exposed && e.Order != "", events: len(e.Topics) > 0,
		jobs: []string{name, name + "_id", name + "_ids"}, table: e.Table,
	}
}

// entities compares the entities, those first that came or went.
func (j *judge) entities() {
	pairs := j.pair()
	for i := range j.before.Entities {
		was := &j.before.Entities[i]
		if _, stays := j.types[was.Name]; !stays {
			j.coverTable(was.Table)
			r := reachOf(was)
			r.table = strings.Join(append([]string{was.Table}, j.joinTables(was)...), " --drop ")
			j.add(2, was.Name, "the entity goes, with the table "+was.Table, r).sunset(was.Sunset).ask(was.Name, "entity", newcomers(pairs))
		}
	}
	j.links()
	for _, p := range pairs {
		if p.was == nil {
			j.coverTable(p.now.Table)
			j.add(1, p.now.Name, "a new entity", reachOf(p.now))
			continue
		}
		j.entity(p.was, p.now)
	}
}

// joinTables are those that go with an entity: they are no entity's own.
func (j *judge) joinTables(e *contract.Entity) (names []string) {
	for _, t := range j.before.Tables {
		refers := slices.ContainsFunc(t.Keys, func(k contract.ForeignKey) bool { return k.To == e.Table })
		own := slices.ContainsFunc(j.before.Entities, func(o contract.Entity) bool { return o.Table == t.Name })
		stays := slices.ContainsFunc(j.after.Tables, func(o contract.Table) bool { return o.Name == j.table(t.Name) })
		if refers && !own && !stays {
			names = append(names, t.Name)
		}
	}
	return names
}

type pair struct{ was, now *contract.Entity }

// pair finds what each entity was before.
func (j *judge) pair() (pairs []pair) {
	j.tableNames, j.reshaped = map[string]string{}, map[string]bool{}
	for i := range j.after.Entities {
		now := &j.after.Entities[i]
		was := entity(j.before, now.Name)
		if was == nil && now.Was != "" {
			was = entity(j.before, now.Was)
		}
		if was != nil {
			j.types[was.Name], j.tableNames[was.Table] = now.Name, now.Table
		}
		pairs = append(pairs, pair{was, now})
	}
	return pairs
}

func entity(c *contract.Contract, name string) *contract.Entity {
	for i := range c.Entities {
		if c.Entities[i].Name == name {
			return &c.Entities[i]
		}
	}
	return nil
}

// typed is the name now of an entity before.
func (j *judge) typed(name string) string {
	if now, ok := j.types[name]; ok {
		return now
	}
	return name
}

// table is the name now of a table before.
func (j *judge) table(name string) string {
	if now, ok := j.tableNames[name]; ok {
		return now
	}
	return name
}

func (j *judge) cover(table, column string) { j.covered[table+"."+column] = true }
func (j *judge) coverTable(table string)    { j.cover(table, "") }
func (j *judge) covers(table, column string) bool {
	return j.covered[table+"."+column] || j.covered[table+"."]
}

// entity compares an entity with what it was.
func (j *judge) entity(was, now *contract.Entity) {
	r := reachOf(was)
	if !now.Exposed {
		r.rest, r.graphql, r.cursors = false, false, false
	}
	if was.Name != now.Name {
		whole := reachOf(was)
		whole.rest = whole.rest && was.Path != now.Path
		whole.sql = was.Table != now.Table
		says, sets := "it was "+was.Name+": rows stay, the names of the type and its operations do not", []set(nil)
		if now.Was == was.Name && now.Exposed {
			// The names of operations and types are taken; __typename and the ids that are shown have the new one.
			says = "it was " + was.Name + ": rows stay, and clients may use the names before of operations and types, and __typename has the new one"
			whole.cursors = false
			sets = append(sets, some(graphQL))
			if was.Path == now.WasPath {
				sets = append(sets, some(rest))
			}
		}
		j.add(3, now.Name, says, whole, sets...).Was = was.Name
	} else if was.Table != now.Table {
		j.moved(3, now.Name, fmt.Sprintf("the table is %s, and was %s", now.Table, was.Table), "entsql.Table", reach{table: now.Table})
	}
	switch {
	case was.Exposed && !now.Exposed:
		j.add(4, now.Name, "no API shows it any longer", reachOf(was))
	case !was.Exposed && now.Exposed:
		j.add(added, now.Name, "the APIs show it", r)
	case was.Exposed:
		j.shape(was, now, r)
	}
	if was.SoftDelete != now.SoftDelete {
		word := "rows that are deleted stay, hidden"
		if was.SoftDelete {
			word = "rows that are deleted are gone at once"
		}
		for _, column := range []string{"deleted_at", "deleted_with"} {
			j.cover(now.Table, column)
		}
		j.reshaped[now.Table] = true
		j.add(38, now.Name, word, r)
	}
	j.fields(was, now, r)
	j.checks(was, now, r)
	j.tree(was, now, r)
	j.tenant(was, now, r)
	j.topics(was, now, r)
	if was.Exposed && now.Exposed {
		j.edges(was, now, r)
		j.derived(was, now, r)
		j.calcs(was, now, r)
		j.operations(was, now, r)
		j.rules(was, now, r)
	}
}

// shape compares where and in which order the APIs have the entity.
func (j *judge) shape(was, now *contract.Entity, r reach) {
	if was.Name == now.Name && was.Path != now.Path || j.typed(was.Under) != now.Under || was.Key != now.Key {
		j.add(5, now.Name, fmt.Sprintf("it is at /%s, and was at /%s", place(now), place(was)), r)
	}
	if was.Name == now.Name && was.Connection != now.Connection {
		j.add(40, now.Name, fmt.Sprintf("GraphQL calls its connection %s, and called it %s", now.Connection, was.Connection), r, none(rest))
	}
	var says []string
	var sets []set
	if was.Order != now.Order {
		says = append(says, fmt.Sprintf("the order is %s, and was %s", orNone(now.Order), orNone(was.Order)))
		j.reshaped[now.Table] = true
	} else {
		sets = append(sets, none(cursors))
	}
	if was.Page != now.Page {
		says = append(says, fmt.Sprintf("a page has %d rows, and had %d", now.Page, was.Page))
	}
	if len(says) > 0 && was.Order != "" && now.Order != "" {
		j.add(32, now.Name, strings.Join(says, "; "), r, sets...)
	}
}

func place(e *contract.Entity) string {
	at := e.Path
	if e.Under != "" {
		at = "{" + e.Under + "}/" + at
	}
	if e.Key != "" {
		at += "/{" + e.Key + "}"
	}
	return at
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}
