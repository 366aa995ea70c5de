package triggers

import (
	"fmt"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// trees are the triggers that refuse a row that would come to be below itself,
// and one that would make its tree deeper than is declared. They speak after
// the row is written, so that one statement that moves several rows is judged
// by what it leads to.
//
// On PostgreSQL two transactions that each see no cycle could make one
// together: who moves a row is alone in the tree until its transaction ends,
// and those who add rows, of which none has any below it, take turns with it
// alone. Each statement of the function sees what was committed before the lock
// was had (READ COMMITTED). SQLite has one writer.
func trees(m *model.Model) (postgres, sqlite []Object) {
	for _, t := range m.Graph.Nodes {
		tree := model.TreeOf(t)
		if tree == nil {
			continue
		}
		w := walk{tree}
		for _, on := range []string{"insert", "update"} {
			one := w.trigger(on)
			both, lite := one.postgres(), one.sqlite()
			if on == "insert" {
				w.ask(&both[0])
				w.ask(&lite)
			}
			postgres, sqlite = append(postgres, both...), append(sqlite, lite)
		}
	}
	return postgres, sqlite
}

// walk writes the queries along a tree.
type walk struct{ *model.Tree }

func (w walk) trigger(on string) trigger {
	table, key := w.Entity.Table(), w.Key.StorageKey()
	t := trigger{name: w.Name() + "_on_" + on, table: table, on: on, when: fmt.Sprintf("NEW.%q IS NOT NULL", key)}
	lock := "pg_advisory_xact_lock_shared"
	if on == "update" {
		t.when += fmt.Sprintf(" AND (OLD.%q IS NULL OR OLD.%[1]q <> NEW.%[1]q)", key)
		lock = "pg_advisory_xact_lock"
	}
	t.body = []string{fmt.Sprintf("PERFORM %s(hashtext('%s'));", lock, w.Name())}
	for _, rule := range []struct{ name, broken string }{{w.Cycle(), w.cycle()}, {w.Depth(), w.deep()}} {
		t.body = append(t.body, fmt.Sprintf("IF %s THEN\n\t\tRAISE EXCEPTION 'the rule %s is broken' USING ERRCODE = 'check_violation', CONSTRAINT = '%[2]s', TABLE = '%s', COLUMN = '%s';\n\tEND IF;",
			rule.broken, rule.name, table, key))
		t.lite = append(t.lite, fmt.Sprintf("SELECT RAISE(ABORT, 'CHECK constraint failed: %s') WHERE %s;", rule.name, rule.broken))
	}
	return t
}

// up is the way from the row above the new one to its root, or back to itself:
// one step more than there can be.
func (w walk) up() string {
	return fmt.Sprintf(`WITH RECURSIVE "up"("id", "step") AS (SELECT NEW.%[2]q, 1 UNION ALL SELECT "above".%[2]q, "up"."step" + 1 FROM "up" JOIN %[1]q AS "above" ON "above"."id" = "up"."id" WHERE "above".%[2]q IS NOT NULL AND "up"."id" <> NEW."id" AND "up"."step" <= %[3]d)`,
		w.Entity.Table(), w.Key.StorageKey(), w.Levels)
}

func (w walk) cycle() string {
	return `EXISTS (` + w.up() + ` SELECT 1 FROM "up" WHERE "up"."id" = NEW."id")`
}

// deep holds where there are too many levels above the row and below it, with
// its own.
func (w walk) deep() string {
	down := fmt.Sprintf(`WITH RECURSIVE "down"("id", "level") AS (SELECT NEW."id", 1 UNION ALL SELECT "below"."id", "down"."level" + 1 FROM "down" JOIN %[1]q AS "below" ON "below".%[2]q = "down"."id" WHERE "down"."level" <= %[3]d)`,
		w.Entity.Table(), w.Key.StorageKey(), w.Levels)
	return fmt.Sprintf(`(%s SELECT max("up"."step") FROM "up") + (%s SELECT max("down"."level") FROM "down") > %d`, w.up(), down, w.Levels)
}

// ask has the object made only where the rows that are there make a tree. A row
// that the way from the roots does not reach has too many above it, or is above
// itself.
func (w walk) ask(o *Object) {
	table, key := w.Entity.Table(), w.Key.StorageKey()
	o.Of = table + "." + key
	o.Says = fmt.Sprintf("%s makes no tree of at most %d levels of these rows, which are above themselves or too deep: change it first", key, w.Levels)
	o.Refuses = fmt.Sprintf(`"id" NOT IN (WITH RECURSIVE "down"("id", "level") AS (SELECT "id", 1 FROM %[1]q WHERE %[2]q IS NULL UNION ALL SELECT "below"."id", "down"."level" + 1 FROM "down" JOIN %[1]q AS "below" ON "below".%[2]q = "down"."id" WHERE "down"."level" < %[3]d) SELECT "id" FROM "down")`,
		table, key, w.Levels)
}
