package bench

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"
)

// quiet is how long an idle process is watched.
const quiet = 20 * time.Second

// idles measures the cost of a process without requests.
func (s *scaled) idles(f *figures) {
	s.Helper()
	options, err := redis.ParseURL(s.redis.URL)
	if err != nil {
		s.Fatal(err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	processed := regexp.MustCompile(`total_commands_processed:(\d+)`)
	commands := func() int {
		text, err := client.Info(s.Context(), "stats").Result()
		if err != nil {
			s.Fatal(err)
		}
		n, _ := strconv.Atoi(processed.FindStringSubmatch(text)[1])
		return n
	}
	asked, began := commands(), time.Now()
	ran, _ := s.entwine.cpu(s)
	spent := s.spent(func() { <-time.After(quiet) })
	now, _ := s.entwine.cpu(s)
	asked, seconds := commands()-asked-1, time.Since(began).Seconds()
	f.row("an idle process", "Redis commands a second", fmt.Sprintf("%.1f", float64(asked)/seconds), "10")
	f.row("an idle process", "statements a second", fmt.Sprintf("%.1f", float64(spent.calls)/seconds), "3")
	f.row("an idle process", "of one core", fmt.Sprintf("%.2f%%", float64(now-ran)/1e7/seconds), "1%")
}

// orders places and pays orders of different products, and says what one has cost once
// all that follows from it is done.
func (s *scaled) orders(f *figures, n int) {
	s.Helper()
	place := func(product, n int, token string) {
		var placed struct{ Data struct{ ID int64 } }
		for range n {
			body := s.entwine.fetch(s, call{method: "POST", path: "/api/v1/orders", body: fmt.Sprintf(`{"items":[{"product_id":%d,"quantity":2}]}`, product), token: token, status: 201})
			if err := json.Unmarshal(body, &placed); err != nil {
				s.Fatal(err)
			}
			s.entwine.fetch(s, call{method: "POST", path: fmt.Sprintf("/api/v1/orders/%d/pay", placed.Data.ID), token: token, status: 200})
		}
	}
	done := func() {
		s.until(`SELECT COUNT(*) FROM orders AS waited WHERE paid_at IS NOT NULL AND NOT EXISTS (SELECT 1 FROM invoices WHERE order_id = waited.id)`, 2*time.Minute)
		s.until(`SELECT COUNT(*) FROM jobs AS waited WHERE finished_at IS NULL AND run_at <= now() AND kind <> 'recount'`, 2*time.Minute)
	}
	place(1, 5, s.token)
	done()
	began := time.Now()
	var took time.Duration
	spent := s.spent(func() {
		var all sync.WaitGroup
		for buyer := range buyers {
			all.Go(func() { place(2+buyer, n/buyers, s.buyers[buyer]) })
		}
		all.Wait()
		took = time.Since(began)
		done()
	})
	paid := float64(n / buyers * buyers)
	f.row("a paid order", fmt.Sprintf("statements, of %.0f with all their jobs", paid), fmt.Sprintf("%.1f", float64(spent.calls)/paid), "18")
	f.row("a paid order", "transactions that wrote", fmt.Sprintf("%.1f", float64(spent.wrote)/paid), "5")
	f.row("a paid order", "WAL", fmt.Sprintf("%.1f KB", spent.wal/paid/1000), "7 KB")
	f.row("a paid order", "a second, by 8 buyers", fmt.Sprintf("%.0f", paid/took.Seconds()), "")
	s.most(f, "a paid order", paid)
	s.logged(f, "a paid order", spent, paid)
	s.hot(f, n)
}

// hot places orders of different products and of one product, by many buyers at a time.
func (s *scaled) hot(f *figures, n int) {
	s.Helper()
	const crowd = 32
	execute(s, s.db, `UPDATE products SET stock = 100000000`)
	perSecond := func(product func(buyer int) int) float64 {
		began := time.Now()
		var all sync.WaitGroup
		for buyer := range crowd {
			all.Go(func() {
				body := fmt.Sprintf(`{"items":[{"product_id":%d,"quantity":2}]}`, product(buyer))
				for range n / crowd {
					s.entwine.fetch(s, call{method: "POST", path: "/api/v1/orders", body: body, token: s.token, status: 201})
				}
			})
		}
		all.Wait()
		return float64(n/crowd*crowd) / time.Since(began).Seconds()
	}
	var different, one float64
	for range 3 { // others may use the machine, too: the best of three
		different = max(different, perSecond(func(buyer int) int { return 20 + buyer }))
		one = max(one, perSecond(func(int) int { return 10 }))
	}
	f.row("orders of one product", fmt.Sprintf("a second, by %d buyers", crowd), fmt.Sprintf("%.0f, of different products %.0f", one, different), "")
	f.row("orders of one product", "part of different products", fmt.Sprintf("%.0f%%", 100*one/different), "70%")
}

// logged adds what was written to the log of which table and index, in bytes for each of n.
func (s *scaled) logged(f *figures, of string, spent statements, n float64) {
	s.Helper()
	var what string
	var size, records int64
	row(s, s.db, fmt.Sprintf(`SELECT COALESCE(c.relname, r.resource_manager || ' ' || r.record_type), SUM(r.record_length)::bigint, COUNT(*)
		FROM pg_get_wal_records_info('%s', '%s') AS r
		LEFT JOIN pg_class AS c ON c.relfilenode = substring(r.block_ref FROM 'rel \d+/\d+/(\d+)')::oid
		GROUP BY 1 ORDER BY 2 DESC LIMIT 40`, spent.from, spent.to), func() {
		f.row(of, "WAL of "+what, fmt.Sprintf("%.0f B", float64(size)/n), fmt.Sprintf("%.2f", float64(records)/n))
	}, &what, &size, &records)
}

// most adds the statements that were made most often since the last [scaled.spent], and how
// often for each of n.
func (s *scaled) most(f *figures, of string, n float64) {
	s.Helper()
	var text string
	var calls int64
	row(s, s.db, `SELECT regexp_replace(btrim(query), '\s+', ' ', 'g'), calls FROM pg_stat_statements
		WHERE `+counting+` ORDER BY calls DESC LIMIT 30`, func() {
		f.row(of, text[:min(len(text), 90)], fmt.Sprintf("%.2f", float64(calls)/n), "")
	}, &text, &calls)
}

// deletes deletes the popular user, restores and removes them, while others like posts: those
// that the user likes, too.
func (s *scaled) deletes(f *figures) {
	s.Helper()
	f.row("liking", "p50, p99 before", s.liking(func() { <-time.After(5 * time.Second) }), "p99 50 ms")
	for _, one := range []struct{ name, method, path string }{
		{"a deletion", "DELETE", "/api/v1/users/1"}, {"a restoration", "POST", "/api/v1/users/1/restore"}, {"a removal", "DELETE", "/api/v1/users/1?hard=true"},
	} {
		status := map[string]int{"DELETE": 204, "POST": 200}[one.method]
		var answered, all time.Duration
		var spent statements
		liked := s.liking(func() {
			spent = s.spent(func() {
				began := time.Now()
				s.entwine.fetch(s, call{method: one.method, path: one.path, token: s.admin, status: status})
				answered = time.Since(began)
				s.until(`SELECT COUNT(*) FROM recounts AS waited`, time.Hour)
				all = time.Since(began)
			})
		})
		rows := fmt.Sprintf("of a user with %d followers, likes and comments", s.users)
		f.row(one.name, "answered, "+rows, fmt.Sprintf("%.1f ms", ms(answered)), "100 ms")
		f.row(one.name, "done by the job", all.Round(time.Millisecond).String(), "")
		f.row(one.name, "WAL of it, and of what is liked meanwhile", fmt.Sprintf("%.0f MB", spent.wal/1e6), "")
		f.row(one.name, "liking meanwhile, p50, p99", liked, "p99 50 ms")
	}
}

// liking has a user like and unlike posts from a few connections while do runs.
func (s *scaled) liking(do func()) string {
	s.Helper()
	const likers = 4
	var over atomic.Bool
	var all errgroup.Group
	took := make([][]time.Duration, likers)
	for i := range likers {
		caller := s.entwine.caller(s)
		all.Go(func() error {
			defer caller.conn.Close()
			for n := i; !over.Load(); n += likers {
				path := fmt.Sprintf("/api/v1/posts/%d/like", 1+n%s.posts)
				for _, method := range []string{"POST", "DELETE"} {
					began := time.Now()
					c := call{method: method, path: path, token: s.token}
					status, err := caller.ask(c.request(), io.Discard)
					if err != nil || status >= 500 {
						return fmt.Errorf("%s %s: %d: %w", method, path, status, err)
					}
					took[i] = append(took[i], time.Since(began))
				}
			}
			return nil
		})
	}
	do()
	over.Store(true)
	if err := all.Wait(); err != nil {
		s.Error(err)
	}
	return quantiles(slices.Concat(took...))
}

// quantiles are the median and the 99th percentile.
func quantiles(all []time.Duration) string {
	if len(all) == 0 {
		return "none"
	}
	slices.Sort(all)
	return fmt.Sprintf("%.1f ms, %.1f ms (%d)", ms(all[len(all)/2]), ms(all[len(all)*99/100]), len(all))
}
