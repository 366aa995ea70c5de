package store_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
)

func TestFiguresCountPreparedStatements(t *testing.T) {
	t.Parallel()
	for name, url := range map[string]string{"postgres": items.PostgresURL(t), "sqlite": items.SQLiteURL(t)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			figures := store.NewFigures(3)
			db := open(t, store.Config{URL: url, Figures: figures})
			var n int
			for i := range 5 {
				exec(t, t.Context(), db, insert, fmt.Sprint(t.Name(), i))
				scan(t, t.Context(), db, "SELECT count(*) FROM items", &n)
			}
			all := figures.All()
			for _, text := range []string{insert, "SELECT count(*) FROM items"} {
				i := slices.IndexFunc(all, func(f store.Figure) bool { return f.Text == text })
				if i < 0 || all[i].Calls != 5 || all[i].Took <= 0 {
					t.Errorf("%q: %+v", text, all)
				}
			}
			for i := range 10 {
				scan(t, t.Context(), db, fmt.Sprintf("SELECT count(*) + %d FROM items", i), &n)
			}
			if all := figures.All(); len(all) != 3 {
				t.Errorf("of ten more texts these are left: %+v", all)
			}
		})
	}
}
