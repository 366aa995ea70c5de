package writes_test

import (
	"context"
	"fmt"
	"net/url"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/order"
	"github.com/entwine-go/entwine/ent/payment"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// A field that certain roles set is not set by who may make the row: its
// default may be named.
func TestWritersOfNewRows(t *testing.T) {
	t.Parallel()
	e := *rows.Comment
	e.Fields = slices.Clone(e.Fields)
	for i, f := range e.Fields {
		if f.Name == "text" {
			guarded := *f
			guarded.Writers, guarded.Required, guarded.Default = []viewer.Role{viewer.Admin}, false, func() any { return "Well." }
			e.Fields[i] = &guarded
		}
	}
	each(t, func(w *world) {
		for _, c := range []struct{ as, text, want string }{
			{"ada", "Mine.", "ok"},
			{"bob", "Mine.", notYours + "; text is not yours to set"},
			{"bob", "Well.", "ok"},
		} {
			got := w.try(c.as, &e, func(ctx context.Context) (write.Row, error) {
				return w.Create(ctx, write.Call{Entity: &e, Input: w.input(rest, fmt.Sprintf(`{"post_id":${post},"text":%q}`, c.text))})
			})
			w.compare(c.text+" by "+c.as, got, c.want, "", -1)
		}
	})
}

// A deleted row can't be written, not even by callers who can still read it, and no row can
// refer to it.
func TestDeletedRowsStayAsTheyAre(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		if err := w.Delete(w.as("ada"), write.Call{Entity: rows.Post, ID: gid.Int(w.ids["post"])}, false); err != nil {
			w.Fatal(err)
		}
		const gone = "404 post not found"
		post := func(body string) write.Call {
			return write.Call{Entity: rows.Post, ID: gid.Int(w.ids["post"]), Input: w.input(rest, body)}
		}
		for name, c := range map[string]struct {
			want  string
			write func(ctx context.Context) error
		}{
			"changed": {gone, func(ctx context.Context) error {
				_, err := w.Update(ctx, post(`{"title":"New"}`), false)
				return err
			}},
			"replaced": {gone, func(ctx context.Context) error {
				_, err := w.Update(ctx, post(`{"title":"New","content":"B"}`), true)
				return err
			}},
			"archived": {gone, func(ctx context.Context) error {
				_, err := w.Act(ctx, post(`{}`), rows.Post.Action("archive"))
				return err
			}},
			"deleted again": {gone, func(ctx context.Context) error { return w.Delete(ctx, post(`{}`), false) }},
			"liked": {gone, func(ctx context.Context) error {
				_, err := w.Mark(ctx, post(`{}`), rows.Post.Marks[0])
				return err
			}},
			"commented on": {"422 " + bad + "; post_id names no post", func(ctx context.Context) error {
				_, err := w.Create(ctx, write.Call{Entity: rows.Comment, Input: w.input(rest, `{"text":"A","post_id":${post}}`)})
				return err
			}},
		} {
			got := w.try("ada", rows.Post, func(ctx context.Context) (write.Row, error) {
				return write.Row{ID: gid.Int(w.ids["post"])}, c.write(ctx)
			})
			w.compare(name, got, c.want, "", -1)
		}
	})
}

// An amount without a currency of its own is in that of the row.
func TestAmountsOfActions(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		ctx := w.system()
		methods := &orders{}
		w.Methods = &rows.Methods{Order: methods}
		for _, c := range []struct {
			currency, amount, want string
			minor                  int64
		}{
			{"JPY", "550", "ok", 550},
			{"JPY", "5.5", "422 " + bad + "; amount JPY has 0 decimals at most", 0},
			{"KWD", "5.555", "ok", 5555},
			{"USD", "5.555", "422 " + bad + "; amount USD has 2 decimals at most", 0},
		} {
			o := w.client.Order.Create().SetUserID(typedid.UserID(w.ids["bob"])).SetStatus(order.StatusPaid).SetCurrency(c.currency).SetTotal(9000).SaveX(ctx)
			w.client.Payment.Create().SetOrder(o).SetUserID(typedid.UserID(w.ids["bob"])).SetAmount(9000).SetCurrency(c.currency).SetGateway("sandbox").SetStatus(payment.StatusSucceeded).SetCapturedAt(time.Now()).ExecX(ctx)
			methods.called = nil
			got, _ := w.act("ada", rows.Order, int64(o.ID), "refund", `{"amount":`+c.amount+`}`, write.Expect{})
			w.compare(c.amount+" "+c.currency, got, c.want, "", -1)
			if c.want == "ok" && (methods.called == nil || methods.called.Amount == nil || *methods.called.Amount != c.minor) {
				w.Errorf("%s %s: called with %+v, want %d", c.amount, c.currency, methods.called, c.minor)
			}
		}
	})
}

// Values that an action has set are rolled back where its method fails.
func TestAnActionIsDoneWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		methods := &orders{refusal: problem.New(problem.Conflict, "no")}
		w.Methods = &rows.Methods{Order: methods}
		ctx := w.system()
		o := w.client.Order.Create().SetUserID(typedid.UserID(w.ids["bob"])).SetCurrency("USD").SetTotal(1000).SaveX(ctx)
		call := write.Call{Entity: rows.Order, ID: gid.Int(int64(o.ID)), Input: w.input(rest, `{}`)}
		if _, err := w.Act(w.as("bob"), call, rows.Order.Action("cancel")); said(err) != "409 no" || methods.called == nil {
			w.Errorf("cancelled: %v", err)
		}
		if is := w.client.Order.GetX(ctx, o.ID); is.Status != order.StatusPending || is.ClosedAt != nil || is.Version != o.Version {
			w.Errorf("the order is %+v", is)
		}
		methods.refusal = nil
		if _, err := w.Act(w.as("bob"), call, rows.Order.Action("cancel")); err != nil {
			w.Error(err)
		}
		if is := w.client.Order.GetX(ctx, o.ID); is.Status != order.StatusCancelled || is.Version != o.Version+1 {
			w.Errorf("the order is %+v", is)
		}
	})
}

// A path names the rows above the one that is written, too: that of another is
// not there.
func TestTheRowIsThatOfThePath(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		ctx := w.system()
		w.client.Profile.Create().SetBio("Eve's").SetUserID(typedid.UserID(w.ids["eve"])).ExecX(ctx)
		below := func(post, body string) write.Call {
			return write.Call{Entity: rows.Comment, ID: gid.Int(w.ids["comment"]), Fixed: write.Fixed{Field: "post_id", ID: gid.Int(w.id(post))}, Input: w.input(rest, body)}
		}
		for post, want := range map[string]string{"post": "ok", "draft": "404 comment not found"} {
			got := w.try("bob", rows.Comment, func(ctx context.Context) (write.Row, error) {
				return w.Update(ctx, below(post, `{"text":"New"}`), false)
			})
			w.compare("changed below the "+post, got, want, "", -1)
			got = w.try("bob", rows.Comment, func(ctx context.Context) (write.Row, error) {
				return write.Row{}, w.Delete(ctx, below(post, `{}`), false)
			})
			w.compare("deleted below the "+post, got, want, "", -1)
		}
		got := w.try("bob", rows.Profile, func(ctx context.Context) (write.Row, error) {
			return w.Put(ctx, write.Call{Entity: rows.Profile, Fixed: write.Fixed{Field: "user_id", ID: gid.Int(w.ids["bob"])}, Input: w.input(rest, `{"bio":"Bob's"}`)}, true)
		})
		w.compare("one's profile where there is another's", got, "ok", "user_id=${bob} version=1", -1)
		if !got.Made {
			w.Error("the other's profile was taken for one's own")
		}
	})
}

// An amount is not written in another currency than that in which it was judged.
func TestACurrencyThatChangesMeanwhile(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		w.Around = map[string]*write.Around{rows.Product.Name: {Prepare: func(ctx context.Context, _ *write.Change) (any, error) {
			ctx = viewer.With(ctx, viewer.System())
			return nil, w.client.Product.UpdateOneID(typedid.ProductID(w.ids["lamp"])).SetCurrency("JPY").Exec(ctx)
		}}}
		got := w.try("ada", rows.Product, func(ctx context.Context) (write.Row, error) {
			return w.Update(ctx, write.Call{Entity: rows.Product, ID: gid.Int(w.ids["lamp"]), Input: w.input(rest, `{"price":5.25}`)}, false)
		})
		w.compare("a price", got, "409 the product was changed meanwhile: try again", "", -1)
	})
}

// A key is taken once the input is valid, and before any other row is read: an invalid
// input is refused whatever the key stands for, and a repetition gets its answer whatever
// rows exist by then.
func TestKeysComeBetweenInputAndRows(t *testing.T) {
	t.Parallel()
	const right = `{"title":"A","content":"B","category_id":${history}}`
	each(t, func(w *world) {
		keeper := &idempotency.Keeper{DB: w.DB}
		send := func(body string) string {
			request := idempotency.NewRequest("key", w.viewers["bob"], "POST /posts", "/posts", url.Values{}, []byte(w.filled(body)))
			outcome, err := keeper.Run(w.as("bob"), request, func(ctx context.Context) (idempotency.Outcome, error) {
				row, err := w.Create(ctx, write.Call{Entity: rows.Post, Input: w.input(rest, body)})
				if err != nil {
					return idempotency.Outcome{Refused: problem.As(err)}, err
				}
				return idempotency.Outcome{Status: 201, Row: idempotency.Row{Entity: "Post", ID: row.ID}}, nil
			})
			switch {
			case err != nil:
				return said(err)
			case outcome.Refused != nil:
				return said(outcome.Refused)
			}
			return fmt.Sprintf("%d, again: %t", outcome.Status, outcome.Replayed)
		}
		const reused = "422 this Idempotency-Key was used with another request"
		for i, c := range []struct{ body, want string }{
			{`{"title":"A"}`, "400 " + bad + "; content is required"},
			{right, "201, again: false"},
			{`{"title":"A"}`, "400 " + bad + "; content is required"},
			{`{"title":"B","content":"B"}`, reused},
			{`{"title":"B","content":"B","category_id":999}`, reused},
			{right, "201, again: true"},
		} {
			if got := send(c.body); got != c.want {
				w.Errorf("%d: %s is answered %s, want %s", i, c.body, got, c.want)
			}
		}
		ctx := w.system()
		w.client.Post.Update().ClearCategoryID().ExecX(ctx)
		w.client.Category.DeleteOneID(typedid.CategoryID(w.ids["history"])).ExecX(ctx)
		if got := send(right); got != "201, again: true" {
			w.Errorf("without the category: %s", got)
		}
	})
}
