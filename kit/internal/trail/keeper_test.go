package trail_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/internal/trail"
)

func key(id int64) string { return fmt.Sprintf("job-%d", id) }

// The kept requests stay within bounds, and the oldest go first.
func TestMemoryIsBounded(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	k := &trail.Keeper{Percent: 100, Now: func() time.Time { return now }}
	text := strings.Repeat("x", 10_000)
	for i := range 1200 {
		ctx := k.Begin(t.Context(), fmt.Sprintf("r%d", i), "GET", text, false)
		one := trail.From(ctx)
		steps := 10
		if i%100 == 99 {
			steps = 600
		}
		for j := range steps {
			one.Statement("select", "posts", text, now, "")(1)
			one.Accepted("mail", int64(i*1000+j))
			one.Asked(fmt.Sprintf("Post%d", j), "read", func() string { return text }, false)
		}
		k.End(ctx, "rest", "listPosts", 200)
		if trails, bytes := k.Kept(); trails > 1000 || bytes > 16<<20 {
			t.Fatalf("after %d requests %d are kept with %d bytes", i+1, trails, bytes)
		}
	}
	if _, found := k.Find("r1199", key); !found {
		t.Error("the last request is not there")
	}
	if _, found := k.Find("r0", key); found {
		t.Error("the first request is still there")
	}
	one, _ := k.Find("r1199", key)
	if len(one.Steps) > 500 || one.Left == 0 || len(one.Query) > 1100 {
		t.Errorf("a request has %d steps, says that %d are left out, and has a query of %d bytes", len(one.Steps), one.Left, len(one.Query))
	}
	now = now.Add(25 * time.Hour)
	if all := k.Latest(10); len(all) != 0 {
		t.Errorf("a day later %d requests are kept", len(all))
	}
	if trails, bytes := k.Kept(); trails != 0 || bytes != 0 {
		t.Errorf("a day later %d requests are kept, with %d bytes", trails, bytes)
	}
}

// The console's own requests leave room for those of others.
func TestTheConsoleCrowdsNothingOut(t *testing.T) {
	t.Parallel()
	k := &trail.Keeper{Percent: 100}
	ask := func(id string, console bool) {
		k.End(k.Begin(t.Context(), id, "GET", "", console), "rest", "listPosts", 200)
	}
	for i := range 100 {
		ask(fmt.Sprintf("mine%d", i), false)
	}
	for i := range 2000 {
		ask(fmt.Sprintf("own%d", i), true)
	}
	mine, own := 0, 0
	for _, one := range k.Latest(50) {
		if one.Console {
			own++
		} else {
			mine++
		}
	}
	if trails, _ := k.Kept(); trails != 300 || mine != 50 || own != 200 {
		t.Errorf("%d are kept, of which %d and %d of the console are the latest, want 300, 50 and 200", trails, mine, own)
	}
	for id, want := range map[string]bool{"mine0": true, "own0": false, "own1799": false, "own1800": true, "own1999": true} {
		if _, found := k.Find(id, key); found != want {
			t.Errorf("%s is found: %t", id, found)
		}
	}
	for i := range 1000 {
		ask(fmt.Sprintf("more%d", i), false)
	}
	if trails, bytes := k.Kept(); trails != 1000 || bytes > 16<<20 {
		t.Errorf("%d are kept with %d bytes", trails, bytes)
	}
	for _, one := range k.Latest(1000) {
		if one.Console {
			t.Errorf("%s is still there", one.ID)
		}
	}
}

// Jobs of a request are found by it, and the request by them.
func TestJobsBelongToTheirRequest(t *testing.T) {
	t.Parallel()
	k := &trail.Keeper{Percent: 100}
	ctx := k.Begin(t.Context(), "r1", "POST", "", false)
	trail.From(ctx).Accepted("email", 7)
	k.End(ctx, "rest", "sendEmail", 202)
	job := k.BeginJob(context.Background(), key(7), 7)
	trail.From(job).Sent("")
	k.EndJob(job, "email", "succeeded")
	found, _ := k.Find("r1", key)
	if len(found.Jobs) != 1 || found.Jobs[0].Outcome != "succeeded" || found.Jobs[0].Steps[0].Kind != trail.Mail {
		t.Errorf("of the request came %+v", found.Jobs)
	}
	if job, _ := k.Find(key(7), key); job.Of != "r1" {
		t.Errorf("the job came of %q", job.Of)
	}
}

// Of queries those values alone are kept that the redactor admits.
func TestQueriesAreRedacted(t *testing.T) {
	t.Parallel()
	k := &trail.Keeper{Percent: 100, Show: func(name string) bool { return name == "status" || name == "price[gte]" }}
	for query, want := range map[string]string{
		"status=paid&email=hush&price%5Bgte%5D=5": "status=paid&email=-&price[gte]=5",
		"search=hush&cursor=hush":                 "search=-&cursor=-",
		"hu%73h=1&hush/hush=2":                    "-=-&-=-",
		"":                                        "",
	} {
		ctx := k.Begin(t.Context(), "r", "GET", query, false)
		k.End(ctx, "rest", "listOrders", 200)
		if found, _ := k.Find("r", key); found.Query != want {
			t.Errorf("of %q is kept %q, want %q", query, found.Query, want)
		}
	}
}

// A request that turns out to be a stream leaves no trail, and what happens in the stream costs nothing.
func TestNothingIsAllocatedForStreams(t *testing.T) {
	k := &trail.Keeper{Percent: 100}
	ctx := k.Begin(t.Context(), "r1", "GET", "", false)
	one := trail.From(ctx)
	read := one.Statement("select", "posts", "SELECT 1", time.Now(), "")
	k.Drop(ctx)
	read(1)
	got := testing.AllocsPerRun(100, func() {
		one.Asked("Post", "read", func() string { t.Error("the rule is written out"); return "" }, false)
		one.As(nil)
	})
	if got > 0 {
		t.Errorf("a question allocates %v times", got)
	}
}

// Requests that are not kept cost nothing.
func TestNothingIsAllocatedForRequestsThatAreNotKept(t *testing.T) {
	k := &trail.Keeper{Percent: 0}
	ctx := t.Context()
	got := testing.AllocsPerRun(100, func() {
		if trail.From(k.Begin(ctx, "r1", "GET", "a=b", false)) != nil {
			t.Error("it is kept")
		}
		k.End(ctx, "rest", "listPosts", 200)
	})
	if got > 0 {
		t.Errorf("a request allocates %v times", got)
	}
}
