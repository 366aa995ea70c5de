package writes_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/post"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/write"
)

// orders has the methods of orders, all of which do the same.
type orders struct {
	called  *rows.OrderRefund // the last call's, nil since none
	refusal error
}

func (o *orders) run(in rows.OrderRefund) (write.Result, error) {
	o.called = &in
	return write.Result{Pending: true}, o.refusal
}

func (o *orders) Create(context.Context, rows.OrderCreate) (write.Result, error) {
	return o.run(rows.OrderRefund{})
}

func (o *orders) Pay(context.Context, int64) (write.Result, error) {
	return o.run(rows.OrderRefund{})
}

func (o *orders) Cancel(context.Context, int64) (write.Result, error) {
	return o.run(rows.OrderRefund{})
}

func (o *orders) Refund(_ context.Context, _ int64, in rows.OrderRefund) (write.Result, error) {
	return o.run(in)
}

func (w *world) act(as string, e *write.Entity, id int64, verb, body string, expect write.Expect) (got written, result write.Result) {
	w.Helper()
	got = w.try(as, e, func(ctx context.Context) (_ write.Row, err error) {
		result, err = w.Act(ctx, write.Call{Entity: e, ID: gid.Int(id), Input: w.input(rest, body), Expect: expect}, e.Action(verb))
		return result.Row, err
	})
	return got, result
}

// An action that sets columns is one statement; a refusal says what is possible.
func TestAct(t *testing.T) {
	t.Parallel()
	posts, users := rows.Post, rows.User
	each(t, func(w *world) {
		first := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
		ctx := w.system()
		hidden := w.client.Post.Create().SetAuthorID(typedid.UserID(w.ids["bob"])).SetTitle("Hidden").SetContent("…").SetPublished(true).SetPublishedAt(first).SetArchivedAt(first).SaveX(ctx)
		w.ids["hidden"] = int64(hidden.ID)
		for name, c := range map[string]struct {
			as, id     string
			of         *write.Entity
			verb, body string
			expect     write.Expect
			want, row  string
			statements int
		}{
			"a draft":                     {"bob", "draft", posts, "publish", `{}`, write.Expect{}, "ok", "published=true version=2", 1},
			"what was published before":   {"bob", "hidden", posts, "publish", `{}`, write.Expect{}, "ok", "published=true archived_at=<nil> published_at=2026-01-02_03:04:05_+0000_UTC", 1},
			"what is published":           {"bob", "post", posts, "publish", `{}`, write.Expect{}, "409 the post is published already; allowed: archive", "", 2},
			"a draft, stale":              {"bob", "draft", posts, "publish", `{}`, write.Expect{Versions: []int64{9}}, stale, "", 2},
			"what is published, stale":    {"bob", "post", posts, "publish", `{}`, write.Expect{Versions: []int64{9}}, stale, "", 2},
			"archived":                    {"bob", "post", posts, "archive", `{}`, write.Expect{Versions: []int64{1}}, "ok", "published=true version=2", 1},
			"archived already":            {"bob", "hidden", posts, "archive", `{}`, write.Expect{}, "409 the post is archived already; allowed: publish", "", 2},
			"another's":                   {"eve", "post", posts, "archive", `{}`, write.Expect{}, notYours, "", 2},
			"another's draft":             {"eve", "draft", posts, "publish", `{}`, write.Expect{}, "404 post not found", "", 2},
			"absent":                      {"bob", "none", posts, "publish", `{}`, write.Expect{}, "404 post not found", "", 2},
			"an anonymous caller":         {"nobody", "post", posts, "publish", `{"x":1}`, write.Expect{}, "401 token required", "", 0},
			"an input that is not needed": {"bob", "draft", posts, "publish", `{"reason":"late"}`, write.Expect{}, "400 " + bad + "; reason is unknown: this action takes no input", "", 0},
			"a user":                      {"ada", "bob", users, "deactivate", `{}`, write.Expect{}, "ok", "is_active=false version=2", -1},
			"a user by another":           {"eve", "bob", users, "deactivate", `{}`, write.Expect{}, notYours, "", 0},
			"a user who is active":        {"ada", "bob", users, "activate", `{}`, write.Expect{}, "409 the user is active already; allowed: deactivate", "", -1},
			"the last admin":              {"ada", "ada", users, "deactivate", `{}`, write.Expect{}, "409 this is the last active admin: make another user an admin first", "", -1},
		} {
			got, _ := w.act(c.as, c.of, w.id(c.id), c.verb, c.body, c.expect)
			w.compare(name, got, c.want, c.row, c.statements)
		}
	})
}

// A method runs in the transaction after the columns are set, or outside of any.
func TestActByMethod(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		ctx := w.system()
		bob := typedid.UserID(w.ids["bob"])
		place := func(status order.Status) int64 {
			return int64(w.client.Order.Create().SetUserID(bob).SetStatus(status).SetCurrency("USD").SetTotal(1000).SetExpiresAt(time.Now().Add(time.Hour)).SaveX(ctx).ID)
		}
		pending, processing, paid := place(order.StatusPending), place(order.StatusProcessing), place(order.StatusPaid)
		w.client.Payment.Create().SetOrderID(typedid.OrderID(paid)).SetUserID(bob).SetAmount(1000).SetCurrency("USD").SetGateway("sandbox").SetStatus(payment.StatusSucceeded).SetCapturedAt(time.Now()).ExecX(ctx)

		methods := &orders{}
		w.Methods = &rows.Methods{Order: methods}
		for _, c := range []struct {
			name, as   string
			id         int64
			verb, body string
			want, row  string
		}{
			{"cancelled", "bob", pending, "cancel", `{}`, "ok", "status=cancelled version=2"},
			{"another's", "eve", pending, "cancel", `{}`, "404 order not found", ""},
			{"paid is not cancelled", "bob", paid, "cancel", `{}`, "409 the order is paid: it can't be cancelled; allowed: invoice", ""},
			{"paid, for an admin", "ada", paid, "cancel", `{}`, "409 the order is paid: it can't be cancelled; allowed: refund, invoice", ""},
			{"under way", "bob", processing, "cancel", `{}`, "409 the order is processing: try again", ""},
			{"paid for", "bob", pending, "pay", `{}`, "ok", "status=pending version=1"},
			{"refunded", "ada", paid, "refund", `{"amount":5.5,"reason":"Late."}`, "ok", ""},
			{"too many decimals of the row's currency", "ada", paid, "refund", `{"amount":5.555}`, "422 " + bad + "; amount USD has 2 decimals at most", ""},
			{"wrong all around", "ada", 999, "refund", `{"amount":"5","restock":1}`, "400 " + bad + "; amount must be a number or null, not a string; restock must be a boolean, not a number", ""},
			{"absent", "ada", 999, "refund", `{"amount":5}`, "404 order not found", ""},
		} {
			methods.called = nil
			got, result := w.act(c.as, rows.Order, c.id, c.verb, c.body, write.Expect{})
			w.compare(c.name, got, c.want, c.row, -1)
			if (c.want == "ok") != (methods.called != nil) || c.want == "ok" && !result.Pending {
				w.Errorf("%s: called with %v, answered %+v", c.name, methods.called, result)
			}
			if in := methods.called; c.name == "refunded" && (in.Amount == nil || *in.Amount != 550 || in.Reason != "Late." || in.Restock) {
				w.Errorf("refunded with %+v", in)
			}
		}
		got, _ := w.act("bob", rows.Order, pending, "pay", `{}`, write.Expect{Versions: []int64{9}})
		w.compare("another version, in no transaction", got, stale, "", 1)
		methods.refusal = write.ErrMoved
		got, _ = w.act("bob", rows.Order, processing, "pay", `{}`, write.Expect{})
		w.compare("a method that found another state", got, "409 the order is processing: try again", "", 1)
		again := write.Call{Entity: rows.Order, ID: gid.Int(pending), Input: w.input(rest, `{}`)}
		_, err := w.Act(w.as("bob"), again, rows.Order.Action("pay"))
		if said(err) != "409 the order was changed meanwhile: try again" || problem.As(err).RetryAfter == 0 {
			w.Errorf("a method that found another state, which has passed: %v", err)
		}
		methods.refusal = problem.New(problem.PaymentDeclined, "declined")
		got, _ = w.act("bob", rows.Order, pending, "cancel", `{}`, write.Expect{})
		w.compare("a method that fails", got, "402 declined", "", -1)
		if status := w.client.Order.GetX(ctx, typedid.OrderID(pending)).Status; status != order.StatusPending {
			w.Errorf("the order is %s after its method has failed", status)
		}
	})
}

// Users mark a row once, and take it back.
func TestMark(t *testing.T) {
	t.Parallel()
	like, share, follow := rows.Post.Marks[0], rows.Post.Marks[1], rows.User.Marks[0]
	undone := errors.New("undone")
	each(t, func(w *world) {
		mark := func(ctx context.Context, of *write.Entity, id, body string, m *write.Mark) (write.Marked, error) {
			return w.Mark(ctx, write.Call{Entity: of, ID: gid.Int(w.id(id)), Input: w.input(rest, body)}, m)
		}
		for _, c := range []struct {
			as, id, body string
			of           *write.Entity
			m            *write.Mark
			want         string
		}{
			{"nobody", "post", `{}`, rows.Post, like, "401 token required"},
			{"key", "post", `{}`, rows.Post, like, notYours},
			{"eve", "none", `{}`, rows.Post, like, "404 post not found"},
			{"eve", "draft", `{}`, rows.Post, like, "404 post not found"},
			{"eve", "post", `{"user_id":${bob}}`, rows.Post, like, notYours + "; user_id is not yours to set"},
			{"ada", "post", `{"user_id":999}`, rows.Post, like, "422 " + bad + "; user_id names no user"},
			{"eve", "post", `{"colour":1}`, rows.Post, like, "400 " + bad + "; colour is unknown; allowed: user_id"},
			{"bob", "bob", `{}`, rows.User, follow, "422 " + bad + "; id is the follower: users cannot follow themselves"},
			{"bob", "none", `{}`, rows.User, follow, "404 user not found"},
		} {
			_, err := mark(w.as(c.as), c.of, c.id, c.body, c.m)
			if said := said(err); said != c.want {
				w.Errorf("%s, %s by %s: %s, want %s", c.m.Verb, c.body, c.as, said, c.want)
			}
		}
		err := w.DB.InTx(w.as("eve"), func(ctx context.Context) error {
			for i, want := range []write.Marked{{Row: write.Row{Made: true}, Count: 1}, {Count: 1}} {
				want.Row.ID = gid.Int(w.ids["post"])
				if got, err := mark(ctx, rows.Post, "post", `{}`, like); err != nil || got != want {
					w.Errorf("like %d: %+v, %v, want %+v", i, got, err, want)
				}
			}
			for i := range int64(2) {
				if got, err := mark(ctx, rows.Post, "post", `{}`, share); err != nil || !got.Row.Made || got.Count != i+1 {
					w.Errorf("share %d: %+v, %v", i, got, err)
				}
			}
			for range 2 {
				if err := w.Unmark(ctx, write.Call{Entity: rows.Post, ID: gid.Int(w.ids["post"]), Input: w.input(rest, `{}`)}, like); err != nil {
					w.Error(err)
				}
			}
			return undone
		})
		if !errors.Is(err, undone) {
			w.Error(err)
		}
		if err := w.Unmark(w.as("eve"), write.Call{Entity: rows.Post, ID: gid.Int(999), Input: w.input(rest, `{}`)}, like); said(err) != "404 post not found" {
			w.Error(err)
		}
		if n := w.client.Post.Query().Where(post.LikesCountGT(0)).CountX(w.system()); n != 0 {
			w.Errorf("%d posts are liked", n)
		}
	})
}

// Objects in an input are judged like the input itself, each by its place.
func TestActWithObjects(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		w.Methods = &rows.Methods{Order: &orders{}}
		for body, want := range map[string]string{
			`{}`:             "ok",
			`{"items":null}`: "ok",
			`{"items":[{"product_id":${lamp},"quantity":2}]}`: "ok",
			`{"items":[]}`:    "422 " + bad + "; items must be at least 1 item, not 0",
			`{"items":"all"}`: "400 " + bad + "; items must be an array or null, not a string",
			`{"items":[{"product_id":999,"quantity":2},{"product_id":${lamp},"quantity":0}]}`: "422 " + bad + "; items[0].product_id names no product; items[1].quantity must be 1 to 10000",
			`{"items":[{"quantity":"x"},7,{"product_id":${lamp},"quantity":1,"colour":1}]}`:   "400 " + bad + "; items[1] must be an object, not a number; items[0].product_id is required; items[0].quantity must be a whole number, not a string; items[2].colour is unknown; allowed: product_id, quantity",
		} {
			got, _ := w.act("bob", rows.Order, 0, "create", body, write.Expect{})
			w.compare(body, got, want, "", -1)
		}
	})
}

// An action without a method fails, and changes nothing.
func TestWithoutMethods(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		got := w.try("bob", rows.CartItem, func(ctx context.Context) (write.Row, error) {
			return w.Create(ctx, write.Call{Entity: rows.CartItem, Input: w.input(rest, `{"product_id":${lamp},"quantity":2}`)})
		})
		w.compare("a create", got, "internal: create cart_item: the engine has no methods", "", -1)
		got, _ = w.act("bob", rows.CartItem, 0, "clear", `{}`, write.Expect{})
		w.compare("an action", got, "internal: clear cart_item: the engine has no methods", "", -1)
	})
}

// A row that a unique index finds is changed, and the answer says that it was found.
func TestUpsert(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		item, upsert := *rows.CartItem, *rows.CartItem.Upsert
		item.Making, item.Upsert, upsert.Run = nil, &upsert, ""
		put := func(body string) written {
			return w.try("bob", &item, func(ctx context.Context) (row write.Row, err error) {
				for range 2 {
					if row, err = w.Create(ctx, write.Call{Entity: &item, Input: w.input(rest, body)}); err != nil {
						return row, err
					}
				}
				return row, nil
			})
		}
		twice := put(`{"product_id":${lamp},"quantity":2}`)
		w.compare("twice", twice, "ok", "quantity=4 user_id=${bob} version=2", -1)
		if twice.Made || !twice.Found {
			w.Errorf("the second time is %+v", twice.Row)
		}
		w.compare("twice, by default", put(`{"product_id":${lamp}}`), "ok", "quantity=2", -1)
		w.compare("of nothing", put(`{"product_id":999}`), "422 "+bad+"; product_id names no product", "", -1)
	})
}
