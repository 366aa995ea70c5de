package presence_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/redis/go-redis/v9"
	"go.uber.org/goleak"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/presence"
	"github.com/entwine-go/entwine/kit/problem"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// each runs the test on both stores. Redis is nil for that of the process.
func each(t *testing.T, test func(t *testing.T, s presence.Store, client *redis.Client)) {
	t.Run("memory", func(t *testing.T) {
		t.Parallel()
		test(t, new(presence.Memory), nil)
	})
	t.Run("redis", func(t *testing.T) {
		t.Parallel()
		options, err := redis.ParseURL(storetest.Redis(t).URL)
		if err != nil {
			t.Fatal(err)
		}
		client := redis.NewClient(options)
		t.Cleanup(func() { _ = client.Close() })
		test(t, &presence.Redis{Client: client}, client)
	})
}

func member(id string) *presence.Member {
	return &presence.Member{ID: id, UserID: 7, Since: 3, State: json.RawMessage(`{"line":1}`)}
}

func TestAMemberIsThereUntilItLeaves(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s presence.Store, _ *redis.Client) {
		ctx := t.Context()
		for _, id := range []string{"a", "b"} {
			if err := s.Join(ctx, "Post:1", member(id)); err != nil {
				t.Fatal(err)
			}
		}
		if is, err := s.Say(ctx, "Post:1", "a", "", json.RawMessage(`{"line":2}`)); !is || err != nil {
			t.Errorf("Say: %v, %v", is, err)
		}
		if is, err := s.Say(ctx, "Post:1", "a", "of another", json.RawMessage(`{"line":3}`)); is || err != nil {
			t.Errorf("Say as another: %v, %v", is, err)
		}
		if is, err := s.Say(ctx, "Post:2", "a", "", json.RawMessage(`{"line":3}`)); is || err != nil {
			t.Errorf("Say of another row: %v, %v", is, err)
		}
		if err := s.Join(ctx, "Post:1", member("a")); err != nil { // it is there still, and what it said, too
			t.Fatal(err)
		}
		if err := s.Leave(ctx, "Post:1", "b"); err != nil {
			t.Fatal(err)
		}
		all, err := s.Members(ctx, "Post:1")
		if err != nil || len(all) != 1 || all[0].ID != "a" || all[0].UserID != 7 || all[0].Since != 3 || string(all[0].State) != `{"line":2}` {
			t.Errorf("Members: %+v, %v", all, err)
		}
	})
}

func TestARowHasPlaceForSoManyMembers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s presence.Store, _ *redis.Client) {
		for i := range presence.Most {
			if err := s.Join(t.Context(), "Post:1", member(fmt.Sprint(i))); err != nil {
				t.Fatal(err)
			}
		}
		if err := s.Join(t.Context(), "Post:1", member("more")); problem.KindOf(err) != problem.RateLimited {
			t.Errorf("Join: %v", err)
		}
		if err := s.Join(t.Context(), "Post:1", member("0")); err != nil {
			t.Errorf("Join of one that is there: %v", err)
		}
	})
}

// A member of a process that died is there no more after a while, and Redis keeps nothing
// of a row that is not looked at.
func TestRedisForgetsMembers(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, s presence.Store, client *redis.Client) {
		if client == nil {
			return
		}
		ctx := t.Context()
		for _, id := range []string{"a", "b"} {
			if err := s.Join(ctx, "Post:1", member(id)); err != nil {
				t.Fatal(err)
			}
		}
		if err := client.ZAdd(ctx, "entwine:presence:{Post:1}:seen", redis.Z{Score: 1, Member: "a"}).Err(); err != nil { // as after half a minute
			t.Fatal(err)
		}
		if all, err := s.Members(ctx, "Post:1"); err != nil || len(all) != 1 || all[0].ID != "b" {
			t.Errorf("Members: %+v, %v", all, err)
		}
		keys, err := client.Keys(ctx, "*").Result()
		if err != nil || len(keys) != 3 {
			t.Errorf("keys %v, %v", keys, err)
		}
		for _, key := range keys {
			if left, err := client.PTTL(ctx, key).Result(); err != nil || left <= 0 || left > presence.Life {
				t.Errorf("%s is kept for %v, %v", key, left, err)
			}
		}
	})
}
