package rest_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/livelist"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/rest/oas"
)

// A program in Go follows lists beside ogen's client, over connections that are cut again
// and again: what it has is each time one of what the list has answered with, and in the end the last.
func TestAListIsFollowedInGo(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		service := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			v := w.nobody
			if r.Header.Get("Authorization") == "Bearer ada" {
				v = w.ada
			}
			w.handler.ServeHTTP(rw, r.WithContext(viewer.With(r.Context(), v)))
		}))
		t := w.t.(*testing.T)
		t.Cleanup(service.Close)
		params := oas.ListPostsParams{
			Sort: []string{"title"}, Fields: []string{"id", "title", "likes_count"}, Expand: []string{"author"},
			AuthorID: oas.NewOptInt64(w.ada.UserID), Limit: oas.NewOptInt(5), Page: oas.NewOptInt(1),
		}
		posts := livelist.List[oas.Post]{Backoff: time.Millisecond, Call: func(ctx context.Context, over livelist.Doer) error {
			c, err := oas.NewClient(service.URL+"/api/v1", token("ada"), oas.WithClient(over))
			if err != nil {
				return err
			}
			_, err = c.ListPosts(ctx, params)
			return err
		}}
		client, err := oas.NewClient(service.URL+"/api/v1", token("ada"))
		if err != nil {
			t.Fatal(err)
		}
		asked := func() livelist.State[oas.Post] {
			page, err := client.ListPosts(t.Context(), params)
			if err != nil {
				t.Fatal(err)
			}
			return livelist.State[oas.Post]{Rows: page.Data, Total: page.Pagination.Total.Value, Exact: true}
		}
		states := make(chan livelist.State[oas.Post])
		ctx, stop := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() {
			for now, err := range posts.Follow(ctx) {
				if err != nil {
					ended <- err
					return
				}
				states <- now
			}
		}()
		for _, name := range []string{"arts", "science"} {
			w.exec("INSERT INTO categories (name, created_at, updated_at) VALUES ($1, $2, $2)", name, now())
		}
		r := rand.New(rand.NewPCG(7, 7))
		have, before := <-states, []livelist.State[oas.Post](nil) // which may still be on their way
		for i := range 60 {
			passed := []livelist.State[oas.Post]{asked()}
			for range 1 + r.IntN(3) {
				w.write(r, []*viewer.Viewer{w.nobody, w.ada}, i)
				passed = append(passed, asked())
			}
			if i%5 == 0 {
				service.CloseClientConnections()
			}
			for !equal(have, passed[len(passed)-1]) {
				if have = <-states; !slices.ContainsFunc(append(before, passed...), func(s livelist.State[oas.Post]) bool { return equal(s, have) }) {
					t.Fatalf("it has %d of %d rows, which the list was not", len(have.Rows), have.Total)
				}
			}
			before = passed
		}
		stop()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("it ends with %v", err)
		}
	})
}

// equal reports whether both are shown alike.
func equal(a, b livelist.State[oas.Post]) bool {
	return a.Total == b.Total && a.Exact == b.Exact && slices.EqualFunc(a.Rows, b.Rows, func(a, b oas.Post) bool {
		x, errX := a.MarshalJSON()
		y, errY := b.MarshalJSON()
		return errX == nil && errY == nil && string(x) == string(y)
	})
}

// A list that is refused ends with why; one whose call asks for nothing, with what that says.
func TestAListInGoIsRefused(t *testing.T) {
	t.Parallel()
	followed(t, func(w *liveWorld) {
		service := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
			w.handler.ServeHTTP(rw, r.WithContext(viewer.With(r.Context(), w.nobody)))
		}))
		w.t.(*testing.T).Cleanup(service.Close)
		orders := livelist.List[oas.Order]{Call: func(ctx context.Context, over livelist.Doer) error {
			c, err := oas.NewClient(service.URL+"/api/v1", token(""), oas.WithClient(over))
			if err != nil {
				return err
			}
			_, err = c.ListOrders(ctx, oas.ListOrdersParams{})
			return err
		}}
		for _, err := range orders.Follow(w.t.Context()) {
			var refused *livelist.RefusedError
			if !errors.As(err, &refused) || refused.Status != 401 || refused.Code != "AUTH_REQUIRED" {
				w.t.Errorf("orders of nobody: %v", err)
			}
		}
		none := errors.New("no credentials")
		for _, err := range (&livelist.List[oas.Post]{Call: func(context.Context, livelist.Doer) error { return none }}).Follow(w.t.Context()) {
			if !errors.Is(err, none) {
				w.t.Errorf("without a request: %v", err)
			}
		}
	})
}
