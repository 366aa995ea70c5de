// Package seed fills a database with rows that are like real ones: a few
// users write most, a few posts are talked about most, and more happened
// lately than long ago.
//
// It writes past Ent, with COPY or long inserts, because a row through Ent
// costs several times as much; the folded columns that Ent's hooks would fill
// it fills itself. What is the same for one seed and an empty database is the
// same row for row.
package seed

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/entwine-go/entwine/kit/runtime/store"
)

// Amounts are how many rows of each kind are made.
type Amounts struct {
	Users, Posts, Comments, Products, Follows int
}

// total is how many rows that is.
func (a Amounts) total() int { return a.Users + a.Posts + a.Comments + a.Products + a.Follows }

// Seeder makes rows.
type Seeder struct {
	DB *store.DB
	// Seed makes other rows where it is another.
	Seed uint64
	// Now is when the last thing happened.
	Now time.Time
	// Progress is told how many rows of how many there are. It may be nil.
	Progress func(done, total int)

	conn   *sql.Conn
	random *rand.Rand
	words  words
	prose  prose
	done   int
	total  int
}

// Fill adds the rows to those that are there.
func (s *Seeder) Fill(ctx context.Context, a Amounts) (err error) {
	if s.conn, err = s.DB.Session(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.conn.Close()) }()
	s.random = rand.New(rand.NewPCG(s.Seed, 1))
	s.words = words{s.random}
	s.prose = newProse(s.words)
	s.done, s.total = 0, a.total()

	users, err := s.users(ctx, a.Users)
	if err != nil {
		return fmt.Errorf("make users: %w", err)
	}
	if err := s.follows(ctx, a.Follows, users); err != nil {
		return fmt.Errorf("make follows: %w", err)
	}
	if _, err := s.products(ctx, a.Products); err != nil {
		return fmt.Errorf("make products: %w", err)
	}
	posts, err := s.posts(ctx, a.Posts, users)
	if err != nil {
		return fmt.Errorf("make posts: %w", err)
	}
	if err := s.comments(ctx, a.Comments, users, posts); err != nil {
		return fmt.Errorf("make comments: %w", err)
	}
	return s.analyze(ctx)
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
