//go:build linux

package failover_test

import (
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/redis/go-redis/v9"
)

// sentinels are three of them, who look after two servers of Redis.
type sentinels struct {
	*testing.T
	url     string
	servers map[string]*storetest.RedisServer // by their addresses
	one     *redis.SentinelClient
}

// startSentinels returns once each sentinel knows the others and the replica.
func startSentinels(t *testing.T) *sentinels {
	t.Helper()
	s := &sentinels{T: t, servers: make(map[string]*storetest.RedisServer)}
	primary, replica := storetest.Redis(t), storetest.Redis(t)
	for _, r := range []*storetest.RedisServer{primary, replica} {
		s.servers[redisAddress(r)] = r
	}
	host, port, err := net.SplitHostPort(redisAddress(primary))
	if err != nil {
		t.Fatal(err)
	}
	s.follow(redisAddress(replica), host, port)
	var addresses []string
	for range 3 {
		address := trial.UnusedAddress(t)
		_, own, _ := net.SplitHostPort(address)
		file := filepath.Join(t.TempDir(), "sentinel.conf")
		text := fmt.Sprintf("port %s\nbind 127.0.0.1\nsentinel monitor main 127.0.0.1 %s 2\nsentinel down-after-milliseconds main 500\nsentinel failover-timeout main 3000\n", own, port)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		trial.Proxy(t, exec.Command("redis-server", file, "--sentinel"), address)
		addresses = append(addresses, address)
	}
	s.url = "redis+sentinel://" + strings.Join(addresses, ",") + "/main/0"
	s.one = redis.NewSentinelClient(&redis.Options{Addr: addresses[0]})
	t.Cleanup(func() { _ = s.one.Close() })
	s.whole()
	return s
}

func redisAddress(r *storetest.RedisServer) string {
	return strings.TrimSuffix(strings.TrimPrefix(r.URL, "redis://"), "/0")
}

func (s *sentinels) follow(replica, host, port string) {
	s.Helper()
	client := redis.NewClient(&redis.Options{Addr: replica})
	defer client.Close()
	if err := client.Do(s.Context(), "REPLICAOF", host, port).Err(); err != nil {
		s.Fatal(err)
	}
}

// whole waits until the sentinel knows the others, and a replica that follows.
func (s *sentinels) whole() {
	s.Helper()
	s.until("two other sentinels and a replica", func() bool {
		replicas, err := s.one.Replicas(s.Context(), "main").Result()
		others, failed := s.one.Sentinels(s.Context(), "main").Result()
		return err == nil && failed == nil && len(others) == 2 && len(replicas) == 1 && replicas[0]["master-link-status"] == "ok"
	})
}

func (s *sentinels) primary() string {
	s.Helper()
	at, err := s.one.GetMasterAddrByName(s.Context(), "main").Result()
	if err != nil {
		s.Fatal(err)
	}
	return net.JoinHostPort(at[0], at[1])
}

// failOver kills the primary, which comes back as a replica without data, or asks the
// sentinels for another.
func (s *sentinels) failOver(turn int) {
	s.Helper()
	before := s.primary()
	server := s.servers[before]
	if turn%2 == 0 {
		if err := server.Signal(syscall.SIGKILL); err != nil {
			s.Fatal(err)
		}
	} else if err := s.one.Failover(s.Context(), "main").Err(); err != nil {
		s.Fatal(err)
	}
	s.until("another primary", func() bool { return s.primary() != before })
	if turn%2 == 0 {
		server.Stop()
		if err := server.Start(s.Context()); err != nil {
			s.Fatal(err)
		}
	}
	s.whole()
}

func (s *sentinels) until(what string, holds func() bool) {
	s.Helper()
	for began := time.Now(); !holds(); {
		if time.Since(began) > 2*time.Minute {
			s.Fatalf("there is never %s", what)
		}
		time.Sleep(20 * time.Millisecond)
	}
}
