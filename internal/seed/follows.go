package seed

import (
	"context"
	"fmt"

	"github.com/entwine-go/entwine/ent/follow"
)

// mostFollows is which part of all that are possible is made at most: to find
// one that is missing takes ever longer.
const mostFollows = 4

// MostFollows is how often so many users can be made to follow each other.
func MostFollows(users int) int { return users * (users - 1) / mostFollows }

// follows makes users follow each other: a few are followed by very many, and
// a few follow very many, seldom the same.
func (s *Seeder) follows(ctx context.Context, n int, users []int64) error {
	if most := MostFollows(len(users)); n > most {
		return fmt.Errorf("%d users follow each other at most %d times", len(users), most)
	}
	readers, writers := s.crowd(users), s.crowd(users)
	type pair struct{ follower, followee int64 }
	made := make(map[pair]bool, n)
	pairs := make([]pair, 0, n)
	for tries := 0; len(pairs) < n; tries++ {
		p := pair{readers.draw(), writers.draw()}
		if tries > 2*n { // the few have all they can: now anybody
			p = pair{users[s.random.IntN(len(users))], users[s.random.IntN(len(users))]}
		}
		if p.follower != p.followee && !made[p] {
			made[p] = true
			pairs = append(pairs, p)
		}
	}
	columns := []string{follow.FieldCreatedAt, follow.FieldFollowerID, follow.FieldFolloweeID}
	return s.load(ctx, follow.Table, columns, n, func(i int, row []any) {
		row[0], row[1], row[2] = s.at(i, n), pairs[i].follower, pairs[i].followee
	})
}
