package config

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/internal/redisurl"
)

func address(to *string) func(string) error {
	return func(value string) error {
		_, port, err := net.SplitHostPort(value)
		if err != nil {
			return errors.New("must be host:port, as in 127.0.0.1:8080, or :8080 for every address of this machine")
		}
		if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
			return errors.New("the port must be a number from 0 to 65535")
		}
		*to = value
		return nil
	}
}

func website(to *string) func(string) error {
	return func(value string) error {
		u, err := url.Parse(value)
		if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || (u.Scheme != "http" && u.Scheme != "https") {
			return errors.New("must be a URL with http or https and nothing after its path, as in https://api.example.com")
		}
		*to = strings.TrimRight(value, "/")
		return nil
	}
}

// frontEnds takes addresses as they are: they are compared to the letter.
func frontEnds(to *[]string) func(string) error {
	return func(value string) error {
		var all []string
		for one := range strings.SplitSeq(value, ",") {
			one = strings.TrimSpace(one)
			u, err := url.Parse(one)
			if err != nil || u.Host == "" || u.User != nil || u.Fragment != "" || (u.Scheme != "http" && u.Scheme != "https") {
				return fmt.Errorf("%q must be a URL with http or https, as in https://app.example.com/signed-in", one)
			}
			all = append(all, one)
		}
		*to = all
		return nil
	}
}

// origins takes what a browser sends as Origin, to the letter.
func origins(to *[]string) func(string) error {
	return func(value string) error {
		var all []string
		for one := range strings.SplitSeq(value, ",") {
			one = strings.TrimSpace(one)
			u, err := url.Parse(one)
			if err != nil || u.Host == "" || one != u.Scheme+"://"+u.Host || strings.Contains(one, "*") || (u.Scheme != "http" && u.Scheme != "https") {
				return fmt.Errorf("%q must be http or https and a host, with nothing after it, as in https://app.example.com", one)
			}
			all = append(all, one)
		}
		*to = all
		return nil
	}
}

// headerNames takes names of headers: letters, digits and hyphens, which those of
// browsers are. A pattern is none: with cookies browsers would not take it.
func headerNames(to *[]string) func(string) error {
	return func(value string) error {
		var all []string
		for one := range strings.SplitSeq(value, ",") {
			if one = strings.TrimSpace(one); one == "" || strings.ContainsFunc(one, func(r rune) bool { return !strings.ContainsRune(nameLetters, r) }) {
				return fmt.Errorf("%q must be the name of a header, as in X-Client-Build", one)
			}
			all = append(all, one)
		}
		*to = all
		return nil
	}
}

const nameLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-"

// provider takes an issuer, which is a name as well as an address: it is not changed.
func provider(to *string) func(string) error {
	return func(value string) error {
		u, err := url.Parse(value)
		if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || (u.Scheme != "http" && u.Scheme != "https") {
			return errors.New("must be the provider's URL, as in https://accounts.example.com")
		}
		*to = value
		return nil
	}
}

// readable is an error where net/url does not read an address. The error of net/url
// has all of the address, also a password.
func readable(value string) error {
	scheme, rest, ok := strings.Cut(value, "://")
	if !ok || scheme == "sqlite" { // a file
		return nil
	}
	end := strings.IndexAny(rest, "/?#")
	if end < 0 {
		end = len(rest)
	}
	at := strings.LastIndexByte(rest[:end], '@') + 1
	for host := range strings.SplitSeq(rest[at:end], ",") { // as libpq lists hosts
		if _, err := url.Parse(scheme + "://" + rest[:at] + host + rest[end:]); err != nil {
			return errors.New("must be a URL: in a user name and a password, % is written %25, / %2F, ? %3F, # %23, @ %40 and : %3A; a port is a number")
		}
	}
	return nil
}

// smtpURL checks the form only: package mail reads it.
func smtpURL(to *string) func(string) error {
	return func(value string) error {
		u, err := url.Parse(value)
		if err != nil || u.Hostname() == "" || (u.Scheme != "smtp" && u.Scheme != "smtps") {
			return errors.New("must begin with smtp:// or smtps:// and name a host, as in smtp://user:password@mail.example.com:587")
		}
		*to = value
		return nil
	}
}

func sender(to *string) func(string) error {
	return func(value string) error {
		if _, err := mail.ParseAddress(value); err != nil {
			return errors.New("must be an address, as in Entwine <no-reply@example.com>")
		}
		*to = value
		return nil
	}
}

func prefixes(to *[]netip.Prefix) func(string) error {
	return func(value string) error {
		var all []netip.Prefix
		for part := range strings.SplitSeq(value, ",") {
			p, err := network(strings.TrimSpace(part))
			if err != nil {
				return fmt.Errorf("%q must be an address or a network, as in 127.0.0.1 or 10.0.0.0/8", part)
			}
			all = append(all, p)
		}
		*to = all
		return nil
	}
}

// network reads a network, or an address as one. An IPv4 network in IPv6's form
// (::ffff:10.0.0.0/104) is the IPv4 network: addresses are compared as IPv4.
func network(text string) (netip.Prefix, error) {
	if !strings.Contains(text, "/") {
		a, err := netip.ParseAddr(text)
		if err != nil {
			return netip.Prefix{}, err
		}
		a = a.Unmap()
		return a.Prefix(a.BitLen())
	}
	p, err := netip.ParsePrefix(text)
	if err != nil {
		return netip.Prefix{}, err
	}
	if p.Addr().Is4In6() && p.Bits() >= mappedBits {
		p = netip.PrefixFrom(p.Addr().Unmap(), p.Bits()-mappedBits)
	}
	return p.Masked(), nil
}

// mappedBits is the length of ::ffff:0:0/96, which holds all of IPv4.
const mappedBits = 96

func databaseURL(to *string) func(string) error {
	return func(value string) error {
		switch scheme, _, _ := strings.Cut(value, ":"); scheme {
		case "postgres", "postgresql":
			// Of several hosts, which url.Parse does not read, it may be a list.
			_, rest, _ := strings.Cut(value, "://")
			if _, name, _ := strings.Cut(rest, "/"); name == "" || name[0] == '?' {
				return errors.New("must name a database, as in postgres://user:password@localhost/entwine")
			}
		case "sqlite":
		default:
			return errors.New("must begin with postgres:// or sqlite://")
		}
		*to = value
		return nil
	}
}

// serverURL reads the address of a database of PostgreSQL.
func serverURL(to *string) func(string) error {
	return func(value string) error {
		if !strings.HasPrefix(value, "postgres") {
			return errors.New("must begin with postgres://")
		}
		return databaseURL(to)(value)
	}
}

// serverURLs reads those of several, each of one server.
func serverURLs(to *[]string) func(string) error {
	return func(value string) error {
		all := strings.Fields(value)
		for i, one := range all {
			if err := cmp.Or(readable(one), serverURL(new(string))(one)); err != nil {
				return fmt.Errorf("address %d %w", i+1, err)
			}
			_, rest, _ := strings.Cut(one, "://")
			authority, _, _ := strings.Cut(rest, "/")
			if strings.Contains(rest, "://") || strings.Contains(authority[strings.LastIndexByte(authority, '@')+1:], ",") {
				return fmt.Errorf("address %d must be that of one server: addresses are separated by spaces", i+1)
			}
		}
		*to = all
		return nil
	}
}

func redisURL(to *string) func(string) error {
	return func(value string) error {
		client, err := redisurl.Open(value, nil) // connects to nothing
		if err != nil {
			return err
		}
		*to = value
		return client.Close()
	}
}
