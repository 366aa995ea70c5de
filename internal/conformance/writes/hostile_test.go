package writes_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/cart"
	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// hostile are values that clients send.
var hostile = []any{
	nil, true, false, "", "x", "A title", "\x00", "\xff\xfe", "a\u202eb", strings.Repeat("é", 300), "history", "USD", "JPY", "XXQ", "user", "admin",
	"2026-01-02T03:04:05Z", "2026-01-02", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999-23:59", "a@example.com", "https://example.com/x",
	json.Number("0"), json.Number("1"), json.Number("-1"), json.Number("5"), json.Number("30.0"), json.Number("1.5"), json.Number("1e3"), json.Number("1e400"), json.Number("-1e-400"),
	json.Number("9223372036854775807"), json.Number("9223372036854775808"), json.Number("1e999999999999"), 7, int64(7), 7.5, 1e300,
	[]any{}, []any{"a"}, []any{"a", "a"}, []any{nil}, []any{json.Number("1")}, []any{"\x00"}, map[string]any{}, map[string]any{"a": []any{map[string]any{"b": nil}}},
}

// Every input is refused with a message or written: nothing breaks, and no database refuses
// an input that the engine has accepted.
func TestNoInputBreaks(t *testing.T) {
	t.Parallel()
	undone := errors.New("undone")
	each(t, func(w *world) {
		w.Methods = &rows.Methods{CartItem: cart.Items{Carts: &cart.Carts{DB: w.DB, Ent: orm.Client(w.DB)}}}
		random := rand.New(rand.NewPCG(1, 2))
		said, written := map[problem.Kind]int{}, 0
		for _, e := range rows.All {
			if e.Rules.May(w.viewers["ada"], policy.Create).Never() && e.Rules.May(w.viewers["ada"], policy.Update).Never() {
				continue
			}
			for i := range 200 {
				operation := random.IntN(3)
				members := map[string]any{}
				for _, f := range e.Fields {
					if operation == 0 && f.OnCreate && (f.Required || random.IntN(4) == 0) || operation > 0 && f.OnUpdate && random.IntN(2) == 0 {
						members[f.REST] = usual(f, i)
					}
				}
				for range random.IntN(3) {
					f := e.Fields[random.IntN(len(e.Fields))]
					name := f.REST
					if f.Key != "" && random.IntN(2) == 0 {
						name = f.Key
					}
					if operation > 0 || f.OnCreate {
						members[name] = hostile[random.IntN(len(hostile))]
					}
				}
				as := []string{"ada", "ada", "ada", "bob"}[random.IntN(4)]
				call := write.Call{Entity: e, ID: gid.Int(int64(1 + random.IntN(3))), Input: write.Input{API: rest, Members: members}}
				what := fmt.Sprintf("%d: %s by %s: %q", i, e.Name, as, members)
				err := w.DB.InTx(viewer.With(w.Context(), w.viewers[as]), func(ctx context.Context) error {
					var err error
					_ = w.DB.InTx(ctx, func(ctx context.Context) error {
						switch operation {
						case 0:
							_, err = w.Create(ctx, call)
						case 1:
							_, err = w.Update(ctx, call, false)
						default:
							_, err = w.Update(ctx, call, true)
						}
						return err
					})
					switch p := problem.As(err); {
					case err == nil:
					case p == nil || p.Kind == problem.Internal || p.Kind == problem.Unavailable:
						w.Errorf("%s: %v", what, err)
					case p.Kind == problem.Unprocessable && len(p.Details) == 0:
						if v, ok := store.ViolationOf(err); !ok || v.Rule != store.Check || e != rows.Product && e != rows.Follow { // a flag against the stock, or oneself, which marks see to
							w.Errorf("%s: the database refuses it: %v", what, err)
						}
					}
					if err == nil {
						written++
					} else {
						said[problem.KindOf(err)]++
					}
					return undone
				})
				if !errors.Is(err, undone) {
					w.Errorf("%s: %v", what, err)
				}
			}
		}
		if said[problem.Invalid] == 0 || said[problem.Unprocessable] == 0 || said[problem.Forbidden] == 0 || written < 100 {
			w.Errorf("the inputs are all alike: %d are written, %v", written, said)
		}
	})
}

// usual is a value that the field takes.
func usual(f *write.Field, n int) any {
	switch f.Kind {
	case entity.Int, entity.Float, entity.Money:
		return json.Number("20")
	case entity.Bool:
		return true
	case entity.Time:
		return "2026-01-02T03:04:05Z"
	case entity.Enum:
		return f.Values[0]
	case entity.Strings:
		return []any{"read"}
	case entity.Ref:
		return json.Number("1")
	}
	switch f.Name {
	case "email":
		return fmt.Sprintf("a%d@example.com", n)
	case "currency":
		return "EUR"
	case "avatar", "website":
		return "https://example.com"
	}
	return fmt.Sprintf("a%d", n)
}
