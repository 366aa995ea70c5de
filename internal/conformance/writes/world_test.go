package writes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	entsql "entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/user"
	"github.com/entwine-go/entwine/internal/rows"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// The names of the two APIs.
var (
	rest = &write.API{
		Field:   func(f *kitentity.Field) string { return f.REST },
		ParseID: write.PlainID,
		ShowID:  func(_ string, id gid.ID) any { return id.Any() },
	}
	graphql = &write.API{
		Field:  func(f *kitentity.Field) string { return f.GraphQL[0] },
		Prefix: "input.",
		ParseID: func(of gid.Rows, raw any) (gid.ID, error) {
			text, _ := raw.(string)
			return of.Parse(text)
		},
		ShowID: func(entity string, id gid.ID) any { return id.Global(entity) },
	}
)

// world is a database with a few rows.
type world struct {
	*testing.T
	*write.Engine
	client  *ent.Client
	viewers map[string]*viewer.Viewer
	// ids of rows by name.
	ids map[string]int64
}

func each(t *testing.T, test func(w *world)) {
	t.Helper()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		w := &world{T: t, Engine: rows.Engine(db), client: orm.Client(db), viewers: map[string]*viewer.Viewer{
			"nobody": viewer.Anonymous(), "key": {KeyID: 1, Permissions: []viewer.Permission{viewer.Write}},
		}, ids: map[string]int64{}}
		w.fill()
		test(w)
	})
}

func (w *world) system() context.Context { return viewer.With(w.Context(), viewer.System()) }

// as is a context of the viewer's.
func (w *world) as(name string) context.Context { return viewer.With(w.Context(), w.viewers[name]) }

// fill makes an admin, ada, two users, bob and eve, and a moderator, mia; and what bob wrote.
func (w *world) fill() {
	ctx := w.system()
	var bob *ent.User
	for _, p := range []struct {
		name string
		role user.Role
	}{{"ada", user.RoleAdmin}, {"bob", user.RoleUser}, {"eve", user.RoleUser}, {"mia", user.RoleModerator}} {
		u := w.client.User.Create().SetName(strings.ToUpper(p.name[:1]) + p.name[1:]).SetEmail(p.name + "@example.com").SetRole(p.role).SetSalary(1000).SetAge(36).SaveX(ctx)
		w.viewers[p.name] = &viewer.Viewer{UserID: int64(u.ID), Role: viewer.Role(p.role)}
		w.ids[p.name] = int64(u.ID)
		if p.name == "bob" {
			bob = u
		}
	}
	w.ids["history"] = int64(w.client.Category.Create().SetName("history").SaveX(ctx).ID)
	post := w.client.Post.Create().SetAuthor(bob).SetTitle("Old").SetContent("…").SetPublished(true).SaveX(ctx)
	draft := w.client.Post.Create().SetAuthor(bob).SetTitle("Draft").SetContent("…").SaveX(ctx)
	lamp := w.client.Product.Create().SetName("Lamp").SetPrice(1999).SetStock(5).SetTags([]string{"bright"}).SaveX(ctx)
	w.ids["post"], w.ids["draft"], w.ids["lamp"] = int64(post.ID), int64(draft.ID), int64(lamp.ID)
	w.ids["comment"] = int64(w.client.Comment.Create().SetAuthor(bob).SetPost(post).SetText("Well.").SaveX(ctx).ID)
}

// written is a write and what became of it.
type written struct {
	write.Row
	// said is "ok", or the status and the messages of an error.
	said string
	// statements are those that were run, and control those of transactions.
	statements, control []string
	// row has the fields of the row afterwards, nil where it is not there.
	row func(field string) any
}

// try carries out a write as the viewer, and undoes it.
func (w *world) try(as string, e *write.Entity, write func(ctx context.Context) (write.Row, error)) (got written) {
	w.Helper()
	undone := errors.New("undone")
	log := &store.Log{}
	err := w.DB.InTx(w.Context(), func(ctx context.Context) error {
		var err error
		_ = w.DB.InTx(ctx, func(ctx context.Context) error {
			ctx = store.WithStatementLog(viewer.With(ctx, w.viewers[as]), log)
			got.Row, err = write(ctx)
			return err
		})
		got.said, got.statements, got.control = said(err), log.Statements(), log.Control()
		if err == nil && !got.ID.IsZero() {
			row, err := e.Rows.Query(w.DB.Driver(), func(s *sql) { s.Where(byID(s, got.ID.Int())) }).Only(policy.IncludeDeleted(viewer.With(ctx, viewer.System())))
			switch {
			case err == nil:
				got.row = row.Field
			case !store.IsNotFound(err):
				return err
			}
		}
		return undone
	})
	if !errors.Is(err, undone) {
		w.Fatal(err)
	}
	return got
}

// said is an error as a client reads it.
func said(err error) string {
	if err == nil {
		return "ok"
	}
	p := problem.As(err)
	if p == nil {
		return "internal: " + err.Error()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d %s", p.Kind.Answer().Status, p.Message)
	if strings.HasSuffix(p.Message, "try again") && p.RetryAfter == 0 {
		b.WriteString(", without saying when")
	}
	for _, d := range p.Details {
		fmt.Fprintf(&b, "; %s %s", d.Field, d.Message)
	}
	return b.String()
}

// input is a body as an API reads it. ${name} is the id of a row.
func (w *world) input(api *write.API, body string) write.Input {
	w.Helper()
	d := json.NewDecoder(bytes.NewReader([]byte(w.filled(body))))
	d.UseNumber()
	members := map[string]any{}
	if err := d.Decode(&members); err != nil {
		w.Fatalf("%s: %v", body, err)
	}
	return write.Input{API: api, Members: members}
}

func (w *world) filled(text string) string {
	for name, id := range w.ids {
		text = strings.ReplaceAll(text, "${"+name+"}", fmt.Sprint(id))
	}
	return text
}

// id is the row's with the name, of one that is not there where there is none.
func (w *world) id(name string) int64 {
	if id, ok := w.ids[name]; ok {
		return id
	}
	return 999
}

type sql = entsql.Selector

func byID(s *sql, id int64) *entsql.Predicate { return entsql.EQ(s.C("id"), id) }

// compare compares a write with what is wanted of it: row lists fields as they
// are afterwards; -1 statements are any.
func (w *world) compare(name string, got written, want, row string, statements int) {
	w.Helper()
	if got.said != want {
		w.Errorf("%s:\n     %s\nwant %s", name, got.said, want)
	}
	if statements >= 0 && len(got.statements) != statements {
		w.Errorf("%s: %d statements, want %d\n%s", name, len(got.statements), statements, strings.Join(got.statements, "\n"))
	}
	for field := range strings.FieldsSeq(w.filled(row)) {
		field, value, _ := strings.Cut(field, "=")
		if got.row == nil {
			w.Errorf("%s: there is no row", name)
			return
		}
		if is := strings.ReplaceAll(fmt.Sprint(got.row(field)), " ", "_"); is != value {
			w.Errorf("%s: %s is %s, want %s", name, field, is, value)
		}
	}
}
