package writing_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/reading"
	"github.com/entwine-go/entwine/kit/runtime/store"
	"github.com/entwine-go/entwine/kit/runtime/writing"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A crate has labels, which its owner attaches; admins alone see secret labels.
var crates = storetest.Schema{Key: "crates-1", Up: func(ctx context.Context, db *store.DB) error {
	flag := "bool"
	if db.Dialect == dialect.Postgres {
		flag = "boolean"
	}
	for _, statement := range []string{
		`CREATE TABLE "crates" ("id" bigint PRIMARY KEY, "name" text NOT NULL, "owner_id" bigint NOT NULL, "version" bigint NOT NULL DEFAULT 1)`,
		`CREATE TABLE "labels" ("id" bigint PRIMARY KEY, "secret" ` + flag + ` NOT NULL)`,
		`CREATE TABLE "crate_labels" ("crate_id" bigint NOT NULL REFERENCES "crates", "label_id" bigint NOT NULL REFERENCES "labels", PRIMARY KEY ("crate_id", "label_id"))`,
		`INSERT INTO "crates" ("id", "name", "owner_id") VALUES (1, 'one', 7)`,
	} {
		if _, err := db.ExecContext(ctx, statement); err != nil {
			return err
		}
	}
	for id := 1; id <= 120; id++ { // the last twenty are secret
		if _, err := db.ExecContext(ctx, fmt.Sprintf(`INSERT INTO "labels" ("id", "secret") VALUES (%d, %d = 1)`, id, (id-1)/100)); err != nil {
			return err
		}
	}
	return nil
}}

var (
	owner    = &viewer.Viewer{UserID: 7, Role: viewer.User}
	stranger = &viewer.Viewer{UserID: 8, Role: viewer.User}
	admin    = &viewer.Viewer{UserID: 9, Role: viewer.Admin}
	inREST   = &writing.API{
		Field:   func(f *reading.Field) string { return f.REST },
		ParseID: writing.PlainID, ShowID: func(_ string, id int64) any { return id },
	}
	inGraphQL = &writing.API{
		Field: func(f *reading.Field) string { return f.GraphQL[0] }, Prefix: "input.",
		ParseID: writing.PlainID, ShowID: func(_ string, id int64) any { return id },
	}
)

// mutation writes a row as Ent's mutations do, as far as the engine asks.
type mutation struct {
	ent.Mutation
	db       *store.DB
	set, add map[string]any
	where    []func(*sql.Selector)
}

func (m *mutation) SetField(name string, v ent.Value) error { m.set[name] = v; return nil }
func (m *mutation) AddField(name string, v ent.Value) error { m.add[name] = v; return nil }
func (m *mutation) WhereP(ps ...func(*sql.Selector))        { m.where = append(m.where, ps...) }

func (m *mutation) update(ctx context.Context) (int, error) {
	u := sql.Dialect(m.db.Dialect).Update("crates")
	for name, v := range m.set {
		u.Set(name, v)
	}
	for name, v := range m.add {
		u.Add(name, v)
	}
	s := sql.Dialect(m.db.Dialect).Select().From(sql.Table("crates"))
	for _, where := range m.where {
		where(s)
	}
	text, args := u.Where(s.P()).Query()
	result, err := m.db.ExecContext(ctx, text, args...)
	if err != nil {
		return 0, err
	}
	n, err := result.RowsAffected()
	return int(n), err
}

// room is the engine over the crates, and what it has done.
type room struct {
	*testing.T
	*writing.Engine
	crate *writing.Entity
	log   *store.Log
}

func eachRoom(t *testing.T, test func(r *room)) {
	crates.Each(t, func(t *testing.T, db *store.DB) {
		field := func(name string, kind reading.Kind) *reading.Field {
			return &reading.Field{Name: name, Column: name, REST: name, GraphQL: []string{name}, Kind: kind}
		}
		label := &reading.Entity{
			Name: "Label", Singular: "label", Path: "labels", Table: "labels", Fields: []*reading.Field{field("id", reading.ID)},
			Rules: policy.Rules{Read: policy.Any(policy.Is("secret", false), policy.Roles(viewer.Admin))},
		}
		e := &reading.Entity{
			Name: "Crate", Singular: "crate", Path: "crates", Table: "crates",
			Fields: []*reading.Field{field("id", reading.ID), field("name", reading.String), field("owner_id", reading.Ref), field("version", reading.Int)},
			Rules: policy.Rules{Read: policy.SignedIn(), Verbs: policy.Verbs{
				policy.Create: policy.SignedIn(), policy.Update: policy.Any(policy.Owner("owner_id"), policy.Roles(viewer.Admin)),
			}},
		}
		e.Edges = []*reading.Edge{{Name: "labels", To: label, Many: true, Join: &reading.Join{Table: "crate_labels", From: "crate_id", To: "label_id"}}}
		next := int64(1)
		crate := &writing.Entity{
			Entity: e, Versioned: true,
			Fields: []*writing.Field{
				{Field: e.Fields[0]}, {Field: e.Fields[1], OnCreate: true, OnUpdate: true, Required: true},
				{Field: e.Fields[2], OnCreate: true, Caller: true}, {Field: e.Fields[3]},
			},
			Edges: []*writing.Edge{writing.Attached(e.Edges[0], "label_ids", "labelIDs")},
			Create: func(writing.Client) writing.Insert {
				m := &mutation{db: db, set: map[string]any{}}
				return writing.Insert{Mutation: m, Builder: m}
			},
			Insert: func(ctx context.Context, _ writing.Client, all ...writing.Insert) (rows []writing.Row, err error) {
				b := sql.Dialect(db.Dialect).Insert("crates").Columns("id", "name", "owner_id")
				for _, one := range all {
					next++
					b.Values(next, one.Builder.(*mutation).set["name"], one.Builder.(*mutation).set["owner_id"])
					rows = append(rows, writing.Row{ID: next, Made: true})
				}
				text, args := b.Query()
				_, err = db.ExecContext(ctx, text, args...)
				return rows, err
			},
			Update: func(writing.Client) writing.Update {
				m := &mutation{db: db, set: map[string]any{}, add: map[string]any{}}
				return writing.Update{Mutation: m, Run: m.update}
			},
			Get: func(ctx context.Context, _ writing.Client, where ...func(*sql.Selector)) (func(string) any, error) {
				s := sql.Dialect(db.Dialect).Select("id", "name", "owner_id", "version").From(sql.Table("crates"))
				for _, w := range where {
					w(s)
				}
				text, args := s.Query()
				rows, err := db.QueryContext(ctx, text, args...)
				if err != nil {
					return nil, err
				}
				defer rows.Close()
				var id, owner, version int64
				var name string
				if !rows.Next() {
					return nil, fmt.Errorf("no such crate: %w", rows.Err())
				}
				err = rows.Scan(&id, &name, &owner, &version)
				values := map[string]any{"id": id, "name": name, "owner_id": owner, "version": version}
				return func(field string) any { return values[field] }, err
			},
		}
		test(&room{T: t, crate: crate, Engine: &writing.Engine{
			DB: db, Client: db, Reader: &reading.Reader{DB: db, Dialect: db.Dialect}, Entities: []*writing.Entity{crate},
		}})
	})
}

// as is a context in which statements are counted.
func (r *room) as(v *viewer.Viewer) context.Context {
	r.log = &store.Log{}
	return viewer.With(store.WithStatementLog(r.Context(), r.log), v)
}

// has compares what is attached to a crate, and its version.
func (r *room) has(what string, id, version int64, labels ...int64) {
	r.Helper()
	rows, err := r.DB.QueryContext(r.Context(), fmt.Sprintf(`SELECT "label_id" FROM "crate_labels" WHERE "crate_id" = %d ORDER BY 1`, id))
	if err != nil {
		r.Fatal(err)
	}
	defer rows.Close()
	var got []int64
	for rows.Next() {
		var one int64
		if err := rows.Scan(&one); err != nil {
			r.Fatal(err)
		}
		got = append(got, one)
	}
	get, err := r.crate.Get(r.Context(), nil, func(s *sql.Selector) { s.Where(sql.EQ("id", id)) })
	if err != nil {
		r.Fatal(err)
	}
	if !slices.Equal(got, labels) || get("version") != version {
		r.Errorf("%s: labels %v at version %v, want %v at %d", what, got, get("version"), labels, version)
	}
}

func (r *room) call(api *writing.API, members map[string]any) writing.Call {
	return writing.Call{Entity: r.crate, ID: 1, Input: writing.Input{API: api, Members: members}}
}

// update changes the crate, and returns the kind of the refusal with the fields
// that it blames.
func (r *room) update(v *viewer.Viewer, api *writing.API, replace bool, members map[string]any) string {
	_, err := r.Update(r.as(v), r.call(api, members), replace)
	return blames(err)
}

func blames(err error) string {
	if err == nil {
		return ""
	}
	p := problem.As(err)
	if p == nil {
		return err.Error()
	}
	text := fmt.Sprint(p.Kind.Answer().Status)
	for _, d := range p.Details {
		text += " " + d.Field
	}
	return text
}

func numbers(from, to int) (list []any) {
	for id := from; id <= to; id++ {
		list = append(list, int64(id))
	}
	return list
}

func TestEdgesAreSetInInputs(t *testing.T) {
	eachRoom(t, func(r *room) {
		for i, c := range []struct {
			what    string
			who     *viewer.Viewer
			api     *writing.API
			replace bool
			members map[string]any
			want    string
			version int64
			labels  []int64
		}{
			{"set", owner, inREST, false, map[string]any{"label_ids": []any{int64(3), int64(1), int64(3)}}, "", 2, []int64{1, 3}},
			{"set to the same", owner, inREST, false, map[string]any{"label_ids": numbers(1, 1), "name": "one"}, "", 3, []int64{1}},
			{"the same", owner, inREST, false, map[string]any{"label_ids": numbers(1, 1), "name": "one"}, "", 3, []int64{1}},
			{"only a name", owner, inREST, false, map[string]any{"label_ids": numbers(1, 1), "name": "two"}, "", 4, []int64{1}},
			{"added", owner, inGraphQL, false, map[string]any{"addLabelIDs": numbers(1, 3)}, "", 5, []int64{1, 2, 3}},
			{"added again", owner, inGraphQL, false, map[string]any{"addLabelIDs": numbers(1, 3)}, "", 5, []int64{1, 2, 3}},
			{"removed and added", owner, inGraphQL, false, map[string]any{"addLabelIDs": numbers(4, 4), "removeLabelIDs": numbers(1, 2)}, "", 6, []int64{3, 4}},
			{"removed again", owner, inGraphQL, false, map[string]any{"removeLabelIDs": numbers(1, 2)}, "", 6, []int64{3, 4}},
			{"secret", admin, inGraphQL, false, map[string]any{"addLabelIDs": numbers(101, 101)}, "", 7, []int64{3, 4, 101}},
			{"what one can't read stays", owner, inREST, true, map[string]any{"name": "two"}, "", 8, []int64{101}},
			{"replaced", owner, inREST, true, map[string]any{"name": "two", "label_ids": numbers(1, 2)}, "", 9, []int64{1, 2, 101}},
			{"absent from a change", owner, inREST, false, map[string]any{"name": "three"}, "", 10, []int64{1, 2, 101}},
			{"a stranger", stranger, inREST, false, map[string]any{"label_ids": numbers(1, 9)}, "403", 10, []int64{1, 2, 101}},
			{"nobody", viewer.Anonymous(), inREST, false, map[string]any{"label_ids": numbers(1, 9)}, "401", 10, []int64{1, 2, 101}},
			{"null", owner, inREST, false, map[string]any{"label_ids": nil}, "400 label_ids", 10, []int64{1, 2, 101}},
			{"all that is wrong", owner, inREST, false, map[string]any{"name": nil, "label_ids": []any{int64(101), "x", int64(1), int64(999)}},
				"400 name label_ids[1] label_ids[0] label_ids[3]", 10, []int64{1, 2, 101}},
			{"both", owner, inGraphQL, false, map[string]any{"addLabelIDs": numbers(5, 6), "removeLabelIDs": numbers(6, 6)}, "400 input.removeLabelIDs[0]", 10, []int64{1, 2, 101}},
			{"set and added", owner, inGraphQL, false, map[string]any{"labelIDs": numbers(5, 5), "addLabelIDs": numbers(6, 6)}, "400 input.addLabelIDs", 10, []int64{1, 2, 101}},
			{"REST has no name for it", owner, inREST, false, map[string]any{"": numbers(5, 5)}, "400 ", 10, []int64{1, 2, 101}},
			{"too many at once", owner, inREST, false, map[string]any{"label_ids": append(numbers(1, 100), int64(1))}, "422 label_ids", 10, []int64{1, 2, 101}},
			{"too many together", owner, inGraphQL, false, map[string]any{"addLabelIDs": numbers(1, 60), "removeLabelIDs": append(numbers(61, 100), int64(61))}, "422 input.removeLabelIDs", 10, []int64{1, 2, 101}},
		} {
			if got := r.update(c.who, c.api, c.replace, c.members); got != c.want {
				r.Errorf("%d, %s: %q, want %q", i, c.what, got, c.want)
			}
			r.has(c.what, 1, c.version, c.labels...)
		}
		stale := r.call(inREST, map[string]any{"label_ids": numbers(7, 7)})
		stale.Expect.Versions = []int64{9}
		if _, err := r.Update(r.as(owner), stale, false); problem.KindOf(err) != problem.PreconditionFailed {
			r.Errorf("at a stale version: %v", err)
		}
		r.has("at a stale version", 1, 10, 1, 2, 101)
	})
}

// However many rows are attached, the statements are as many.
func TestEdgesTakeAsManyStatementsForAny(t *testing.T) {
	eachRoom(t, func(r *room) {
		statements := map[int]int{}
		for _, n := range []int{1, 100} {
			c := r.call(inREST, map[string]any{"name": "new", "label_ids": numbers(1, n)})
			c.ID = 0
			row, err := r.Create(r.as(owner), c)
			if err != nil {
				r.Fatal(err)
			}
			labels := make([]int64, n)
			for i := range labels {
				labels[i] = int64(i + 1)
			}
			r.has("created", row.ID, 1, labels...)
			statements[n] = len(r.log.Statements())
			if got := r.update(owner, inREST, false, map[string]any{"label_ids": numbers(1, n), "name": fmt.Sprint(n)}); got != "" {
				r.Fatal(got)
			}
			statements[n] += 100 * len(r.log.Statements())
		}
		if statements[1] != statements[100] || statements[1] != 503 {
			r.Errorf("statements for one label and for a hundred: %v, want 3 for a create and 5 for an update", statements)
		}

		items := make([]writing.Input, 3)
		for i := range items {
			items[i] = writing.Input{API: inREST, At: fmt.Sprintf("crates[%d].", i), Members: map[string]any{"name": "many", "label_ids": numbers(1, 10*i)}}
		}
		made, err := r.CreateMany(r.as(owner), writing.Call{Entity: r.crate}, items, false)
		if err != nil || len(r.log.Statements()) != 3 {
			r.Fatalf("many at once: %v\n%s", err, strings.Join(r.log.Statements(), "\n"))
		}
		r.has("the second of many", made[1].Row.ID, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
		items[1].Members["label_ids"] = numbers(1, 90)
		if _, err := r.CreateMany(r.as(owner), writing.Call{Entity: r.crate}, items, false); blames(err) != "422 crates[2].label_ids" {
			r.Errorf("too many in many: %v", err)
		}
	})
}

func TestEdgesAreAttachedOneAtATime(t *testing.T) {
	eachRoom(t, func(r *room) {
		labels := r.crate.Edge("labels")
		for i, c := range []struct {
			who     *viewer.Viewer
			detach  bool
			id      int64
			expect  writing.Expect
			want    string
			made    bool
			version int64
			labels  []int64
		}{
			{owner, false, 1, writing.Expect{}, "", true, 2, []int64{1}},
			{owner, false, 1, writing.Expect{}, "", false, 2, []int64{1}},
			{owner, false, 1, writing.Expect{Absent: true}, "412", false, 2, []int64{1}},
			{owner, false, 2, writing.Expect{Absent: true}, "", true, 3, []int64{1, 2}},
			{owner, false, 3, writing.Expect{Versions: []int64{2}}, "412", false, 3, []int64{1, 2}},
			{owner, true, 2, writing.Expect{Versions: []int64{2}}, "412", false, 3, []int64{1, 2}},
			{owner, true, 2, writing.Expect{Versions: []int64{3}}, "", true, 4, []int64{1}},
			{owner, true, 2, writing.Expect{}, "", false, 4, []int64{1}},
			{owner, false, 101, writing.Expect{}, "404", false, 4, []int64{1}},
			{owner, true, 101, writing.Expect{}, "404", false, 4, []int64{1}},
			{owner, false, -1, writing.Expect{}, "404", false, 4, []int64{1}},
			{stranger, false, 101, writing.Expect{}, "403", false, 4, []int64{1}},
			{stranger, true, 1, writing.Expect{}, "403", false, 4, []int64{1}},
			{viewer.Anonymous(), true, 1, writing.Expect{}, "401", false, 4, []int64{1}},
			{admin, false, 101, writing.Expect{}, "", true, 5, []int64{1, 101}},
		} {
			call := r.call(inREST, nil)
			call.Expect = c.expect
			var row writing.Row
			var err error
			if c.detach {
				err = r.Detach(r.as(c.who), call, labels, c.id)
				row.Made = c.made
			} else {
				row, err = r.Attach(r.as(c.who), call, labels, c.id)
			}
			if blames(err) != c.want || err == nil && row.Made != c.made {
				r.Errorf("%d: %q, made %v, want %q, %v", i, blames(err), row.Made, c.want, c.made)
			}
			r.has(fmt.Sprint(i), 1, c.version, c.labels...)
		}
		nowhere := r.call(inREST, nil)
		nowhere.ID = 999
		if _, err := r.Attach(r.as(owner), nowhere, labels, 1); blames(err) != "404" {
			r.Errorf("to no crate: %v", err)
		}
	})
}
