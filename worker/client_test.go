package worker_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/orm"
)

// Interceptors hold for a client of one's own alone. The client that the APIs share
// refuses them, whichever entity they are for.
func TestTheSharedClientTakesNoInterceptors(t *testing.T) {
	each(t, func(k *kit) {
		none := ent.TraverseFunc(func(_ context.Context, q ent.Query) error {
			q.(interface{ WhereP(...func(*sql.Selector)) }).WhereP(func(s *sql.Selector) { s.Where(sql.False()) })
			return nil
		})
		shared, own := orm.Client(k.db), ent.NewClient(ent.Driver(k.db.Driver()))
		for what, intercept := range map[string]func(){
			"of all entities": func() { shared.Intercept(none) },
			"of one entity":   func() { shared.Category.Intercept(none) },
		} {
			if said := panicked(intercept); !strings.Contains(said, "say in Policy which rows are read") {
				t.Errorf("interceptors %s: %q, want a panic with what to say instead", what, said)
			}
		}
		own.Category.Intercept(none)
		k.try(shared.Category.Create().SetName("a").Exec(k.ctx))
		for _, c := range []struct {
			client *ent.Client
			want   int
		}{{shared, 1}, {own, 0}} {
			if n, err := c.client.Category.Query().Count(k.ctx); n != c.want || err != nil {
				t.Errorf("%d categories are read, %v, want %d", n, err, c.want)
			}
		}
	})
}

// panicked is the value of the function's panic.
func panicked(f func()) (said string) {
	defer func() { said = fmt.Sprint(recover()) }()
	f()
	return ""
}
