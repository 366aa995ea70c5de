package store

import (
	"net/url"
	"strings"
)

// HostsURL returns the URL of a PostgreSQL that names several hosts, as libpq writes it
// (https://www.postgresql.org/docs/current/libpq-connect.html#LIBPQ-MULTIPLE-HOSTS), in
// the form that the driver and net/url read, with the hosts and ports as parameters:
//
//	postgres://user@a:5432,b:5433/name?target_session_attrs=read-write
//	postgres://user@/name?host=a,b&port=5432,5433&target_session_attrs=read-write
//
// Any other URL is returned unchanged.
func HostsURL(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found || !strings.HasPrefix(scheme, "postgres") {
		return address
	}
	end := strings.IndexAny(rest, "/?")
	if end < 0 {
		end = len(rest)
	}
	authority, path := rest[:end], rest[end:]
	at := strings.LastIndexByte(authority, '@') + 1
	if !strings.Contains(authority[at:], ",") {
		return address
	}
	var hosts, ports []string
	for one := range strings.SplitSeq(authority[at:], ",") {
		host, port := one, ""
		if i := strings.LastIndexByte(one, ':'); i >= 0 && i > strings.LastIndexByte(one, ']') {
			host, port = one[:i], one[i+1:]
		}
		hosts, ports = append(hosts, strings.Trim(host, "[]")), append(ports, port)
	}
	path, query, _ := strings.Cut(path, "?")
	if query != "" {
		query = "&" + query
	}
	return scheme + "://" + authority[:at] + path + "?host=" + url.QueryEscape(strings.Join(hosts, ",")) +
		"&port=" + url.QueryEscape(strings.Join(ports, ",")) + query
}
