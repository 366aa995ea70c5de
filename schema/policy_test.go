package schema_test

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent"
	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/ent/migrate"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
	"github.com/entwine-go/entwine/schema"
)

// TestPolicies holds every policy against its table: for each entity, each
// kind of row and each verb, what each caller is answered. A cell that is
// missing, or a line about nothing, fails, and so does an entity without a table.
func TestPolicies(t *testing.T) {
	want := map[string]map[string]string{}
	for name, table := range policies {
		want[name] = parse(t, name, table)
	}
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		populate(t, db)
		for _, e := range entity.All {
			t.Run(e.Name, func(t *testing.T) {
				got := answers(t, db, e)
				switch {
				case len(rows[e.Name]) == 0:
					t.Fatalf("no row of %s is asked for: name its kinds in the variable rows of schema/world_test.go, and make one of each in populate", e.Name)
				case want[e.Name] == nil:
					t.Fatalf("schema/policies_test.go has no table of %s: add it there, once you have read whether this is what you mean:\n%s", e.Name, proposed(e.Name, got))
				}
				if !maps.Equal(got, want[e.Name]) {
					t.Errorf("the table of %s is not what the policy says; it says:\n%s", e.Name, format(got, want[e.Name]))
				}
			})
		}
	})
}

// parse reads a table into lines by "verb row".
func parse(t *testing.T, name, table string) map[string]string {
	lines := map[string]string{}
	head, table, _ := strings.Cut(strings.TrimSpace(table), "\n")
	for i, column := range strings.Fields(strings.TrimPrefix(head, "|")) {
		if i >= len(viewers) || viewers[i].name != column {
			t.Fatalf("the table of %s: column %d is %q", name, i+1, column)
		}
	}
	for line := range strings.SplitSeq(table, "\n") {
		what, cells, ok := strings.Cut(line, "|")
		what = strings.Join(strings.Fields(what), " ")
		if _, twice := lines[what]; twice || !ok {
			t.Errorf("the table of %s: %q is there twice, or has no cells", name, what)
		}
		lines[what] = strings.Join(strings.Fields(cells), " ")
	}
	return lines
}

// format writes what the policy says as the table has it, and marks the lines that differ.
func format(got, want map[string]string) string {
	var b strings.Builder
	for _, what := range slices.SortedFunc(maps.Keys(got), byRow) {
		mark := " "
		if got[what] != want[what] {
			mark = "!"
		}
		fmt.Fprintf(&b, "%s%-26s|", mark, what)
		for cell := range strings.FieldsSeq(got[what]) {
			fmt.Fprintf(&b, " %-9s", cell)
		}
		b.WriteString("\n")
	}
	for _, what := range slices.Sorted(maps.Keys(want)) {
		if _, ok := got[what]; !ok {
			fmt.Fprintf(&b, "!%-26s| is about nothing\n", what)
		}
	}
	return b.String()
}

// proposed is the table of an entity that has none yet.
func proposed(name string, got map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\t%q: `\n%-24s|", name, "")
	for _, v := range viewers {
		fmt.Fprintf(&b, " %-9s", v.name)
	}
	for _, what := range slices.SortedFunc(maps.Keys(got), byRow) {
		fmt.Fprintf(&b, "\n%-24s|", what)
		for cell := range strings.FieldsSeq(got[what]) {
			fmt.Fprintf(&b, " %-9s", cell)
		}
	}
	return b.String() + "\n`,"
}

// byRow sorts the lines by kind of row, reading first.
func byRow(a, b string) int {
	verbA, rowA, _ := strings.Cut(a, " ")
	verbB, rowB, _ := strings.Cut(b, " ")
	first := func(verb string) int { return slices.Index([]string{"read", verb}, verb) }
	return cmp.Or(cmp.Compare(rowA, rowB), cmp.Compare(first(verbA), first(verbB)), cmp.Compare(verbA, verbB))
}

// verbs that are asked of the caller alone.
var unrowed = []string{policy.ReadDeleted, "analytics", "clear", "report", "sales", "send", "use_data"}

// answers asks every cell of the entity's table.
func answers(t *testing.T, db *store.DB, e *kitentity.Entity) map[string]string {
	lines := map[string]string{}
	line := func(what string, cell func(ctx context.Context) string) {
		var cells []string
		for _, v := range viewers {
			cells = append(cells, cell(viewer.With(t.Context(), v.viewer)))
		}
		lines[what] = strings.Join(cells, " ")
	}
	for kind, id := range rows[e.Name] {
		a := &asker{t: t, db: db, entity: e, id: id}
		line("read "+kind, a.read)
		for verb := range e.Rules.Verbs {
			if !slices.Contains(unrowed, verb) {
				line(verb+" "+kind, func(ctx context.Context) string { return a.write(ctx, verb) })
			}
		}
	}
	for verb := range e.Rules.Verbs {
		if slices.Contains(unrowed, verb) {
			line(verb, func(ctx context.Context) string { return status(e.Rules.Check(viewer.From(ctx), verb)) })
		}
	}
	return lines
}

// asker asks what a caller may do to a row.
type asker struct {
	t      *testing.T
	db     *store.DB
	entity *kitentity.Entity
	id     int64
}

// read is the answer to a read of the row alone.
func (a *asker) read(ctx context.Context) string {
	if v := viewer.From(ctx); a.entity.Rules.Readable(v, false).Never() {
		return status(policy.Denied(v))
	}
	readable, err := (&read.Reader{DB: a.db, Dialect: a.db.Dialect}).Readable(ctx, a.entity, gid.Int(a.id))
	if err != nil {
		a.t.Fatal(err)
	}
	if !readable {
		return "404"
	}
	return "yes"
}

// write judges a write as Ent does, and where it touches no row asks why.
func (a *asker) write(ctx context.Context, verb string) string {
	m := &mutation{asker: a, verb: verb}
	err := a.entity.Rules.EvalMutation(policy.As(ctx, verb), m)
	if verb == policy.Create {
		return status(err)
	}
	if err == nil && m.touches(ctx) {
		return "yes"
	}
	v := viewer.From(ctx)
	if err := a.entity.Rules.Check(v, verb); err != nil && !v.Authenticated() {
		return status(err)
	}
	if read := a.read(ctx); read != "yes" {
		return read
	}
	return "403"
}

func status(err error) string {
	switch problem.KindOf(err) {
	case problem.Unauthenticated:
		return "401"
	case problem.Forbidden:
		return "403"
	case problem.NotFound:
		return "404"
	}
	if err != nil {
		return err.Error()
	}
	return "yes"
}

// mutation is a write of the asker's row: of the row itself, or the creation
// of an equal one.
type mutation struct {
	ent.Mutation
	*asker
	verb       string
	predicates []func(*sql.Selector)
}

func (m *mutation) Type() string { return m.entity.Name }

func (m *mutation) Op() ent.Op {
	switch m.verb {
	case policy.Create:
		return ent.OpCreate
	case policy.Remove:
		return ent.OpDeleteOne
	case policy.Delete:
		if !m.entity.Rules.SoftDelete {
			return ent.OpDeleteOne
		}
	}
	return ent.OpUpdateOne
}

// AddedIDs are none: edges are written by their columns, of a new row alone.
func (m *mutation) AddedIDs(string) []ent.Value { return nil }

func (m *mutation) LinksJudged() bool { return m.verb != policy.Create }

func (m *mutation) WhereP(ps ...func(*sql.Selector)) { m.predicates = append(m.predicates, ps...) }

func (m *mutation) Driver() dialect.Driver { return m.db.Driver() }

// Field returns the value of the row's column.
func (m *mutation) Field(column string) (ent.Value, bool) {
	query, args := sql.Dialect(m.db.Dialect.Name()).Select(column).From(sql.Table(m.entity.Table)).Where(sql.EQ("id", m.id)).Query()
	value := m.one(m.t.Context(), query, args)
	if text, ok := value.([]byte); ok {
		value = string(text)
	}
	return value, value != nil
}

// touches reports whether the write finds the row under its predicates.
func (m *mutation) touches(ctx context.Context) bool {
	s := sql.Dialect(m.db.Dialect.Name()).Select("id").From(sql.Table(m.entity.Table)).Where(sql.EQ("id", m.id))
	for _, p := range m.predicates {
		p(s)
	}
	query, args := s.Query()
	return m.one(ctx, query, args) != nil
}

// one returns the only value of the only row, nil if there is none.
func (m *mutation) one(ctx context.Context, query string, args []any) any {
	rows, err := m.db.QueryContext(ctx, query, args...)
	if err != nil {
		m.t.Fatalf("%s: %v", query, err)
	}
	defer rows.Close()
	var value any
	if rows.Next() {
		if err := rows.Scan(&value); err != nil {
			m.t.Fatalf("%s: %v", query, err)
		}
	}
	return value
}

// A rule about related rows is asked of the database when Ent creates a row.
func TestOnlyBuyersReview(t *testing.T) {
	each(t, func(w world, _ *store.DB) {
		review := func(author, product int64) error {
			ctx := viewer.With(w.t.Context(), &viewer.Viewer{UserID: author, Role: "user"})
			return w.Review.Create().SetProductID(typedid.ProductID(product)).SetAuthorID(userID(author)).SetRating(5).Exec(ctx)
		}
		if err := review(other, 1); problem.KindOf(err) != problem.Forbidden {
			w.t.Errorf("who did not buy: %v, want forbidden", err)
		}
		w.must(w.Review.DeleteOneID(1).Exec(w.ctx))
		if err := review(owner, 1); err != nil {
			w.t.Errorf("who bought: %v", err)
		}
	})
}

func TestQueriesFindWhatIsRead(t *testing.T) {
	each(t, func(w world, _ *store.DB) {
		for _, c := range []struct {
			name string
			ctx  context.Context
			want int
		}{
			{"anonymous callers find what is public", w.t.Context(), 1},
			{"an author finds their own too", viewer.With(w.t.Context(), viewers[1].viewer), 3},
			{"an admin finds all but what is deleted", viewer.With(w.t.Context(), viewers[6].viewer), 4},
			{"and that too where it is asked for", policy.IncludeDeleted(viewer.With(w.t.Context(), viewers[6].viewer)), 5},
		} {
			if n, err := w.Post.Query().Count(c.ctx); n != c.want || err != nil {
				w.t.Errorf("%s: %d posts, %v, want %d", c.name, n, err, c.want)
			}
		}
	})
}

// An update by a predicate finds no row that the viewer can't read.
func TestUpdatesTouchOnlyWhatIsRead(t *testing.T) {
	each(t, func(w world, _ *store.DB) {
		for _, c := range []struct {
			name string
			ctx  context.Context
			want int
		}{
			{"an author changes posts that are not deleted", viewer.With(w.t.Context(), viewers[1].viewer), 3},
			{"another one those of their own", viewer.With(w.t.Context(), viewers[2].viewer), 1},
			{"a moderator deletes what is published", policy.As(viewer.With(w.t.Context(), viewers[3].viewer), policy.Delete), 1},
			{"an admin restores what is deleted", policy.As(viewer.With(w.t.Context(), viewers[6].viewer), policy.Restore), 5},
		} {
			if n, err := w.Post.Update().SetContent(c.name).Save(c.ctx); n != c.want || err != nil {
				w.t.Errorf("%s: %d rows, %v, want %d", c.name, n, err, c.want)
			}
		}
	})
}

// internal are the entities that no API shows.
var internal = []ent.Interface{
	schema.Blob{}, schema.Change{}, schema.Credential{}, schema.EmailChange{}, schema.Event{}, schema.ExternalIdentity{}, schema.ExternalLogin{},
	schema.File{}, schema.FilePart{}, schema.FileUpload{}, schema.FileUsage{}, schema.Handoff{},
	schema.IdempotencyRecord{}, schema.JobChunk{}, schema.LoginFailure{}, schema.PaymentEvent{}, schema.RecoveryCode{},
	schema.RefreshFamily{}, schema.ResetToken{}, schema.SandboxCharge{}, schema.Sequence{}, schema.Session{}, schema.TrustedDocument{},
	schema.VerificationToken{}, schema.VerifiedEmail{},
}

func TestWhatIsInternalIsNobodys(t *testing.T) {
	for _, s := range internal {
		rules := s.Policy().(policy.Rules)
		for _, v := range viewers {
			if !rules.Readable(v.viewer, true).Never() || len(rules.Verbs) > 0 {
				t.Errorf("%T is not for %s", s, v.name)
			}
		}
	}
	between := 0 // the tables of edges of many to many have no policy: who reads both ends reads them
	for _, table := range migrate.Tables {
		if joins(table) {
			between++
		}
	}
	if shown, all := len(entity.All)+len(internal), len(migrate.Tables)-between; shown != all {
		t.Errorf("%d tables, but %d entities are exposed or internal: add the new one to the list or expose it", all, shown)
	}
}

func userID(id int64) typedid.UserID { return typedid.UserID(id) }

func roleOf(v *viewer.Viewer) user.Role { return user.Role(v.Role) }
