package store_test

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

func TestHostsURL(t *testing.T) {
	for from, want := range map[string]string{
		"postgres://u:p%2C@a:5432,b:5433/db?target_session_attrs=read-write": "postgres://u:p%2C@/db?host=a%2Cb&port=5432%2C5433&target_session_attrs=read-write",
		"postgresql://a,b/db":              "postgresql:///db?host=a%2Cb&port=%2C",
		"postgres://u@[::1]:5432,[::2]/db": "postgres://u@/db?host=%3A%3A1%2C%3A%3A2&port=5432%2C",
		"postgres://u:p,q@a:5432/db":       "postgres://u:p,q@a:5432/db",
		"postgres:///db?host=a,b":          "postgres:///db?host=a,b",
		"sqlite:///a,b.db":                 "sqlite:///a,b.db",
	} {
		if got := store.HostsURL(from); got != want {
			t.Errorf("HostsURL(%q) = %q, want %q", from, got, want)
		}
	}
}

// The error of a database that does not open names its server, and hides the password.
func TestARefusalSaysWhereItCameFrom(t *testing.T) {
	t.Parallel()
	at := fmt.Sprintf("127.0.0.1:%d", storetest.PostgresServer(t).Port)
	refused(t, store.Config{URL: "postgres://postgres@" + at + "/postgres"}, "open database postgres at "+at+": ", "SSL is not enabled on the server", "sslmode=disable in the URL")
	refused(t, store.Config{URL: "postgres://ada:hush@" + at + "/none?sslmode=disable"}, "open database none at "+at+": ", "28000")
	refused(t, store.Config{URL: "postgres://ada:hush@127.0.0.1:1,127.0.0.1:2/none"}, "open database none at 127.0.0.1:1, 127.0.0.1:2: ", "connection refused")
}

// Of several hosts the first that takes writes is used.
func TestAURLOfSeveralHosts(t *testing.T) {
	t.Parallel()
	closed, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	none := closed.Addr().String()
	if err := closed.Close(); err != nil {
		t.Fatal(err)
	}
	address := items.PostgresURL(t)
	user, rest, _ := strings.Cut(strings.TrimPrefix(address, "postgres://"), "@")
	name, query, _ := strings.Cut(rest, "?")
	address = "postgres://" + user + "@" + none + "," + name + "?target_session_attrs=read-write&" + query
	db := open(t, store.Config{URL: address, Conns: 2})
	if _, err := db.ExecContext(t.Context(), "SELECT 1"); err != nil {
		t.Errorf("%s: %v", address, err)
	}
}
