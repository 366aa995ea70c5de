// Package redisurl reads the addresses of Redis: of a server, and of the sentinels that
// know which of several servers is the primary. It connects to nothing by itself.
package redisurl

import (
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"
)

// Open returns a client of the Redis at an address, which connects when it is used. set
// changes its options, and may be nil.
//
//	redis://[user:password@]host:port/db         rediss:// over TLS, unix:///path
//	redis+sentinel://[user:password@]host:port,host:port/primary/db?sentinel_username=&sentinel_password=
//
// The user and password are those of the Redis; rediss+sentinel:// is TLS to both. A
// sentinel listens on 26379 where its port is not named.
func Open(address string, set func(*redis.Options)) (*redis.Client, error) {
	if set == nil {
		set = func(*redis.Options) {}
	}
	if scheme, rest, ok := strings.Cut(address, "+sentinel://"); ok {
		return openSentinel(scheme, rest, set)
	}
	o, err := redis.ParseURL(address)
	if err != nil {
		if _, unknown, ok := strings.Cut(err.Error(), "unexpected option: "); ok {
			return nil, errors.New("has a parameter that is no option of go-redis: " + unknown)
		}
		return nil, errors.New("must begin with redis://, rediss://, unix:// or redis+sentinel://, and name a host and the number of a database, or a path")
	}
	set(o)
	return redis.NewClient(o), nil
}

// Shown is the address as a log may have it: without user, password and parameters.
func Shown(address string) string {
	_, rest, _ := strings.Cut(address, "://")
	rest, _, _ = strings.Cut(rest, "?")
	return rest[strings.LastIndexByte(rest, '@')+1:]
}

var errSentinel = errors.New("must name sentinels, the primary's name and a database, as in redis+sentinel://one:26379,two:26379/mymaster/0")

func openSentinel(scheme, rest string, set func(*redis.Options)) (*redis.Client, error) {
	if scheme != "redis" && scheme != "rediss" {
		return nil, errSentinel
	}
	// net/url reads no list of hosts with ports: they are taken out before.
	authority, path, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(authority, '@') + 1
	u, err := url.Parse(scheme + "://" + authority[:at] + "sentinels/" + path)
	if err != nil || authority[at:] == "" {
		return nil, errSentinel
	}
	primary, number, _ := strings.Cut(strings.Trim(u.Path, "/"), "/")
	o := new(redis.Options)
	if number != "" {
		o.DB, err = strconv.Atoi(number)
	}
	if err != nil || primary == "" || o.DB < 0 {
		return nil, errSentinel
	}
	o.Username = u.User.Username()
	o.Password, _ = u.User.Password()
	if scheme == "rediss" {
		o.TLSConfig = &tls.Config{MinVersion: tls.VersionTLS12}
	}
	set(o)
	f := failover(o)
	f.MasterName = primary
	for host := range strings.SplitSeq(authority[at:], ",") {
		if _, _, err := net.SplitHostPort(host); err != nil {
			host = net.JoinHostPort(strings.Trim(host, "[]"), "26379")
		}
		f.SentinelAddrs = append(f.SentinelAddrs, host)
	}
	for name, values := range u.Query() {
		switch name {
		case "sentinel_username":
			f.SentinelUsername = values[0]
		case "sentinel_password":
			f.SentinelPassword = values[0]
		default:
			return nil, errors.New("has the parameter " + name + ": sentinels take sentinel_username and sentinel_password")
		}
	}
	return redis.NewFailoverClient(f), nil
}

// failover are the options with which a client is opened through sentinels.
func failover(o *redis.Options) *redis.FailoverOptions {
	return &redis.FailoverOptions{
		Username: o.Username, Password: o.Password, DB: o.DB, TLSConfig: o.TLSConfig,
		DialTimeout: o.DialTimeout, ReadTimeout: o.ReadTimeout, WriteTimeout: o.WriteTimeout, PoolTimeout: o.PoolTimeout,
		MaxRetries: o.MaxRetries, MinRetryBackoff: o.MinRetryBackoff, MaxRetryBackoff: o.MaxRetryBackoff,
		DialerRetries: o.DialerRetries, ContextTimeoutEnabled: o.ContextTimeoutEnabled,
	}
}
