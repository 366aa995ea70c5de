package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/entwine-go/entwine/internal/seed"
	"github.com/entwine-go/entwine/kit/runtime/config"
	"github.com/entwine-go/entwine/kit/runtime/store"
)

func seedCommand() command {
	amounts := seed.Amounts{Users: 1000, Posts: 5000, Comments: 25_000, Products: 1000, Follows: -1}
	var number uint64
	return command{
		name:    "seed",
		summary: "Add invented rows that are like real ones.",
		about: `A few users write most, a few posts are talked about most. The users have no
passwords: entwine token EMAIL makes a token for one. In production it is refused.`,
		flags: func(fs *flag.FlagSet) {
			fs.IntVar(&amounts.Users, "users", amounts.Users, "how `many` users.")
			fs.IntVar(&amounts.Follows, "follows", amounts.Follows, "how `many` times a user follows another: ten for each user if it is -1, or what is possible among few.")
			fs.IntVar(&amounts.Posts, "posts", amounts.Posts, "how `many` posts.")
			fs.IntVar(&amounts.Comments, "comments", amounts.Comments, "how `many` comments.")
			fs.IntVar(&amounts.Products, "products", amounts.Products, "how `many` products.")
			fs.Uint64Var(&number, "seed", 1, "a `number`: another one makes other rows.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			if p.config.Env == config.Production {
				return errors.New("seed is refused in production: it would put invented users, orders and posts among real ones. Use another database, without ENTWINE_ENV=production")
			}
			if amounts.Users < 1 || amounts.Follows < -1 || amounts.Posts < 0 || amounts.Comments < 0 || amounts.Products < 0 || amounts.Comments > 0 && amounts.Posts == 0 {
				return usagef("there must be at least one user, and a post where there are comments")
			}
			if amounts.Follows < 0 {
				amounts.Follows = min(10*amounts.Users, seed.MostFollows(amounts.Users))
			}
			return p.withDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				return p.seed(ctx, db, amounts, number)
			})
		},
	}
}

func (p *process) seed(ctx context.Context, db *store.DB, amounts seed.Amounts, number uint64) error {
	bar := &bar{to: p.stderr, start: time.Now(), live: isTerminal(p.stderr)}
	seeder := &seed.Seeder{DB: db, Seed: number, Now: time.Now(), Progress: bar.show}
	if err := seeder.Fill(ctx, amounts); err != nil {
		return err
	}
	_, err := fmt.Fprintf(p.stdout, "%d users, %d follows, %d posts, %d comments, %d products in %s\n",
		amounts.Users, amounts.Follows, amounts.Posts, amounts.Comments, amounts.Products, time.Since(bar.start).Round(10*time.Millisecond))
	return err
}

// bar shows how far something is: on a terminal in one line that changes,
// elsewhere in a line for each tenth.
type bar struct {
	to     io.Writer
	start  time.Time
	live   bool
	tenths int
}

func (b *bar) show(done, total int) {
	const width = 40
	tenths := 10 * done / total
	if !b.live && tenths == b.tenths {
		return
	}
	b.tenths = tenths
	speed := float64(done) / time.Since(b.start).Seconds()
	line := fmt.Sprintf("%3d%%  %d of %d rows, %.0f a second", 100*done/total, done, total, speed)
	if !b.live {
		fmt.Fprintln(b.to, line)
		return
	}
	full := width * done / total
	fmt.Fprintf(b.to, "\r[%s%s] %s", strings.Repeat("#", full), strings.Repeat(".", width-full), line)
	if done == total {
		fmt.Fprintln(b.to)
	}
}

// isTerminal reports whether somebody watches what is written to w.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && isatty.IsTerminal(f.Fd()) // the null device is none
}
