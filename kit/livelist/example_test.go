package livelist_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/entwine-go/entwine/kit/livelist"
)

// posts is the method of a client for the service, as ogen generates it: it takes what
// sends its requests (api.WithClient(over)) and typed parameters.
func posts(ctx context.Context, service string, over livelist.Doer) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, service+"/api/v1/posts?published=true&sort=title&limit=20", nil)
	if err != nil {
		return err
	}
	answer, err := over.Do(r)
	if err == nil {
		err = answer.Body.Close()
	}
	return err
}

type post struct {
	ID    int64  `json:"id"`
	Title string `json:"title"`
}

// The list of the posts, each time that it is another. The connection is cut after the
// first page, and the next one goes on from it.
func ExampleList_Follow() {
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/event-stream")
		switch r.Header.Get("Last-Event-ID") {
		case "":
			fmt.Fprint(w, "id: first\nevent: page\ndata: {\"rows\":[{\"id\":7,\"title\":\"Engines\"}]}\n\n")
		case "first":
			fmt.Fprint(w, "id: second\nevent: steps\ndata: {\"steps\":[{\"kind\":\"enter\",\"id\":9,\"index\":0,\"row\":{\"id\":9,\"title\":\"Cards\"}},"+
				"{\"kind\":\"change\",\"id\":7,\"index\":1,\"fields\":{\"title\":\"Looms\"}}]}\n\n")
		}
	}))
	defer service.Close()

	list := livelist.List[post]{Backoff: time.Millisecond, Call: func(ctx context.Context, over livelist.Doer) error {
		return posts(ctx, service.URL, over)
	}}
	for now, err := range list.Follow(context.Background()) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(now.Rows)
		if len(now.Rows) == 2 {
			break
		}
	}

	// Output:
	// [{7 Engines}]
	// [{9 Cards} {7 Looms}]
}
