// Package seed fills a database with rows that are like real ones: a few
// users write most, a few posts are talked about most, and more happened
// lately than long ago.
//
// Which tables there are and what their columns take follows from the schema
// (entity.Samples): a new entity or field needs no line here. Values that make
// rows of this service more like real ones stand in hints.go. Rows that break a
// check or a unique index are left out and others made; what only the service
// makes, such as orders and their payments, is not invented, so the books add up.
//
// It writes past Ent, with COPY or long inserts, because a row through Ent costs
// several times as much; the folded columns that Ent's hooks would fill it fills
// itself. One seed gives the same rows in every empty database.
package seed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/sample"
	"github.com/entwine-go/entwine/kit/store"
)

// Amounts are how many rows of each entity are made, by its path: "posts". If
// one is negative, so many at most: as unique indexes and checks let there be.
type Amounts map[string]int

// few is how many rows are made of an entity that others refer to, if its number
// is not given.
const few = 10

// Seeder makes rows.
type Seeder struct {
	DB *store.DB
	// Seed makes other rows where it is another.
	Seed uint64
	// Now is when the last thing happened.
	Now time.Time
	// Progress is called with the number of rows that are there, and of all. It may be nil.
	Progress func(done, total int)

	conn   *sql.Conn
	random *rand.Rand
	words  words
	prose  prose
	crowds map[string]crowd
	done   int
	total  int
}

// Paths lists the entities whose rows can be made, in the order in which they
// are; and those whose rows only the service makes.
func Paths() (made, kept []string) {
	for _, t := range inOrder(entity.Samples()) {
		if t.Kept != "" {
			kept = append(kept, t.Path)
		} else {
			made = append(made, t.Path)
		}
	}
	return made, kept
}

// Fill adds the rows to those that are there, and returns how many it made of each entity.
func (s *Seeder) Fill(ctx context.Context, amounts Amounts) (made Amounts, err error) {
	tables, err := s.plan(ctx, amounts)
	if err != nil {
		return nil, err
	}
	if s.conn, err = s.DB.Session(ctx); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, s.conn.Close()) }()
	s.random = rand.New(rand.NewPCG(s.Seed, 1))
	s.words = words{s.random}
	s.prose = newProse(s.words)
	s.crowds, s.done, s.total = map[string]crowd{}, 0, 0
	for _, t := range tables {
		s.total += t.n
	}
	made = Amounts{}
	for _, t := range tables {
		n, err := s.fill(ctx, t)
		if err != nil {
			return made, fmt.Errorf("make %s: %w", t.Path, err)
		}
		made[t.Path] = n
	}
	return made, s.analyze(ctx)
}

// MostFollows is how often so many users can be made to follow each other: to
// find one that is missing takes ever longer.
func MostFollows(users int) int { return users * (users - 1) / 4 }

// planned is a table and how many rows it gets.
type planned struct {
	sample.Table
	n int
	// asFar is set where there may be less.
	asFar bool
}

// plan says which tables get how many rows: those that were asked for, and a
// few rows of empty ones that these refer to.
func (s *Seeder) plan(ctx context.Context, amounts Amounts) ([]planned, error) {
	all := inOrder(entity.Samples())
	wanted := map[string]int{}
	for path, n := range amounts {
		i := slices.IndexFunc(all, func(t sample.Table) bool { return t.Path == path })
		switch {
		case i < 0:
			return nil, fmt.Errorf("there are no %s: rows of %s can be made", path, strings.Join(paths(all), ", "))
		case all[i].Kept != "" && n > 0:
			return nil, fmt.Errorf("only the service makes %s: %s", path, all[i].Kept)
		case all[i].Kept == "":
			wanted[all[i].Name] = n
		}
	}
	for _, t := range slices.Backward(all) {
		if wanted[t.Name] == 0 {
			continue
		}
		for _, c := range t.Columns {
			if c.Kind != sample.Ref || c.Of == t.Name {
				continue
			}
			if err := s.refer(ctx, all, wanted, t, c); err != nil {
				return nil, err
			}
		}
	}
	var tables []planned
	for _, t := range all {
		if n := wanted[t.Name]; n != 0 {
			tables = append(tables, planned{t, max(n, -n), n < 0})
		}
	}
	return tables, nil
}

// refer sees to it that there are rows that the column can refer to.
func (s *Seeder) refer(ctx context.Context, all []sample.Table, wanted map[string]int, t sample.Table, c sample.Column) error {
	n, asked := wanted[c.Of]
	if n != 0 {
		return nil
	}
	if last, err := s.lastID(ctx, c.Of); err != nil || last > 0 {
		return err
	}
	can := slices.ContainsFunc(all, func(t sample.Table) bool { return t.Name == c.Of && t.Kept == "" })
	switch {
	case can && !asked:
		wanted[c.Of] = few
	case c.Null:
	case wanted[t.Name] < 0:
		wanted[t.Name] = 0
	default:
		return fmt.Errorf("%s need a row of %s, and there is none", t.Path, c.Of)
	}
	return nil
}

// paths are those of tables whose rows can be made.
func paths(tables []sample.Table) []string {
	var all []string
	for _, t := range tables {
		if t.Kept == "" {
			all = append(all, t.Path)
		}
	}
	return all
}

// inOrder puts the tables that others refer to before these.
func inOrder(tables []sample.Table) []sample.Table {
	var sorted []sample.Table
	seen := map[string]bool{}
	var visit func(t sample.Table)
	visit = func(t sample.Table) {
		if seen[t.Name] {
			return
		}
		seen[t.Name] = true
		for _, c := range t.Columns {
			for _, other := range tables {
				if c.Kind == sample.Ref && other.Name == c.Of {
					visit(other)
				}
			}
		}
		sorted = append(sorted, t)
	}
	for _, t := range tables {
		visit(t)
	}
	return sorted
}

// span is how far back the first thing happened.
const span = 2 * 365 * 24 * time.Hour

// at is when the i-th of n things happened: ever closer to each other.
func (s *Seeder) at(i, n int) time.Time {
	passed := math.Sqrt(float64(i+1) / float64(n+1))
	return store.Time(s.Now.Add(-span + time.Duration(passed*float64(span))))
}

// crowd draws some more often than others: the first of a shuffled list most.
type crowd struct {
	ids  []int64
	rank *rand.Zipf
}

func (s *Seeder) crowd(ids []int64) crowd {
	if len(ids) == 0 {
		return crowd{}
	}
	shuffled := make([]int64, len(ids))
	for i, at := range s.random.Perm(len(ids)) {
		shuffled[i] = ids[at]
	}
	return crowd{shuffled, rand.NewZipf(s.random, 1.2, 10, uint64(len(ids)-1))}
}

func (c crowd) draw() int64 { return c.ids[c.rank.Uint64()] }

// chance is true with the probability.
func (s *Seeder) chance(p float64) bool { return s.random.Float64() < p }

// analyze lets the database learn what the tables hold now.
func (s *Seeder) analyze(ctx context.Context) error {
	if _, err := s.conn.ExecContext(ctx, "ANALYZE"); err != nil {
		return fmt.Errorf("analyze: %w", err)
	}
	return nil
}
