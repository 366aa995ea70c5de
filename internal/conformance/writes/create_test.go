package writes_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/write"
)

const (
	bad      = "the input is not valid"
	notYours = "403 you are not allowed to do this"
	stale    = "412 the resource has changed since it was read"
)

// Valid inputs of a new row, and the findings for wrong ones.
func TestCreate(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		for name, c := range map[string]struct {
			as         string
			of         *write.Entity
			body, want string
			// row are expected values of the new row, statements is the number of
			// statements.
			row        string
			statements int
		}{
			"a post":                                {"bob", rows.Post, `{"title":"A","content":"B"}`, "ok", "title=A published=false author_id=${bob} category_id=<nil> version=1", 1},
			"an anonymous caller, before the input": {"nobody", rows.Post, `{"title":5}`, "401 token required", "", 0},
			"who may not at all, before the input":  {"bob", rows.Product, `{"price":"x"}`, notYours, "", 0},
			"nothing":                               {"bob", rows.Post, `{}`, "400 " + bad + "; title is required; content is required", "", 0},
			"everything wrong at once": {
				"bob", rows.Post, `{"title":5,"content":"","colour":1,"category_id":77}`,
				"400 " + bad + "; colour is unknown; allowed: author_id, category, category_id, content, published, title; title must be a string, not a number; content must be 1 to 100000 characters, not 0; category_id names no category", "", 1,
			},
			"only rules broken":                 {"bob", rows.Post, `{"title":"","content":"B","category_id":77}`, "422 " + bad + "; title must be 1 to 200 characters, not 0; category_id names no category", "", 1},
			"null where there is a default":     {"bob", rows.Post, `{"title":"A","content":"B","published":null,"category_id":null,"author_id":null}`, "ok", "published=false author_id=${bob}", 1},
			"null where there is none":          {"bob", rows.Post, `{"title":null,"content":"B"}`, "400 " + bad + "; title must not be null", "", 0},
			"NUL":                               {"bob", rows.Post, `{"title":"A\u0000","content":"B"}`, "400 " + bad + "; title must be valid UTF-8 without NUL", "", 0},
			"a category by its name":            {"bob", rows.Post, `{"title":"A","content":"B","category":"history"}`, "ok", "category_id=${history}", 2},
			"a category by its id":              {"bob", rows.Post, `{"title":"A","content":"B","category_id":${history}}`, "ok", "category_id=${history}", 2},
			"a category that is none":           {"bob", rows.Post, `{"title":"A","content":"B","category":"no\u0000"}`, "422 " + bad + "; category names no category", "", 0},
			"a category by a number":            {"bob", rows.Post, `{"title":"A","content":"B","category":5}`, "400 " + bad + "; category must be a string or null, not a number", "", 0},
			"a category twice":                  {"bob", rows.Post, `{"title":"A","content":"B","category":"history","category_id":${history}}`, "400 " + bad + "; category cannot be combined with category_id", "", 0},
			"a category twice, once null":       {"bob", rows.Post, `{"title":"A","content":"B","category":null,"category_id":${history}}`, "ok", "category_id=${history}", 2},
			"another's":                         {"eve", rows.Post, `{"title":"A","content":"B","author_id":${bob}}`, notYours + "; author_id is not yours to set", "", 0},
			"another's, and wrong":              {"eve", rows.Post, `{"title":"","content":"B","author_id":${bob},"category":"none"}`, notYours + "; author_id is not yours to set; title must be 1 to 200 characters, not 0; category names no category", "", 1},
			"another's, by an admin":            {"ada", rows.Post, `{"title":"A","content":"B","author_id":${bob}}`, "ok", "author_id=${bob}", 2},
			"one's own, named":                  {"bob", rows.Post, `{"title":"A","content":"B","author_id":${bob}}`, "ok", "author_id=${bob}", 1},
			"nobody's":                          {"ada", rows.Post, `{"title":"A","content":"B","author_id":999}`, "422 " + bad + "; author_id names no user", "", 1},
			"of two that are not there":         {"ada", rows.Comment, `{"text":"A","post_id":888,"author_id":999}`, "422 " + bad + "; post_id names no post; author_id names no user", "", 1},
			"below what one cannot read":        {"eve", rows.Comment, `{"text":"A","post_id":${draft}}`, "422 " + bad + "; post_id names no post", "", 1},
			"an id of zero":                     {"bob", rows.Comment, `{"text":"A","post_id":0}`, "422 " + bad + "; post_id must be at least 1", "", 0},
			"an id that is a text":              {"bob", rows.Comment, `{"text":"A","post_id":"1"}`, "400 " + bad + "; post_id must be a whole number, not a string", "", 0},
			"who may":                           {"ada", rows.User, `{"name":"Ann","email":"a@example.com","role":"editor","salary":5,"age":3e1}`, "ok", "role=editor salary=5 age=30 is_active=true", 1},
			"an enum":                           {"ada", rows.User, `{"name":"Ann","email":"a@example.com","role":"king"}`, "422 " + bad + "; role must be one of user, admin, editor, developer, senior_developer, lead_developer, moderator", "", 0},
			"an address that is taken":          {"ada", rows.User, `{"name":"Ann","email":"BOB@example.com"}`, "409 another user has this value; email is taken", "", 1},
			"a fraction of zero":                {"ada", rows.User, `{"name":"Ann","email":"a@example.com","age":30.0}`, "ok", "age=30", 1},
			"a fraction":                        {"ada", rows.User, `{"name":"Ann","email":"a@example.com","age":30.5}`, "400 " + bad + "; age must be a whole number or null", "", 0},
			"too many digits":                   {"ada", rows.Product, `{"name":"A","price":1,"stock":1e30}`, "422 " + bad + "; stock must fit in 64 bits", "", 0},
			"a read-only field":                 {"ada", rows.User, `{"name":"Ann","email":"a@example.com","followers_count":0}`, "400 " + bad + "; followers_count is unknown; allowed: age, email, is_active, name, password, role, salary", "", 0},
			"an amount":                         {"ada", rows.Product, `{"name":"A","price":19.99}`, "ok", "price=1999 currency=USD", 1},
			"an amount in yen":                  {"ada", rows.Product, `{"name":"A","price":1999,"currency":"JPY"}`, "ok", "price=1999 currency=JPY", 1},
			"too many decimals of a debt":       {"ada", rows.Product, `{"name":"A","price":-1.999}`, "422 " + bad + "; price USD has 2 decimals at most, and must be at least 0", "", 0},
			"too many decimals":                 {"ada", rows.Product, `{"name":"A","price":1.999}`, "422 " + bad + "; price USD has 2 decimals at most", "", 0},
			"a currency that is none":           {"ada", rows.Product, `{"name":"A","price":1,"currency":"XXQ"}`, "422 " + bad + "; currency must be the ISO 4217 code of a currency", "", 0},
			"a currency that is none, decimals": {"ada", rows.Product, `{"name":"A","price":1.12345,"currency":"XXQ"}`, "422 " + bad + "; currency must be the ISO 4217 code of a currency", "", 0},
			"a negative amount":                 {"ada", rows.Product, `{"name":"A","price":-1}`, "422 " + bad + "; price must be at least 0", "", 0},
			"an amount that is a text":          {"ada", rows.Product, `{"name":"A","price":"1"}`, "400 " + bad + "; price must be a number, not a string", "", 0},
			"a list":                            {"ada", rows.Product, `{"name":"A","price":1,"tags":["a","b"]}`, "ok", "tags=[a_b]", 1},
			"a list with a number":              {"ada", rows.Product, `{"name":"A","price":1,"tags":["a",2]}`, "400 " + bad + "; tags[1] must be a string, not a number", "", 0},
			"a list that is none":               {"ada", rows.Product, `{"name":"A","price":1,"tags":"a"}`, "400 " + bad + "; tags must be an array, not a string", "", 0},
			"a name in another spelling":        {"ada", rows.Product, `{"name":"A","price":1,"inStock":false}`, "ok", "in_stock=false", 1},
			"stock that decides":                {"ada", rows.Product, `{"name":"A","price":1,"stock":0}`, "ok", "in_stock=false", 1},
			"an API key makes products":         {"key", rows.Product, `{"name":"A","price":1}`, "ok", "price=100", 1},
			"an API key has no posts":           {"key", rows.Post, `{"title":"A","content":"B"}`, notYours, "", 0},
			"a review of what was not bought":   {"bob", rows.Review, `{"product_id":${lamp},"rating":5}`, notYours, "", 2},
		} {
			got := w.try(c.as, c.of, func(ctx context.Context) (write.Row, error) {
				return w.Create(ctx, write.Call{Entity: c.of, Input: w.input(rest, c.body)})
			})
			w.compare(name, got, c.want, c.row, c.statements)
		}
	})
}

// The names in errors, and ids, are the API's.
func TestNames(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		for body, want := range map[string]string{
			`{"title":"","content":"B","categoryId":"Q2F0ZWdvcnk6Nzc"}`:                  "422 " + bad + "; input.title must be 1 to 200 characters, not 0; input.categoryId names no category",
			`{"title":"A","content":"B","categoryId":"x"}`:                               `400 ` + bad + `; input.categoryId "x" is not the id of a Category`,
			`{"title":"A","content":"B","category":"none"}`:                              "422 " + bad + "; input.category names no category",
			`{"title":"A","content":"B","authorId":"${ada}"}`:                            notYours + "; input.authorId is not yours to set",
			`{"title":"A","content":"B","categoryId":"${history}","category":"history"}`: "400 " + bad + "; input.category cannot be combined with categoryId",
			`{"title":"A","content":"B","categoryId":"${history}"}`:                      "ok",
		} {
			got := w.try("bob", rows.Post, func(ctx context.Context) (write.Row, error) {
				return w.Create(ctx, write.Call{Entity: rows.Post, Input: w.input(graphql, body)})
			})
			w.compare(body, got, want, "", -1)
		}
		got := w.try("ada", rows.User, func(ctx context.Context) (write.Row, error) {
			return w.Create(ctx, write.Call{Entity: rows.User, Input: w.input(graphql, `{"name":"Ann","email":"BOB@example.com"}`)})
		})
		w.compare("taken", got, "409 another user has this value; input.email is taken", "", 1)
	})
}

// The path gives a column: the input may repeat it.
func TestBelow(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		for name, c := range map[string]struct {
			as, body, want, row string
		}{
			"a comment":        {"eve", `{"text":"A"}`, "ok", "post_id=${post} author_id=${eve}"},
			"repeated":         {"eve", `{"text":"A","post_id":${post}}`, "ok", "post_id=${post}"},
			"another":          {"eve", `{"text":"A","post_id":${draft}}`, "400 " + bad + "; post_id must be " + w.filled("${post}") + ", as in the path", ""},
			"wrong all around": {"eve", `{"post_id":"x"}`, "400 " + bad + "; text is required; post_id must be a whole number, not a string", ""},
		} {
			got := w.try(c.as, rows.Comment, func(ctx context.Context) (write.Row, error) {
				return w.Create(ctx, write.Call{Entity: rows.Comment, Fixed: write.Fixed{Field: "post_id", ID: gid.Int(w.ids["post"])}, Input: w.input(rest, c.body)})
			})
			w.compare(name, got, c.want, c.row, -1)
		}
		for as, want := range map[string]string{"bob": "ok", "eve": notYours + "; author_id is not yours to set", "ada": "ok"} {
			got := w.try(as, rows.Post, func(ctx context.Context) (write.Row, error) {
				return w.Create(ctx, write.Call{Entity: rows.Post, Fixed: write.Fixed{Field: "author_id", ID: gid.Int(w.ids["bob"])}, Input: w.input(rest, `{"title":"A","content":"B"}`)})
			})
			w.compare("bob's post by "+as, got, want, "", -1)
		}
	})
}

// Many rows are made each for itself, or all or none.
func TestMany(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		try := func(e *write.Entity, each bool, bodies ...string) (got written, outcomes []write.Outcome) {
			items := make([]write.Input, len(bodies))
			for i, body := range bodies {
				items[i] = w.input(rest, body)
				items[i].At = fmt.Sprintf("products[%d].", i)
			}
			got = w.try("ada", e, func(ctx context.Context) (_ write.Row, err error) {
				outcomes, err = w.CreateMany(ctx, write.Call{Entity: e}, items, each)
				return write.Row{}, err
			})
			return got, outcomes
		}
		got, outcomes := try(rows.Product, false, `{"name":"A","price":1}`, `{"name":"B","price":2}`, `{"name":"C","price":3}`)
		w.compare("all", got, "ok", "", 1)
		if len(outcomes) != 3 || slices.ContainsFunc(outcomes, func(o write.Outcome) bool { return o.Err != nil || o.Row.ID.IsZero() }) {
			w.Errorf("all: %+v", outcomes)
		}
		got, _ = try(rows.Product, false, `{"name":"A","price":1}`, `{"name":"","price":"x"}`, `{"name":"C","price":-3}`)
		w.compare("none", got, "400 "+bad+"; products[1].name must be 1 to 200 characters, not 0; products[1].price must be a number, not a string; products[2].price must be at least 0", "", 0)
		got, outcomes = try(rows.User, true, `{"name":"Ann","email":"a@example.com"}`, `{"name":"","email":"b@example.com"}`, `{"name":"Bob","email":"bob@example.com"}`, `{"name":"Cat","email":"c@example.com"}`)
		w.compare("each", got, "ok", "", 3)
		for i, want := range []string{
			"ok", "422 " + bad + "; products[1].name must be 2 to 100 characters, not 0",
			"409 another user has this value; products[2].email is taken", "ok",
		} {
			if said := said(outcomes[i].Err); said != want {
				w.Errorf("item %d: %s, want %s", i, said, want)
			}
		}
	})
}

// Fields that follow from others are written in every way of writing: in the statement that
// reads the new row as well, and through Ent alone.
func TestFollows(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		for name, c := range map[string]struct {
			of   *write.Entity
			body string
			// field is the name of the one that follows, set whether it is neither null nor
			// false.
			field string
			set   bool
		}{
			"published":           {rows.Post, `{"title":"A","content":"B","published":true}`, "published_at", true},
			"a draft":             {rows.Post, `{"title":"A","content":"B"}`, "published_at", false},
			"nothing in stock":    {rows.Product, `{"name":"A","price":1,"stock":0}`, "in_stock", false},
			"something in stock":  {rows.Product, `{"name":"A","price":1,"stock":2}`, "in_stock", true},
			"stock not counted":   {rows.Product, `{"name":"A","price":1}`, "in_stock", true},
			"not counted, and no": {rows.Product, `{"name":"A","price":1,"inStock":false}`, "in_stock", false},
		} {
			for _, show := range []*write.Show{nil, {Selection: read.Whole(c.of.Entity, w.viewers["ada"])}} {
				got := w.try("ada", c.of, func(ctx context.Context) (write.Row, error) {
					return w.Create(ctx, write.Call{Entity: c.of, Input: w.input(rest, c.body), Show: show})
				})
				w.compare(name, got, "ok", "", 1)
				if show != nil && !show.Shown {
					w.Errorf("%s: the row is not read by the statement that makes it", name)
				}
				if got.row == nil {
					continue
				}
				if is := got.row(c.field); (is != nil && is != false) != c.set {
					w.Errorf("%s: %s is %v", name, c.field, is)
				}
			}
		}
		show := &write.Show{Selection: read.Whole(rows.Post.Entity, w.viewers["bob"])}
		got := w.try("bob", rows.Post, func(ctx context.Context) (write.Row, error) {
			return w.Create(ctx, write.Call{Entity: rows.Post, Input: w.input(rest, `{"title":"A","content":"B","category":"history"}`), Show: show})
		})
		w.compare("a category by its name, shown", got, "ok", "category_id=${history}", 2)
		ctx := w.system()
		post := w.client.Post.Create().SetAuthorID(typedid.UserID(w.ids["bob"])).SetTitle("A").SetContent("B").SaveX(ctx)
		for _, published := range []bool{true, true, false, false, true} {
			post = post.Update().SetPublished(published).SaveX(ctx)
			if (post.PublishedAt != nil) != published {
				w.Errorf("published is %t, since %v", published, post.PublishedAt)
			}
		}
		lamp := w.client.Product.GetX(ctx, typedid.ProductID(w.ids["lamp"]))
		for stock, want := range map[int64]bool{0: false, 3: true} {
			if lamp = lamp.Update().SetStock(stock).SetInStock(!want).SaveX(ctx); lamp.InStock != want {
				w.Errorf("of %d in stock it says %t", stock, lamp.InStock)
			}
		}
		if lamp = lamp.Update().ClearStock().SetInStock(false).SaveX(ctx); lamp.InStock {
			w.Error("what is not counted is in stock after all")
		}
	})
}
