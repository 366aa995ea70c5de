package bench

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// Figures of live lists: of as many connections, each with a list of its own, while
// rows of some of them are written. No figure fails the test.
func TestScaleOfLiveLists(t *testing.T) {
	if *scale == "" || *part != "" && *part != "lives" {
		t.Skip("it seeds large tables: make scale does it")
	}
	f, w := &figures{}, newScaled(t, scales[*scale].size)
	execute(w, w.db, fmt.Sprintf(`UPDATE products SET price = 100 * id, stock = 10 * id WHERE id <= %d`, banded))
	for _, of := range []following{w.comments(), w.bands()} {
		for _, n := range []int{500, 5_000} {
			w.follows(f, of, n)
		}
	}
	f.print(*scale + ", live lists")
}

const (
	liveChanges = 2_500            // in all
	liveRate    = 500              // a second
	liveIdle    = 25 * time.Second // in which the process gives back memory that it does not need
	banded      = 1_000            // products, of which lists have a band of prices, stocks or times
)

// following is the live list that connections follow.
type following struct {
	name string
	// list is the path of a list, and rows how many there are until they repeat: each write
	// is to the lists of one.
	list func(i int) string
	rows int
	// write writes a row, and has its list show the text.
	write func(row int, text string) call
}

// comments are the comments of a post each. Whether they can be read is asked of the post.
func (s *scaled) comments() following {
	return following{"lists of a post's comments",
		func(i int) string {
			return fmt.Sprintf("comments?post_id=%d&sort=-created_at&limit=10&fields=id,text", i+1)
		}, s.posts,
		func(row int, text string) call {
			return call{method: "POST", path: "/api/v1/comments", body: fmt.Sprintf(`{"post_id":%d,"text":%q}`, row+1, text), token: s.token, status: 201}
		}}
}

// bands are products by a band of one of their columns: five of each product.
func (s *scaled) bands() following {
	return following{"lists of products by a band",
		func(i int) string {
			n, of := i%banded+1, "products?sort=id&limit=10&fields=id,name&"
			switch i / banded % 5 {
			case 0:
				return fmt.Sprintf("%sprice[gte]=%d&price[lt]=%d", of, n, n+1)
			case 1:
				return fmt.Sprintf("%sstock[gte]=%d&stock[lt]=%d", of, 10*n, 10*n+10)
			case 2:
				at := beginning.Add(time.Duration(n) * time.Second).Format(time.RFC3339)
				return fmt.Sprintf("%sfrom=%s&to=%[2]s", of, at)
			case 3:
				return fmt.Sprintf("%sprice[lte]=%d&price[gt]=%d&stock[gt]=0", of, n, n-1)
			}
			return fmt.Sprintf("%sid=%d", of, n)
		}, banded,
		func(row int, text string) call {
			return call{method: "PATCH", path: fmt.Sprintf("/api/v1/products/%d", row+1), body: fmt.Sprintf(`{"name":%q}`, text), token: s.admin, status: 200}
		}}
}

// follows has n connections follow a list each.
func (s *scaled) follows(f *figures, what following, n int) {
	s.Helper()
	of := fmt.Sprintf("%d %s", n, what.name)
	ctx, stop := context.WithCancel(s.Context())
	defer stop()
	before := resident(s, s.entwine.pid)
	heard := make(chan shown, liveChanges)
	var opened, ended sync.WaitGroup
	places := make(chan struct{}, 16) // that are opened at a time
	began := time.Now()
	for i := range n {
		opened.Add(1)
		ended.Go(func() {
			places <- struct{}{}
			err := s.follow(ctx, i, what.list(i), heard, sync.OnceFunc(func() { <-places; opened.Done() }))
			if err != nil && ctx.Err() == nil {
				s.Error(err)
			}
		})
	}
	opened.Wait()
	f.row(of, "to open them all", since(began), "")
	idle, _ := s.entwine.cpu(s)
	nothing := s.spent(func() { time.Sleep(liveIdle) })
	idled, _ := s.entwine.cpu(s)
	f.row(of, "statements a second where nothing is written", fmt.Sprintf("%.1f", float64(nothing.calls)/liveIdle.Seconds()), "")
	f.row(of, "of a core then", fmt.Sprintf("%.1f%%", 100*float64(idled-idle)/float64(liveIdle)), "")
	f.row(of, "memory of the process for each then", fmt.Sprintf("%d KB", (resident(s, s.entwine.pid)-before)/n), "12 KB")
	var took []time.Duration
	var rate float64
	service, database := s.entwine.cpu(s)
	compared, read := s.metric("live_comparisons_total"), s.metric("live_readings_total")
	spent := s.spent(func() { took, rate = s.changes(what, n, heard) })
	served, stored := s.entwine.cpu(s)
	each := func(n float64) string { return fmt.Sprintf("%.1f", n/liveChanges) }
	f.row(of, fmt.Sprintf("from the request of a write to its list, %.0f a second, p50, p99", rate), quantiles(took), "250 ms")
	f.row(of, "lists compared with each write, and read again", each(s.metric("live_comparisons_total")-compared)+", "+each(s.metric("live_readings_total")-read), "10")
	f.row(of, "statements for each write, its own among them", each(float64(spent.calls)), "")
	f.row(of, "CPU for each write of the process, of the database", each(float64(served-service)/1e6)+" ms, "+each(float64(stored-database)/1e6)+" ms", "")
	stop()
	ended.Wait()
}

// metric is a figure of the process.
func (s *scaled) metric(name string) (value float64) {
	s.Helper()
	said := (&process{url: "http://" + s.metrics}).fetch(s, call{method: "GET", path: "/metrics", status: 200})
	for line := range strings.Lines(string(said)) {
		if _, is, found := strings.Cut(line, name+" "); found && line[0] != '#' {
			_, _ = fmt.Sscanf(is, "%g", &value)
		}
	}
	return value
}

// follow takes the events of a list, and sends the numbers of the changes that it hears.
func (s *scaled) follow(ctx context.Context, i int, list string, heard chan<- shown, opened func()) error {
	defer opened()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, s.entwine.url+"/api/v1/"+list, nil)
	if err != nil {
		return err
	}
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("X-Forwarded-For", from(i))
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(io.LimitReader(res.Body, 300))
		return fmt.Errorf("list %d is answered %s: %s", i, res.Status, text)
	}
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		text, ok := strings.CutPrefix(lines.Text(), "data: ")
		if !ok {
			continue
		}
		opened()
		if strings.HasPrefix(text, `{"rows"`) {
			continue
		}
		for _, said := range strings.Split(text, `"change `)[1:] {
			now := shown{list: i}
			_, _ = fmt.Sscanf(said, "%d", &now.change)
			heard <- now
		}
	}
	return lines.Err()
}

// from is the address of a caller.
func from(i int) string { return fmt.Sprintf("10.%d.%d.%d", i>>16, i>>8&255, i&255) }

// shown is that a list shows a change, and with it those of its row before.
type shown struct{ list, change int }

// changes writes rows that are followed, and returns how long after its request each was
// shown by each of its lists, and how many were written a second.
func (s *scaled) changes(what following, n int, heard <-chan shown) (took []time.Duration, rate float64) {
	s.Helper()
	began := make([]time.Time, liveChanges)
	followed := min(n, what.rows)
	row := func(i int) int { return i * 7 % followed } // again after as many
	expected := 0
	for i := range liveChanges {
		expected += (n - row(i) + what.rows - 1) / what.rows
	}
	var writing sync.WaitGroup
	var mu sync.Mutex
	pace := time.NewTicker(time.Second / liveRate)
	defer pace.Stop()
	all := make(chan struct{})
	go func() {
		defer close(all)
		last := make(map[int]int) // by list
		for len(took) < expected {
			now := <-heard
			mu.Lock()
			before, known := last[now.list]
			for i := now.change; i >= 0 && (!known || i > before); i -= followed {
				took = append(took, time.Since(began[i]))
			}
			last[now.list] = max(now.change, before)
			mu.Unlock()
		}
	}()
	changes := make(chan int)
	for range callers {
		caller := s.entwine.caller(s)
		writing.Go(func() {
			defer caller.conn.Close()
			for i := range changes {
				mu.Lock()
				began[i] = time.Now()
				mu.Unlock()
				c := what.write(row(i), fmt.Sprintf("change %d of %d", i, n))
				if status, err := caller.ask(c.request(), io.Discard); err != nil || status != c.status {
					s.Errorf("%s %s: %d, %v", c.method, c.path, status, err)
				}
			}
		})
	}
	for i := range liveChanges {
		<-pace.C
		changes <- i
	}
	close(changes)
	writing.Wait()
	rate = liveChanges / time.Since(began[0]).Seconds()
	select {
	case <-all:
	case <-time.After(time.Minute):
		s.Errorf("%d of %d changes were heard of", len(took), expected)
	}
	mu.Lock()
	defer mu.Unlock()
	return took, rate
}
