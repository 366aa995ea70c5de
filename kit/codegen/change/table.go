package change

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/contract"
)

// folds ends the name of a column that holds the folded text of another.
const folds = "_fold"

// sql is the reach of what only the databases know.
var sql = reach{sql: true}

// tables compares indexes and foreign keys. Those of columns and tables that
// come or go are part of that.
func (j *judge) tables() {
	for _, now := range j.after.Tables {
		i := slices.IndexFunc(j.before.Tables, func(t contract.Table) bool { return j.table(t.Name) == now.Name })
		if i >= 0 {
			j.indexes(j.before.Tables[i], now)
			j.keys(j.before.Tables[i], now)
		}
	}
}

func (j *judge) indexes(was, now contract.Table) {
	var gone, come []contract.Index
	had := make([]contract.Index, len(was.Indexes))
	for i, index := range was.Indexes {
		index.Columns = slices.Clone(index.Columns)
		for n, c := range index.Columns {
			index.Columns[n] = j.columnNow(now.Name, c)
		}
		had[i] = index
	}
	for _, index := range had {
		if !slices.ContainsFunc(now.Indexes, func(o contract.Index) bool { return same(index, o) }) && !j.ofCovered(now.Name, index) {
			gone = append(gone, index)
		}
	}
	for _, index := range now.Indexes {
		if !slices.ContainsFunc(had, func(o contract.Index) bool { return same(index, o) }) && !j.ofCovered(now.Name, index) {
			come = append(come, index)
		}
	}
	gone, come = j.led(now.Name, now.Indexes, gone, come)
	if j.reshaped[now.Name] { // they follow the order of listings
		gone = slices.DeleteFunc(gone, func(index contract.Index) bool {
			return slices.ContainsFunc(now.Indexes, func(o contract.Index) bool { return o.Columns[0] == index.Columns[0] })
		})
		come = slices.DeleteFunc(come, func(index contract.Index) bool {
			return slices.ContainsFunc(had, func(o contract.Index) bool { return o.Columns[0] == index.Columns[0] })
		})
	}
	gone = slices.DeleteFunc(gone, func(index contract.Index) bool { return j.unique(now.Name, index.Columns[0]) })
	// One of folded texts is how the database keeps that the text is unique.
	ofField := func(c *contract.Contract) func(index contract.Index) bool {
		return func(index contract.Index) bool {
			text, folded := strings.CutSuffix(index.Columns[0], folds)
			return folded && index.Unique && len(index.Columns) == 1 && unique(c, now.Name, text)
		}
	}
	gone, come = slices.DeleteFunc(gone, ofField(j.before)), slices.DeleteFunc(come, ofField(j.after))
	for _, index := range gone {
		kind := 42
		sets := []set(nil)
		if index.Unique {
			kind, sets = 20, append(sets, none(rest, graphQL))
		}
		j.add(kind, now.Name, "the index of "+strings.Join(index.Columns, ", ")+where(index)+" goes", sql, sets...)
	}
	for _, index := range come {
		kind, r := 41, sql
		if index.Unique {
			kind, r = 19, everywhere
		}
		j.add(kind, now.Name, "an index of "+strings.Join(index.Columns, ", ")+where(index), r)
	}
}

// unique reports whether the column is unique, so that it needs no other index.
func (j *judge) unique(table, column string) bool { return unique(j.after, table, column) }

func unique(c *contract.Contract, table, column string) bool {
	return slices.ContainsFunc(c.Entities, func(e contract.Entity) bool {
		return e.Table == table && slices.ContainsFunc(e.Fields, func(f contract.Field) bool { return f.Column == column && f.Unique })
	})
}

func where(index contract.Index) string {
	if index.Where == "" {
		return ""
	}
	return " where " + index.Where
}

func same(a, b contract.Index) bool {
	return a.Unique == b.Unique && a.Where == b.Where && slices.Equal(a.Columns, b.Columns)
}

// ofCovered reports whether the index has a column that comes or goes.
func (j *judge) ofCovered(table string, index contract.Index) bool {
	return slices.ContainsFunc(index.Columns, func(c string) bool {
		return j.covers(table, c) || j.covers(table, strings.TrimSuffix(c, "_units")) || strings.HasSuffix(c, "_units")
	})
}

func (j *judge) keys(was, now contract.Table) {
	for _, key := range now.Keys {
		for _, had := range was.Keys {
			column := j.columnNow(now.Name, had.Column)
			if column != key.Column || had.OnDelete == key.OnDelete || j.covers(now.Name, column) {
				continue
			}
			r := everywhere
			r.jobs = []string{column}
			j.add(37, now.Name+"."+key.Column, fmt.Sprintf("when a row of %s is removed: %s, and was %s", key.To, rule(key), rule(had)), r)
		}
	}
}

func rule(k contract.ForeignKey) string {
	if k.OnDelete == "" {
		return "NO ACTION"
	}
	return k.OnDelete
}

// checks compares the conditions that the database keeps.
func (j *judge) checks(was, now *contract.Entity, r reach) {
	r.events = false
	for _, c := range now.Checks {
		i := slices.IndexFunc(was.Checks, func(o contract.Check) bool { return o.Name == c.Name })
		if i < 0 {
			j.add(21, now.Name, fmt.Sprintf("the check %s: %s", c.Name, c.SQL), r)
		} else if renamed(was.Checks[i].SQL, was, now) != c.SQL {
			j.add(21, now.Name, fmt.Sprintf("the check %s is %s, and was %s", c.Name, c.SQL, was.Checks[i].SQL), r)
		}
	}
	for _, c := range was.Checks {
		if !slices.ContainsFunc(now.Checks, func(o contract.Check) bool { return o.Name == c.Name }) {
			j.add(22, now.Name, "the check "+c.Name+" goes: "+c.SQL, r)
		}
	}
}

// tree compares the trees that the database keeps the rows as.
func (j *judge) tree(was, now *contract.Entity, r reach) {
	r.events = false
	had, has := was.Tree, now.Tree
	switch {
	case has == nil && had != nil:
		j.add(22, now.Name, "its rows make no tree any longer", r)
	case has != nil && (had == nil || j.columnNow(now.Table, had.Column) != has.Column):
		j.add(21, now.Name, fmt.Sprintf("its rows make a tree by %s, of at most %d levels", has.Column, has.Levels), r)
	case has != nil && has.Levels != had.Levels:
		kind := 21
		if has.Levels > had.Levels {
			kind = 22
		}
		j.add(kind, now.Name, fmt.Sprintf("the tree has at most %d levels, and had %d", has.Levels, had.Levels), r)
	}
}

// topics compares what is announced.
func (j *judge) topics(was, now *contract.Entity, r reach) {
	r.events = true
	for _, had := range was.Topics {
		what := now.Name + " " + had.Name
		i := slices.IndexFunc(now.Topics, func(t contract.Topic) bool { return t.Name == had.Name })
		if i < 0 {
			j.add(47, what, "the topic is not announced any longer", r)
			j.enqueued(what, had, contract.Topic{})
			continue
		}
		has := now.Topics[i]
		j.enqueued(what, had, has)
		had = j.topicNow(now.Table, had)
		for _, column := range had.Payload {
			if !slices.Contains(has.Payload, column) && !j.covers(now.Table, column) {
				j.add(47, what, "its payload is without "+column, r)
			}
		}
		for _, column := range has.Payload {
			if !slices.Contains(had.Payload, column) {
				j.add(47, what, "its payload has "+column+" too", r, some(events))
			}
		}
		if had.Key != has.Key {
			j.add(47, what, fmt.Sprintf("its key is %s, and was %s", orID(has.Key), orID(had.Key)), r)
		}
		if !slices.Equal(had.On, has.On) {
			j.add(47, what, "it is announced in other cases: "+strings.Join(has.On, "; "), r)
		}
		if had.Subscription != "" && had.Subscription != has.Subscription {
			j.add(40, what, "the subscription "+had.Subscription+" goes", r, none(rest))
		}
	}
	for _, t := range now.Topics {
		if !slices.ContainsFunc(was.Topics, func(o contract.Topic) bool { return o.Name == t.Name }) {
			j.add(added, now.Name+" "+t.Name, "a new topic", r)
			j.enqueued(now.Name+" "+t.Name, contract.Topic{}, t)
		}
	}
}

// topicNow is a topic before with the names that columns have now: a rename
// changes its payload, too.
func (j *judge) topicNow(table string, t contract.Topic) contract.Topic {
	t.Payload, t.On = slices.Clone(t.Payload), slices.Clone(t.On)
	for i, column := range t.Payload {
		t.Payload[i] = j.columnNow(table, column)
	}
	for i, on := range t.On {
		t.On[i] = ofRow.ReplaceAllStringFunc(on, func(name string) string { return name[:len("NEW.")] + j.columnNow(table, name[len("NEW."):]) })
	}
	if t.Key != "" {
		t.Key = j.columnNow(table, t.Key)
	}
	return t
}

// ofRow matches the columns that a condition names.
var ofRow = regexp.MustCompile(`\b(NEW|OLD)\.\w+`)

// columnNow is the name now of a column before.
func (j *judge) columnNow(table, column string) string {
	if now := j.columns[table+"."+column]; now != "" {
		return now
	}
	if text, ok := strings.CutSuffix(column, folds); ok { // it follows from the text
		if now := j.columns[table+"."+text]; now != "" {
			return now + folds
		}
	}
	return column
}

func orID(key string) string {
	if key == "" {
		return "id"
	}
	return key
}
