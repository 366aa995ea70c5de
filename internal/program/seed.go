package program

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/internal/seed"
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/store"
)

func seedCommand() app.Command {
	amounts := seed.Amounts{"users": 1000, "posts": 5000, "comments": 25_000, "products": 1000, "follows": -1}
	others := 100
	var number uint64
	return app.Command{
		Name:    "seed",
		Summary: "Add invented rows that are like real ones.",
		About: `A few users write most, a few posts are talked about most. The users have no
passwords: entwine token EMAIL makes a token for one. In production it is refused.
Which entities there are and what their fields take follows from the schema. What only the
service makes, such as orders and their payments, is not invented.`,
		Flags: func(fs *flag.FlagSet) {
			for _, name := range []string{"users", "follows", "posts", "comments", "products"} {
				text := "how `many` " + name + "."
				if name == "follows" {
					text = "how `many` times a user follows another: ten for each user if it is -1, or what is possible among few."
				}
				fs.Var(&amount{amounts, name}, name, text)
			}
			fs.IntVar(&others, "others", others, "how `many` rows of each other entity, at most: as many as unique indexes let there be.")
			fs.Func("rows", "how many rows of an entity, by its path in REST: likes=500 (`NAME=N`). It can be given again for others.", func(text string) error {
				name, n, ok := strings.Cut(text, "=")
				if !ok {
					return errors.New("name the rows and how many: likes=500")
				}
				return (&amount{amounts, name}).Set(n)
			})
			fs.Uint64Var(&number, "seed", 1, "a `number`: another one makes other rows.")
		},
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			if err := app.Wants(args); err != nil {
				return err
			}
			if p.Config.Env == config.Production {
				return errors.New("seed is refused in production: it would put invented users, orders and posts among real ones. Use another database, without ENTWINE_ENV=production")
			}
			if err := complete(amounts, others); err != nil {
				return err
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				return fill(ctx, p, db, amounts, number)
			})
		},
	}
}

// amount is the flag of how many rows of an entity are made.
type amount struct {
	of   seed.Amounts
	path string
}

func (a *amount) String() string {
	if a.of == nil {
		return ""
	}
	return strconv.Itoa(a.of[a.path])
}

func (a *amount) Set(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 && a.path != "follows" || n < -1 {
		return errors.New("must be a whole number, 0 or more")
	}
	a.of[a.path] = n
	return nil
}

// complete says how many rows are made of what no flag names.
func complete(amounts seed.Amounts, others int) error {
	if amounts["users"] < 1 || others < 0 || amounts["comments"] > 0 && amounts["posts"] == 0 {
		return app.Usagef("there must be at least one user, and a post where there are comments")
	}
	if amounts["follows"] < 0 {
		amounts["follows"] = min(10*amounts["users"], seed.MostFollows(amounts["users"]))
	}
	made, _ := seed.Paths()
	for _, path := range made {
		if _, named := amounts[path]; !named && others > 0 {
			amounts[path] = -others
		}
	}
	return nil
}

func fill(ctx context.Context, p *app.Process, db *store.DB, amounts seed.Amounts, number uint64) error {
	bar := &bar{to: p.Stderr, start: time.Now(), live: app.IsTerminal(p.Stderr)}
	seeder := &seed.Seeder{DB: db, Seed: number, Now: time.Now(), Progress: bar.show}
	made, err := seeder.Fill(ctx, amounts)
	if err != nil {
		return err
	}
	var told []string
	paths, _ := seed.Paths()
	for _, path := range paths {
		if n := made[path]; n > 0 {
			told = append(told, fmt.Sprintf("%d %s", n, path))
		}
	}
	_, err = fmt.Fprintf(p.Stdout, "%s in %s\n", strings.Join(told, ", "), time.Since(bar.start).Round(10*time.Millisecond))
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
