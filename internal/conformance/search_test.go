package conformance_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/search"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// library is a database with something to find.
type library struct {
	*testing.T
	db     *store.DB
	client *ent.Client
	*search.Searcher
	author typedid.UserID
}

var system = viewer.With(context.Background(), viewer.System())

func newLibrary(t *testing.T, db *store.DB) *library {
	l := &library{T: t, db: db, client: orm.Client(db),
		Searcher: search.New(&read.Reader{DB: db, Dialect: db.Dialect}, entity.All)}
	u, err := l.client.User.Create().SetName("Ada Lovelace").SetEmail("ada@example.com").Save(system)
	if err != nil {
		t.Fatal(err)
	}
	l.author = u.ID
	return l
}

func (l *library) post(title, content string, published bool) *ent.Post {
	l.Helper()
	p, err := l.client.Post.Create().SetTitle(title).SetContent(content).SetPublished(published).SetAuthorID(l.author).Save(system)
	if err != nil {
		l.Fatal(err)
	}
	return p
}

// find returns the titles that are found, the best first.
func (l *library) find(ctx context.Context, text string, in ...*kitentity.Entity) ([]string, *search.Result) {
	l.Helper()
	q, err := search.Parse(text)
	if err != nil {
		l.Fatal(err)
	}
	r, err := l.Search(ctx, search.Request{Query: q, Entities: in, Limit: 100})
	if err != nil {
		l.Fatalf("search %q: %v", text, err)
	}
	titles := []string{}
	for _, hit := range r.Hits {
		titles = append(titles, hit.Title)
	}
	return titles, r
}

func TestSearch(t *testing.T) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		l := newLibrary(t, db)
		l.post("The Analytical Engine", "It weaves algebraic patterns, as the Jacquard-loom weaves flowers.", true)
		l.post("On looms", "Ada saw the engine, and the analytical mind behind it: engine, engine.", true)
		l.post("Élan vital", "Nothing <b>bold</b> here & there.", true)
		l.post("A draft about the engine", "secret machinery", false)
		if _, err := l.client.Product.Create().SetName("Engine oil").SetDescription("For steam.").SetPrice(100).Save(system); err != nil {
			t.Fatal(err)
		}
		everybody := viewer.With(t.Context(), viewer.Anonymous())
		for _, c := range []struct {
			text string
			want []string
		}{
			{"engine", []string{"Engine oil", "The Analytical Engine", "On looms"}},
			{"ANALYT", []string{"The Analytical Engine", "On looms"}},
			{`"analytical engine"`, []string{"The Analytical Engine"}},
			{"engine -steam", []string{"The Analytical Engine", "On looms"}},
			{"engine analytical loom", []string{"The Analytical Engine", "On looms"}},
			{"jacquard loom", []string{"The Analytical Engine"}},
			{"jacquard-loom", []string{"The Analytical Engine"}},
			{"éLAN", []string{"Élan vital"}},
			{"machinery", []string{}},
			{"lovelace", []string{}},
			{"-engine", []string{}},
			{"ine gin", []string{}},
			{"!!!", []string{}},
		} {
			if got, r := l.find(everybody, c.text); !slices.Equal(got, c.want) || r.Total != len(c.want) || r.LowerBound {
				t.Errorf("%q: %q, total %d, want %q", c.text, got, r.Total, c.want)
			}
		}
		_, r := l.find(everybody, "bold")
		if got, want := r.Hits[0].Snippet, "Nothing &lt;b&gt;<mark>bold</mark>&lt;/b&gt; here &amp; there."; got != want {
			t.Errorf("snippet: %s, want %s", got, want)
		}
		_, r = l.find(everybody, "engin")
		if got, want := r.Hits[0].Snippet, "<mark>Engine</mark> oil"; got != want {
			t.Errorf("snippet of a title: %s, want %s", got, want)
		}
		if got, _ := l.find(viewer.With(t.Context(), &viewer.Viewer{UserID: 1000, Role: "user"}), "love"); !slices.Equal(got, []string{"Ada Lovelace"}) {
			t.Errorf("a user finds %q, want Ada", got)
		}
		if got, _ := l.find(viewer.With(t.Context(), &viewer.Viewer{UserID: int64(l.author), Role: "user"}), "machinery"); len(got) != 1 {
			t.Errorf("the author finds %q, want the draft", got)
		}
		q, _ := search.Parse("ada")
		if _, err := l.Search(everybody, search.Request{Query: q, Entities: []*kitentity.Entity{entity.User}}); !errors.Is(err, problem.ErrAuthRequired) {
			t.Errorf("an anonymous search for users: %v, want 401", err)
		}
	})
}

// The index follows what is written, and what is deleted.
func TestSearchFollows(t *testing.T) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		l := newLibrary(t, db)
		p := l.post("Before", "text", true)
		expect := func(text string, want int) {
			t.Helper()
			if got, _ := l.find(system, text, entity.Post); len(got) != want {
				t.Errorf("%q: %q, want %d", text, got, want)
			}
		}
		if err := p.Update().SetTitle("After").Exec(system); err != nil {
			t.Fatal(err)
		}
		expect("before", 0)
		expect("after", 1)
		if err := p.Update().SetUpdatedAt(store.Time(time.Now())).Exec(system); err != nil {
			t.Fatal(err)
		}
		expect("after text", 1)
		if err := l.client.Post.DeleteOne(p).Exec(system); err != nil {
			t.Fatal(err)
		}
		expect("after", 0)
		l.post("Again", "after", true)
		expect("after", 1)
	})
}

// PostgreSQL corrects the spelling of a query that finds nothing, wherever the word is in a
// text, and snippets mark the corrected word.
func TestSearchMisspelt(t *testing.T) {
	db := migratetest.Schema(t).Postgres(t)
	l := newLibrary(t, db)
	l.post("The Analytical Engine", "…", true)
	l.post("Analytical draft", "Clandestinely.", false)
	l.post("Windmill charger", "…", true)
	charge := l.post("On Babbage", "His <i>difference</i> engine.", true)
	l.client.Post.UpdateOne(charge).SetContent("His <i>difference</i> turbine.").ExecX(system)
	for _, c := range []struct {
		text    string
		want    int
		snippet string
	}{
		{"anlytical", 1, "The <mark>Analytical</mark> Engine"},
		{"analytical engne", 1, "The <mark>Analytical</mark> <mark>Engine</mark>"},
		{"windmlil", 1, "<mark>Windmill</mark> charger"},
		{"diffrence", 1, "His &lt;i&gt;<mark>difference</mark>&lt;/i&gt; turbine."},
		{"diffrence turbnie", 1, "His &lt;i&gt;<mark>difference</mark>&lt;/i&gt; <mark>turbine</mark>."},
		{"clandestinly", 0, ""},
		{`"anlytical"`, 0, ""},
		{"anlytical -engine", 0, ""},
		{"xyzzy", 0, ""},
	} {
		got, r := l.find(viewer.With(t.Context(), viewer.Anonymous()), c.text)
		if len(got) != c.want || r.Total != c.want || c.want > 0 && r.Hits[0].Snippet != c.snippet {
			t.Errorf("%q: %q %+v, want %d with %q", c.text, got, r.Hits, c.want, c.snippet)
		}
		if c.want > 0 && (r.Hits[0].Score <= 0 || r.Hits[0].Score > 0.5) {
			t.Errorf("%q: score %v, want half of one", c.text, r.Hits[0].Score)
		}
	}
}

// Words of rows that the viewer cannot read are no spellings, keep none from being
// found, and lead to no statement more: drafts, deleted rows, and fields.
func TestHiddenWordsAreNoSpellings(t *testing.T) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		l := newLibrary(t, db)
		l.post("The machine shop", "…", true)
		type outcome struct {
			titles     string
			total      int
			score      float64
			statements int
		}
		ask := func(text string) outcome {
			log := &store.Log{}
			titles, r := l.find(store.WithStatementLog(viewer.With(t.Context(), viewer.Anonymous()), log), text)
			o := outcome{titles: strings.Join(titles, ", "), total: r.Total, statements: len(log.Statements())}
			if len(r.Hits) > 0 {
				o.score = r.Hits[0].Score
			}
			return o
		}
		near := []string{"machinery", "machines", "machinist", "machinal", "machina", "machining", "clandestinely"}
		before := map[string]outcome{}
		for _, text := range append(near, "machinry", "machne", "clandestinly", "machne clandestinly") {
			before[text] = ask(text)
		}
		if help := before["machne"]; db.Postgres() && help.titles != "The machine shop" {
			t.Fatalf("misspelt: %+v, want what is written", help)
		}
		for _, word := range near {
			l.post(word, word+" "+word, false)
			gone := l.post(word, word, true)
			gone.Update().SetDeletedAt(store.Time(time.Now())).ExecX(system)
			l.client.User.Create().SetName(word).SetEmail(word + "@example.com").ExecX(system)
		}
		for text, want := range before {
			if got := ask(text); got != want {
				t.Errorf("%q beside hidden rows: %+v, want as without them: %+v", text, got, want)
			}
		}
		author := viewer.With(t.Context(), &viewer.Viewer{UserID: int64(l.author), Role: "user"})
		if got, _ := l.find(author, "clandestinly", entity.Post); db.Postgres() && !slices.Equal(got, []string{"clandestinely"}) {
			t.Errorf("the author's own draft: %q, want it found as it is meant", got)
		}
	})
}

// Corrections are words of the rows that exist, at any place of a long text: no word of
// removed rows or of former texts.
func TestSpellingsFollow(t *testing.T) {
	db := migratetest.Schema(t).Postgres(t)
	l := newLibrary(t, db)
	finds := func(text string, want int) {
		t.Helper()
		if got, _ := l.find(system, text, entity.Post); len(got) != want {
			t.Errorf("%q: %q, want %d", text, got, want)
		}
	}
	p := l.post("Zebulon", strings.Repeat("the engine weaves patterns, ", 500)+"quackenbush "+strings.Repeat("as a loom does; ", 500), true)
	finds("quackenbusch", 1)
	finds("zebulom quackenbusch", 1)
	finds("zebulom", 1)
	p.Update().SetTitle("Nobody").ExecX(system)
	finds("zebulom", 0)
	l.client.Post.DeleteOne(p).ExecX(system)
	finds("quackenbusch", 0)
	l.post("Quackenbush", "…", true)
	finds("quackenbusch", 1)
}

// The newest rows with the words are found, and no others, whatever the newest
// of all say about how many there are.
func TestSearchAmongMany(t *testing.T) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		l := newLibrary(t, db)
		const rows = 9000
		numbers := fmt.Sprintf(`WITH RECURSIVE "n" ("n") AS (SELECT 1 UNION ALL SELECT "n" + 1 FROM "n" WHERE "n" < %d) `, rows)
		text := `CASE WHEN "n" % 8 = 0 THEN 'eighth ' ELSE '' END || CASE WHEN "n" % 8 = 1 AND "n" > 7000 THEN 'late ' ELSE '' END || CASE WHEN "n" <= 1000 OR "n" = 9000 THEN 'early' ELSE '' END`
		_, err := db.ExecContext(system, `INSERT INTO "posts" ("title", "title_fold", "content", "content_fold", "published", "published_at", "author_id", "created_at", "updated_at") `+numbers+
			`SELECT 'Note', 'note', `+text+`, `+text+`, true, CURRENT_TIMESTAMP, 1, CURRENT_TIMESTAMP, CURRENT_TIMESTAMP FROM "n"`)
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			text           string
			total          int
			more           bool
			newest, oldest int64
		}{
			{"eighth ", search.Most, true, 9000, 9000 - 8*(search.Most-1)},
			{"late ", 250, false, 8993, 7001},
			{"early ", search.Most, true, 9000, 1000 - (search.Most - 2)},
			{"eighth late", 0, false, 0, 0},
		} {
			q, _ := search.Parse(c.text)
			r, err := l.Search(system, search.Request{Query: q, Entities: []*kitentity.Entity{entity.Post}, Limit: 2 * search.Most, Plain: true})
			if err != nil {
				t.Fatal(err)
			}
			newest, oldest := int64(0), int64(0)
			for _, hit := range r.Hits {
				newest = max(newest, hit.ID.Int())
				if oldest == 0 || hit.ID.Int() < oldest {
					oldest = hit.ID.Int()
				}
			}
			if r.Total != c.total || r.LowerBound != c.more || newest != c.newest || oldest != c.oldest {
				t.Errorf("%q: %d from %d to %d, more %v, want %+v", c.text, r.Total, oldest, newest, r.LowerBound, c)
			}
		}
	})
}

// Pages are parts of one order, and what is common is counted to a bound.
func TestSearchPages(t *testing.T) {
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		l := newLibrary(t, db)
		err := db.InTx(system, func(ctx context.Context) error {
			for i := range search.Most + 20 {
				if err := l.client.Post.Create().SetTitle(fmt.Sprintf("Note %d", i)).SetContent("common").SetPublished(true).SetAuthorID(l.author).Exec(ctx); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		q, _ := search.Parse("common")
		seen := map[int64]bool{}
		for offset := 0; ; offset += 120 {
			r, err := l.Search(system, search.Request{Query: q, Offset: offset, Limit: 120})
			if err != nil {
				t.Fatal(err)
			}
			if r.Total != search.Most || !r.LowerBound {
				t.Fatalf("total %d, lower bound %v, want %d and true", r.Total, r.LowerBound, search.Most)
			}
			for _, hit := range r.Hits {
				if seen[hit.ID.Int()] {
					t.Fatalf("post %d came twice", hit.ID.Int())
				}
				seen[hit.ID.Int()] = true
			}
			if len(r.Hits) == 0 {
				break
			}
		}
		if len(seen) != search.Most {
			t.Errorf("%d posts came, want %d", len(seen), search.Most)
		}
	})
}

// Both databases parse every query that a user may type.
func FuzzSearch(f *testing.F) {
	schema := migratetest.Schema(f)
	lite, postgres := schema.SQLite(f), schema.Postgres(f)
	for _, text := range []string{"ada", `"a b" -c`, "a:* & !(b | 'c')", `{title} : x NEAR(y) ^z + "`, "\\", "ﬁ ǅ ß İ", "日本語 ไทย", "½ ² ①", "a\u0301 \u0301", "1.5e3 -1 0x1F", "-- ; /*"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		q, err := search.Parse(text)
		if err != nil {
			return
		}
		for _, db := range []*store.DB{lite, postgres} {
			s := search.New(&read.Reader{DB: db, Dialect: db.Dialect}, entity.All)
			if _, err := s.Search(system, search.Request{Query: q, Limit: 1}); err != nil {
				t.Errorf("%q on %s: %v", text, db.Dialect.Title(), err)
			}
		}
	})
}
