package writes_test

import (
	"context"
	"testing"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/write"
)

// changes are changes of a row, and what is wanted of them.
type changes map[string]struct {
	as, id     string
	of         *write.Entity
	body, want string
	// row are expected values afterwards, statements is the number of statements.
	row        string
	statements int
}

func (w *world) change(all changes, replace bool) {
	w.Helper()
	for name, c := range all {
		got := w.try(c.as, c.of, func(ctx context.Context) (write.Row, error) {
			return w.Update(ctx, write.Call{Entity: c.of, ID: gid.Int(w.id(c.id)), Input: w.input(rest, c.body)}, replace)
		})
		w.compare(name, got, c.want, c.row, c.statements)
	}
}

// Valid changes of a row, and their statements.
func TestUpdate(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		w.change(changes{
			"plain":                         {"bob", "post", rows.Post, `{"title":"New"}`, "ok", "title=New version=2 content=…", 1},
			"nothing":                       {"bob", "post", rows.Post, `{}`, "ok", "title=Old version=1", 1},
			"what it is":                    {"bob", "post", rows.Post, `{"title":"Old","category_id":null}`, "ok", "version=1", 2},
			"part of it what it is":         {"bob", "post", rows.Post, `{"title":"Old","content":"New"}`, "ok", "version=2 content=New", 1},
			"nothing, by another":           {"eve", "post", rows.Post, `{}`, notYours, "", 2},
			"another's":                     {"eve", "post", rows.Post, `{"title":"New"}`, notYours, "", 3},
			"another's draft":               {"eve", "draft", rows.Post, `{"title":"New"}`, "404 post not found", "", 3},
			"absent":                        {"bob", "none", rows.Post, `{"title":"New"}`, "404 post not found", "", 3},
			"an anonymous caller":           {"nobody", "post", rows.Post, `{"title":5}`, "401 token required", "", 0},
			"null":                          {"bob", "post", rows.Post, `{"title":null}`, "400 " + bad + "; title must not be null", "", 0},
			"null that is allowed":          {"bob", "bob", rows.User, `{"age":null}`, "ok", "age=<nil> version=2", 1},
			"the input before the row":      {"bob", "none", rows.Post, `{"title":""}`, "422 " + bad + "; title must be 1 to 200 characters, not 0", "", 0},
			"the input before an asked row": {"bob", "none", rows.Post, `{"title":"","version":1}`, "422 " + bad + "; title must be 1 to 200 characters, not 0", "", 1},
			"a category by its name":        {"bob", "post", rows.Post, `{"category":"history"}`, "ok", "category_id=${history} version=2", 2},
			"a category that is none":       {"bob", "post", rows.Post, `{"category":"none"}`, "422 " + bad + "; category names no category", "", 1},
			"no category, twice":            {"bob", "post", rows.Post, `{"category":null,"category_id":null}`, "ok", "version=1", 2},
			"a category twice":              {"bob", "post", rows.Post, `{"category":null,"category_id":${history}}`, "400 " + bad + "; category cannot be combined with category_id", "", 0},
			"read-only, as it is":           {"bob", "post", rows.Post, `{"id":${post},"published":true,"author_id":${bob},"title":"New","deleted_at":null}`, "ok", "title=New version=2", 2},
			"only read-only, as it is":      {"bob", "post", rows.Post, `{"version":1}`, "ok", "version=1", 2},
			"derived, as it is":             {"bob", "post", rows.Post, `{"viewer_has_liked":false,"content_html":"<p>…</p>\n","title":"New"}`, "ok", "title=New version=2", 3},
			"derived":                       {"bob", "post", rows.Post, `{"viewer_has_liked":true,"content_html":"<p>…</p>\n"}`, "400 " + bad + "; viewer_has_liked cannot be changed", "", 2},
			"derived of what is not there":  {"bob", "none", rows.Post, `{"viewer_has_liked":true}`, "404 post not found", "", 3},
			"read-only":                     {"bob", "post", rows.Post, `{"published":false,"likes_count":7}`, "400 " + bad + "; published cannot be changed; likes_count cannot be changed", "", 1},
			"a role of one's own":           {"bob", "bob", rows.User, `{"role":"admin"}`, notYours + "; role is not yours to set", "", 2},
			"a role that it is":             {"bob", "bob", rows.User, `{"role":"user","name":"Rob"}`, "ok", "name=Rob version=2", 2},
			"a role by an admin":            {"ada", "bob", rows.User, `{"role":"editor"}`, "ok", "role=editor version=2", -1},
			"what one does not see":         {"bob", "bob", rows.User, `{"salary":1000}`, notYours + "; salary is not yours to set", "", 1},
			"what one does not see of none": {"bob", "none", rows.User, `{"salary":1000}`, "404 user not found", "", 1},
			"a role of none":                {"bob", "none", rows.User, `{"role":"admin"}`, "404 user not found", "", -1},
			"what one may not, and wrong":   {"bob", "bob", rows.User, `{"salary":1000,"name":"","nope":1}`, notYours + "; salary is not yours to set; nope is unknown; allowed: age, created_at, current_password, deleted_at, email, followers_count, following_count, id, is_active, name, role, salary, updated_at, version; name must be 2 to 100 characters, not 0", "", 1},
			"a price":                       {"ada", "lamp", rows.Product, `{"price":5}`, "ok", "price=500 version=2", 2},
			"the price that it is":          {"ada", "lamp", rows.Product, `{"price":19.990}`, "ok", "price=1999 version=1", 2},
			"a currency, fewer decimals":    {"ada", "lamp", rows.Product, `{"currency":"JPY"}`, "422 " + bad + "; price JPY has 0 decimals at most", "", 1},
			"a currency, more decimals":     {"ada", "lamp", rows.Product, `{"currency":"KWD"}`, "ok", "price=19990 currency=KWD version=2", 2},
			"a price and its currency":      {"ada", "lamp", rows.Product, `{"price":20,"currency":"JPY"}`, "ok", "price=20 currency=JPY version=2", 2},
			"a currency that is none":       {"ada", "lamp", rows.Product, `{"currency":"XXQ"}`, "422 " + bad + "; currency must be the ISO 4217 code of a currency", "", 1},
			"the tags that it has":          {"ada", "lamp", rows.Product, `{"tags":["bright"]}`, "ok", "version=1", 2},
			"stock that decides":            {"ada", "lamp", rows.Product, `{"stock":0}`, "ok", "in_stock=false stock=0 version=2", 1},
			"an address that is taken":      {"ada", "bob", rows.User, `{"email":"EVE@example.com"}`, "409 another user has this value; email is taken", "", 1},
			"unknown":                       {"bob", "comment", rows.Comment, `{"colour":1}`, "400 " + bad + "; colour is unknown; allowed: author_id, created_at, deleted_at, id, post_id, text, updated_at, version", "", 0},
			"immutable":                     {"bob", "comment", rows.Comment, `{"post_id":${draft}}`, "400 " + bad + "; post_id cannot be changed", "", 1},
		}, false)
	})
}

// A replacement returns what it does not name to its default, and leaves alone
// what changes otherwise.
func TestReplace(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		w.change(changes{
			"all":                           {"bob", "bob", rows.User, `{"name":"Rob","email":"bob@example.com","role":"user"}`, "ok", "name=Rob age=<nil> salary=1000 is_active=true version=2", 2},
			"what is required":              {"bob", "bob", rows.User, `{"age":40}`, "400 " + bad + "; name is required; email is required", "", 1},
			"a default":                     {"ada", "mia", rows.User, `{"name":"Mia","email":"mia@example.com"}`, "ok", "role=user age=<nil> is_active=true salary=1000", -1},
			"a default of what one may not": {"mia", "mia", rows.User, `{"name":"Mia","email":"mia@example.com"}`, "ok", "role=moderator age=<nil>", 2},
			"what a replacement keeps":      {"ada", "bob", rows.User, `{"name":"Bob","email":"bob@example.com","is_active":false}`, "400 " + bad + "; is_active is not changed by a replacement", "", 1},
			"what it keeps, as it is":       {"ada", "bob", rows.User, `{"name":"Bob","email":"bob@example.com","is_active":true,"salary":1000,"age":36}`, "ok", "version=1", 2},
			"a product":                     {"ada", "lamp", rows.Product, `{"name":"Lamp","price":5}`, "ok", "price=500 tags=[] stock=<nil> in_stock=true", 2},
			"a product in another currency": {"ada", "lamp", rows.Product, `{"name":"Lamp","price":5,"currency":"JPY"}`, "ok", "price=5 currency=JPY", 2},
			"absent":                        {"ada", "none", rows.Product, `{"name":"Lamp","price":5}`, "404 product not found", "", 3},
			"another's":                     {"eve", "post", rows.Post, `{"title":"A","content":"B"}`, notYours, "", 4},
		}, true)
	})
}

// The row has to be in the expected state: a caller that may not change it gets
// that refusal instead.
func TestExpect(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		changed := func(context.Context) error { return problem.New(problem.PreconditionFailed, "no") }
		fresh := func(context.Context) error { return nil }
		for name, c := range map[string]struct {
			as         string
			expect     write.Expect
			body, want string
			statements int
		}{
			"its version":                  {"bob", write.Expect{Versions: []int64{1}}, `{"title":"New"}`, "ok", 1},
			"one of its versions":          {"bob", write.Expect{Versions: []int64{9, 1}}, `{"title":"New"}`, "ok", 1},
			"another version":              {"bob", write.Expect{Versions: []int64{9}}, `{"title":"New"}`, stale, 2},
			"another version, no change":   {"bob", write.Expect{Versions: []int64{9}}, `{}`, stale, 1},
			"another version, as it is":    {"bob", write.Expect{Versions: []int64{9}}, `{"title":"Old"}`, stale, 2},
			"another version of another's": {"eve", write.Expect{Versions: []int64{9}}, `{"title":"New"}`, notYours, 3},
			"another version, bad input":   {"bob", write.Expect{Versions: []int64{9}}, `{"title":""}`, "422 " + bad + "; title must be 1 to 200 characters, not 0", 0},
			"none":                         {"bob", write.Expect{Absent: true}, `{"title":"New"}`, "412 the post exists, and If-None-Match: * is for one that does not", 2},
			"none, another's":              {"eve", write.Expect{Absent: true}, `{"title":"New"}`, notYours, 5},
			"as it is":                     {"bob", write.Expect{Check: fresh}, `{"title":"New"}`, "ok", -1},
			"otherwise":                    {"bob", write.Expect{Check: changed}, `{"title":"New"}`, "412 no", -1},
			"otherwise, another's":         {"eve", write.Expect{Check: changed}, `{"title":"New"}`, notYours, -1},
		} {
			got := w.try(c.as, rows.Post, func(ctx context.Context) (write.Row, error) {
				return w.Update(ctx, write.Call{Entity: rows.Post, ID: gid.Int(w.ids["post"]), Input: w.input(rest, c.body), Expect: c.expect}, false)
			})
			w.compare(name, got, c.want, "", c.statements)
		}
	})
}

// The row below a parent is made, and then changed.
func TestPut(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		put := func(as, body string, replace bool, expect write.Expect) written {
			return w.try(as, rows.Profile, func(ctx context.Context) (write.Row, error) {
				return w.Put(ctx, write.Call{Entity: rows.Profile, Fixed: write.Fixed{Field: "user_id", ID: gid.Int(w.ids["bob"])}, Input: w.input(rest, body), Expect: expect}, replace)
			})
		}
		made := put("bob", `{"bio":"B","user_id":${bob}}`, true, write.Expect{})
		w.compare("made", made, "ok", "bio=B user_id=${bob} avatar=<nil> version=1", 2)
		if !made.Made {
			w.Error("a new row is not said to be made")
		}
		w.compare("another's", put("eve", `{"bio":"B"}`, true, write.Expect{}), notYours, "", -1)
		w.compare("bad", put("bob", `{"avatar":"x","id":7,"user_id":${eve}}`, true, write.Expect{}),
			"400 "+bad+"; id cannot be changed; avatar must be the address of an uploaded file, /api/files/…, or an http or https address of at most 2000 characters; user_id must be "+w.filled("${bob}")+", as in the path", "", 1)
		w.compare("expected", put("bob", `{"bio":"B"}`, true, write.Expect{Versions: []int64{1}}), stale, "", 1)

		w.client.Profile.Create().SetBio("Old").SetWebsite("https://example.com").SetUserID(typedid.UserID(w.ids["bob"])).ExecX(w.system())
		changed := put("bob", `{"bio":"New"}`, true, write.Expect{})
		w.compare("replaced", changed, "ok", "bio=New website=<nil> version=2", 2)
		if changed.Made {
			w.Error("a row that was there is said to be made")
		}
		w.compare("patched", put("bob", `{"bio":"New"}`, false, write.Expect{}), "ok", "bio=New website=https://example.com version=2", 2)
		w.compare("as it is", put("bob", `{"bio":"Old"}`, false, write.Expect{}), "ok", "version=1", 2)
		w.compare("another's that is there", put("eve", `{"bio":"New"}`, false, write.Expect{}), notYours, "", 4)
	})
}
