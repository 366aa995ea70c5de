package storetest_test

import (
	"testing"

	"github.com/redis/go-redis/v9"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

func TestRedisForgetsWhenItStops(t *testing.T) {
	t.Parallel()
	server := storetest.Redis(t)
	options, err := redis.ParseURL(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer client.Close()
	if err := client.Set(t.Context(), "key", 1, 0).Err(); err != nil {
		t.Fatal(err)
	}
	server.Stop()
	if err := server.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	if n, err := client.Exists(t.Context(), "key").Result(); n != 0 || err != nil {
		t.Errorf("Exists = %d, %v, want 0", n, err)
	}
}
