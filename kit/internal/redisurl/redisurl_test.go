package redisurl_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"github.com/entwine-go/entwine/kit/internal/redisurl"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"redis://:secret@localhost:6379/1":                            "localhost:6379/1",
		"unix:///run/redis.sock":                                      "/run/redis.sock",
		"redis+sentinel://u:se@cret@a,b:1/main/2":                     "a,b:1/main/2",
		"rediss+sentinel://[::1]:26379/main?sentinel_password=secret": "[::1]:26379/main",
	} {
		client, err := redisurl.Open(address, nil)
		if err != nil {
			t.Errorf("Open(%q): %v", address, err)
			continue
		}
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		if got := redisurl.Shown(address); got != want {
			t.Errorf("Shown(%q) = %q, want %q", address, got, want)
		}
	}
	for address, want := range map[string]string{
		"http://localhost":                     "must begin with redis://",
		"redis://:secret@a:1/0?nonsense=1":     "no option of go-redis: nonsense",
		"redis+sentinel:///main/0":             "must name sentinels",
		"redis+sentinel://a:26379":             "the primary's name",
		"redis+sentinel://a:26379/main/x":      "a database",
		"redis+sentinel://a:26379/main/0?db=1": "parameter db",
	} {
		if _, err := redisurl.Open(address, nil); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("Open(%q): %v, want %q", address, err, want)
		}
	}
}

// A client finds the primary that sentinels have chosen in place of one that died.
func TestAFailoverOfSentinels(t *testing.T) {
	t.Parallel()
	primary, replica := storetest.Redis(t), storetest.Redis(t)
	port := func(r *storetest.RedisServer) string {
		return strings.TrimSuffix(strings.TrimPrefix(r.URL, "redis://127.0.0.1:"), "/0")
	}
	second, err := redisurl.Open(replica.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer second.Close()
	if err := second.Do(t.Context(), "REPLICAOF", "127.0.0.1", port(primary)).Err(); err != nil {
		t.Fatal(err)
	}
	address := sentinel(t, port(primary))
	client, err := redisurl.Open("redis+sentinel://"+address+"/main/0", func(o *redis.Options) { o.MaxRetries, o.DialTimeout = 1, time.Second })
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	if err := client.Set(t.Context(), "before", "1", 0).Err(); err != nil {
		t.Fatal(err)
	}
	known := redis.NewSentinelClient(&redis.Options{Addr: address})
	defer known.Close()
	until(t, "the sentinel knows the replica", func() bool {
		all, err := known.Replicas(t.Context(), "main").Result()
		return err == nil && len(all) == 1 && all[0]["master-link-status"] == "ok"
	})
	primary.Stop()
	until(t, "the replica takes writes", func() bool { return client.Set(t.Context(), "after", "1", 0).Err() == nil })
	if got := second.Get(t.Context(), "after").Val(); got != "1" {
		t.Error("the write went elsewhere")
	}
}

// until asks again and again. A test that is stuck ends with go test's time.
func until(t *testing.T, what string, done func() bool) {
	t.Helper()
	for !done() {
		select {
		case <-t.Context().Done():
			t.Fatal(what)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// sentinel runs one that watches the primary "main", and returns its address.
func sentinel(t *testing.T, primary string) string {
	t.Helper()
	program, err := exec.LookPath("redis-server")
	if err != nil {
		t.Fatal(err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().(*net.TCPAddr)
	_ = l.Close()
	file := filepath.Join(t.TempDir(), "sentinel.conf")
	config := fmt.Sprintf("port %d\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 %s 1\nsentinel down-after-milliseconds main 300\nsentinel failover-timeout main 3000\n", address.Port, primary)
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, file, "--sentinel")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	client := redis.NewSentinelClient(&redis.Options{Addr: address.String(), MaxRetries: -1})
	defer client.Close()
	until(t, "the sentinel answers", func() bool { return client.Ping(t.Context()).Err() == nil })
	return address.String()
}
