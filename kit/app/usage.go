package app

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"text/tabwriter"
	"time"

	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/usage"
)

func usageCommand() Command {
	var since string
	var asJSON bool
	return Command{
		Name:    "usage",
		Summary: "List the users of deprecated operations and fields.",
		About: `For each deprecated version, operation and field it says how often which API key,
user and user agent used it, since a day (--since 2027-01-31) or in the last 90 days.
Requests that were refused because it is gone count, too. Counts are kept for 90 days;
those of the last ten seconds may be missing.`,
		Flags: func(fs *flag.FlagSet) {
			fs.StringVar(&since, "since", "", "the first day that counts")
			fs.BoolVar(&asJSON, "json", false, "write a list of objects")
		},
		Run: func(ctx context.Context, p *Process, args []string) error {
			if err := Wants(args); err != nil {
				return err
			}
			day := time.Now().AddDate(0, 0, -90)
			if since != "" {
				var err error
				if day, err = time.Parse(time.DateOnly, since); err != nil {
					return Usagef("--since %s: a day such as 2027-01-31 is needed", since)
				}
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error { return listUses(ctx, p, db, day, asJSON) })
		},
	}
}

func listUses(ctx context.Context, p *Process, db *store.DB, since time.Time, asJSON bool) error {
	all, err := usage.Since(ctx, db, since)
	if err != nil {
		return err
	}
	if asJSON {
		if all == nil {
			all = []usage.Use{}
		}
		e := json.NewEncoder(p.Stdout)
		e.SetIndent("", "  ")
		return e.Encode(all)
	}
	w := tabwriter.NewWriter(p.Stdout, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "KIND\tNAME\tCALLER\tAGENT\tREQUESTS\tLAST DAY")
	for _, u := range all {
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%d\t%s\n", u.Kind, u.Name, callerOf(u), u.Agent, u.Requests, u.Day)
	}
	return w.Flush()
}

// callerOf names the caller of a use as other commands do, by the id.
func callerOf(u usage.Use) string {
	switch {
	case u.KeyID != 0:
		return fmt.Sprintf("key %d", u.KeyID)
	case u.UserID != 0:
		return fmt.Sprintf("user %d", u.UserID)
	}
	return "anonymous"
}
