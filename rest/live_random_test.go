package rest_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/live"
	"github.com/entwine-go/entwine/kit/viewer"
)

var (
	liveSteps = flag.Int("live-steps", 300, "transactions of TestLiveListsAreTheirQueries, on each database: make faults has 100000")
	liveSeed  = flag.Uint64("live-seed", 7, "what that test chooses by")
)

// Transactions of several writes, of which some are undone and some are one beside another,
// write rows below lists with random policies, filters, orders and callers. The list of a
// follower after each update equals the answer of the query after one of the transactions
// since the update before, and in the end after the last.
func TestLiveListsAreTheirQueries(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		x := &random{Rand: rand.New(rand.NewPCG(*liveSeed, uint64(w.db.Dialect.Name()[0])))}
		for _, name := range []string{"arts", "science"} {
			w.exec("INSERT INTO categories (name, created_at, updated_at) VALUES ($1, $2, $2)", name, now())
		}
		for i := range 8 {
			w.write(x.Rand, w.people(), i)
		}
		screens := make([]*shown, 12)
		for i := range screens {
			screens[i] = w.show(x)
		}
		for step := range *liveSteps {
			if step%1000 == 999 {
				w.t.Logf("%d transactions", step+1)
			}
			together := x.IntN(10) == 0 // whose order is not known
			w.transact(x, step, together)
			for i, s := range screens {
				if s.keeps(together); x.IntN(60) == 0 {
					s.Close()
					screens[i] = w.show(x)
				} else if x.IntN(20) == 0 {
					s.resumes()
				}
			}
		}
	})
}

func (w *liveWorld) people() []*viewer.Viewer {
	return []*viewer.Viewer{w.nobody, w.ada, w.bob, w.moderator, w.admin}
}

// transact writes by one transaction, or by several at the same time.
func (w *liveWorld) transact(x *random, step int, together bool) {
	w.t.Helper()
	undone := errors.New("undone")
	write := func(r *rand.Rand) error {
		err := w.db.InTx(w.world.system, func(ctx context.Context) error {
			inside := *w.world
			inside.system = ctx
			l := &liveWorld{world: &inside, lists: w.lists, callers: w.callers}
			for range 1 + r.IntN(3) {
				l.write(r, w.people(), step)
			}
			if r.IntN(8) == 0 {
				return undone
			}
			return nil
		})
		if errors.Is(err, undone) {
			return nil
		}
		return err
	}
	if !together {
		if err := write(x.Rand); err != nil {
			w.t.Fatal(err)
		}
		return
	}
	done := make(chan error)
	const writers = 3
	for range writers {
		r := rand.New(rand.NewPCG(x.Uint64(), 0))
		go func() {
			l := *w
			done <- l.insert(r, step)
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			w.t.Fatal(err)
		}
	}
}

// insert makes a post, by a transaction.
func (w *liveWorld) insert(r *rand.Rand, step int) error {
	return w.db.InTx(w.world.system, func(ctx context.Context) error {
		_, err := w.db.ExecContext(ctx, `INSERT INTO posts (created_at, updated_at, title, title_fold, content, content_fold, published, published_at, author_id)
			VALUES ($1, $1, $2, $2, 'x', 'x', TRUE, $1, $3)`, now(), fmt.Sprintf("%c%d", 'a'+rune(r.IntN(6)), step), w.ada.UserID)
		return err
	})
}

// shown is a follower's screen.
type shown struct {
	*live.Follower
	world  *liveWorld
	list   list
	number int

	position string
	rows     []string
	total    live.Total
	last     string // what the query answered with then
}

// show follows a random list, and takes its first update.
func (w *liveWorld) show(x *random) *shown {
	w.t.Helper()
	x.lists++
	s := &shown{world: w, list: x.list(w.people()), number: x.lists}
	s.open()
	u := s.update()
	if !u.Reset {
		w.t.Fatalf("%v does not begin anew", s.list)
	}
	s.last = s.asked()
	s.reaches(s.last)
	return s
}

func (s *shown) open() {
	s.world.t.Helper()
	ctx := viewer.With(s.world.t.Context(), s.list.viewer)
	f, err := s.world.lists.Open(ctx, func(context.Context) (live.Source, error) {
		key := fmt.Sprint(s.number)
		return live.Source{Key: key, Form: key, Entity: s.list.query.of, Where: s.list.query.Where, Counted: s.list.query.Page.Total, Read: s.list.read}, nil
	}, s.position)
	if err != nil {
		s.world.t.Fatalf("%v: %v", s.list, err)
	}
	s.Follower = f
	s.world.t.(interface{ Cleanup(func()) }).Cleanup(f.Close)
}

// resumes goes on from where it is.
func (s *shown) resumes() {
	s.world.t.Helper()
	s.Close()
	s.open()
	if u := s.update(); u.Reset {
		s.world.t.Fatalf("%v begins anew", s.list)
	}
	s.reaches(s.last)
}

// asked is the present answer of the query.
func (s *shown) asked() string {
	s.world.t.Helper()
	ctx := viewer.With(s.world.t.Context(), s.list.viewer)
	now, err := s.list.read(ctx, s.world.lists.Reader)
	if err != nil {
		s.world.t.Fatalf("%v: %v", s.list, err)
	}
	all := make([]string, len(now.Rows))
	for i := range now.Rows {
		all[i] = string(now.Rows[i].Views[0].JSON)
	}
	return fmt.Sprintln(now.Total, now.AtLeast) + strings.Join(all, "\n")
}

// keeps takes updates until there is on the screen what the query answers with.
func (s *shown) keeps(together bool) {
	s.world.t.Helper()
	before, now := s.last, s.asked()
	s.last = now
	if together {
		s.reaches(now)
		return
	}
	s.reaches(now, before, now)
}

func (s *shown) reaches(want string, passed ...string) {
	s.world.t.Helper()
	for s.state() != want {
		if s.update(); passed != nil && !slices.Contains(passed, s.state()) {
			s.world.t.Fatalf("%v has\n%s\nwhich is none of\n%s", s.list, s.state(), strings.Join(passed, "\n--\n"))
		}
	}
}

func (s *shown) state() string {
	return fmt.Sprintln(s.total.Rows, s.total.AtLeast) + strings.Join(s.rows, "\n")
}

// update takes one and does what it says.
func (s *shown) update() live.Update {
	s.world.t.Helper()
	ctx, cancel := context.WithTimeout(s.world.t.Context(), time.Minute)
	defer cancel()
	u, err := s.Next(viewer.With(ctx, s.list.viewer))
	if err != nil {
		s.world.t.Fatalf("%v: %v; it has\n%s\nand the query answers\n%s", s.list, err, s.state(), s.last)
	}
	if s.position, s.total = u.Position, u.Total; u.Reset {
		s.rows = nil
	}
	for _, step := range u.Steps {
		switch step.Kind {
		case live.Enter:
			s.rows = slices.Insert(s.rows, step.Index, string(step.Row.Views[0].JSON))
		case live.Leave:
			s.rows = slices.Delete(s.rows, step.Index, step.Index+1)
		case live.Move:
			row := s.rows[step.From]
			s.rows = slices.Insert(slices.Delete(s.rows, step.From, step.From+1), step.Index, row)
		case live.Change:
			s.rows[step.Index] = string(step.Row.Views[0].JSON)
		}
	}
	return u
}
