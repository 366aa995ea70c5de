package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/mail"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/internal/redisurl"
	"github.com/entwine-go/entwine/kit/lifecycle"
)

// setting is a row of the table: a setting, or the heading of a group.
type setting struct {
	group   string
	name    string // ENTWINE_ADDR, from which --addr follows
	value   string // what the help shows for a value
	initial string // the default, empty for none
	help    string
	secret  bool // never shown; NAME_FILE may name a file that holds it
	address bool // of a secret: an address, shown without what is secret in it
	set     func(string) error
	follows func() string // the default where it depends on the settings before, empty for none
}

// flag returns the setting's name as a flag, without dashes.
func (s setting) flag() string {
	return strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(s.name, prefix)), "_", "-")
}

// load gives the setting the value of the first source that has one, else its
// default, and returns both. Without a value it changes nothing.
func (s setting) load(sources []source) (origin, error) {
	if value, from := lookup(s.name, sources); value != "" {
		return origin{value, from}, s.apply(value, from)
	}
	value := s.initial
	if s.follows != nil {
		value = s.follows()
	}
	if value == "" {
		return origin{}, nil
	}
	return origin{value, byDefault}, s.apply(value, byDefault)
}

// apply gives the setting a value that came from somewhere.
func (s setting) apply(value, from string) error {
	err := s.set(value)
	if err == nil {
		return nil
	}
	if s.secret {
		return fmt.Errorf("%s (%s): %w", s.name, from, err)
	}
	return fmt.Errorf("%s=%s (%s): %w", s.name, value, from, err)
}

// ignore is for a setting that was read before the others.
func ignore(string) error { return nil }

func text(to *string) func(string) error {
	return func(value string) error { *to = value; return nil }
}

// line takes a text of one line, as fields of a schema do.
func line(to *string, most int) func(string) error {
	return func(value string) error {
		if !utf8.ValidString(value) || utf8.RuneCountInString(value) > most {
			return fmt.Errorf("must be one line of at most %d characters", most)
		}
		if err := expose.ValidLine(value); err != nil {
			return err
		}
		*to = strings.TrimSpace(value)
		return nil
	}
}

func words(to *[]string) func(string) error {
	return func(value string) error {
		*to = strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' })
		return nil
	}
}

func choice[T ~string](to *T, allowed ...T) func(string) error {
	return func(value string) error {
		for _, one := range allowed {
			if T(value) == one {
				*to = one
				return nil
			}
		}
		return fmt.Errorf("must be one of %v", allowed)
	}
}

func yesNo(to *bool) func(string) error {
	return func(value string) error {
		b, err := strconv.ParseBool(value)
		if err != nil {
			return errors.New("must be true or false")
		}
		*to = b
		return nil
	}
}

func onOff(to *bool) func(string) error {
	return func(value string) error {
		switch value {
		case "on", "true":
			*to = true
		case "off", "false":
			*to = false
		default:
			return errors.New("must be on or off")
		}
		return nil
	}
}

func number(to *int, least, most int) func(string) error {
	return func(value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return fmt.Errorf("must be a number from %d to %d", least, most)
		}
		*to = n
		return nil
	}
}

func duration(to *time.Duration) func(string) error {
	return func(value string) error {
		d, err := time.ParseDuration(value)
		if err != nil || d <= 0 {
			return errors.New("must be a time, as in 500ms, 10s or 15m")
		}
		*to = d
		return nil
	}
}

// pause is a duration that may be none.
func pause(to *time.Duration) func(string) error {
	return func(value string) error {
		if d, err := time.ParseDuration(value); err == nil && d == 0 {
			*to = 0
			return nil
		}
		return duration(to)(value)
	}
}

func size(to *int64) func(string) error {
	return func(value string) error {
		digits, unit := value, int64(1)
		for suffix, bytes := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20} {
			if rest, ok := strings.CutSuffix(value, suffix); ok {
				digits, unit = rest, bytes
			}
		}
		n, err := strconv.ParseInt(digits, 10, 32)
		if err != nil || n < 1 {
			return errors.New("must be a number of bytes, as in 4096, 16KiB or 1MiB")
		}
		*to = n * unit
		return nil
	}
}

func rate(to *Rate) func(string) error {
	return func(value string) error {
		if value == "off" {
			*to = Rate{}
			return nil
		}
		count, window, _ := strings.Cut(value, "/")
		window, algorithm, named := strings.Cut(window, "/")
		if !named {
			algorithm = "sliding"
		}
		n, err := strconv.Atoi(count)
		w, err2 := time.ParseDuration(window)
		if err != nil || err2 != nil || n < 1 || w < time.Second || !slices.Contains([]string{"fixed", "sliding", "bucket"}, algorithm) {
			return errors.New("must be off, or a number of requests, a time of at least 1s and perhaps fixed, sliding or bucket, as in 100/1m or 100/15m/bucket")
		}
		*to = Rate{Count: n, Window: w, Algorithm: algorithm}
		return nil
	}
}

func level(to *slog.Level) func(string) error {
	return func(value string) error {
		if to.UnmarshalText([]byte(value)) != nil {
			return errors.New("must be debug, info, warn or error")
		}
		return nil
	}
}

func format(json *bool) func(string) error {
	return func(value string) error {
		if value != "text" && value != "json" {
			return errors.New("must be text or json")
		}
		*json = value == "json"
		return nil
	}
}

// lifecycles takes what is planned for versions. Which there are is the API's to say.
func lifecycles(to *[]*lifecycle.Version) func(string) error {
	return func(value string) (err error) {
		*to, err = lifecycle.Parse(value)
		return err
	}
}

func brownouts(to *[]lifecycle.Window) func(string) error {
	return func(value string) (err error) {
		*to, err = lifecycle.ParseWindows(value)
		return err
	}
}

func dated(to *bool) func(string) error {
	return func(value string) error {
		if value != "true" && value != "date" {
			return errors.New("must be true or date")
		}
		*to = value == "date"
		return nil
	}
}

// documents says which documents are run.
func documents(trustedOnly *bool) func(string) error {
	return func(value string) error {
		if value != "any" && value != "trusted" {
			return errors.New("must be any or trusted")
		}
		*trustedOnly = value == "trusted"
		return nil
	}
}

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

// algorithms takes those whose key the issuer alone has.
func algorithms(to *[]string) func(string) error {
	allowed := []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
	return func(value string) error {
		var all []string
		for one := range strings.SplitSeq(value, ",") {
			if one = strings.TrimSpace(one); !slices.Contains(allowed, one) {
				return fmt.Errorf("%q is none of %v", one, allowed)
			}
			all = append(all, one)
		}
		*to = all
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

// emailChange takes what users need to change their own address.
func emailChange(password *bool) func(string) error {
	return func(value string) error {
		if value != "open" && value != "password" {
			return errors.New("must be open or password")
		}
		*password = value == "password"
		return nil
	}
}

func handoff(byCode *bool) func(string) error {
	return func(value string) error {
		if value != "token" && value != "code" {
			return errors.New("must be token or code")
		}
		*byCode = value == "code"
		return nil
	}
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

// keyLen is how many bytes a key has.
const keyLen = 32

// keys checks the form only: package account turns them into keys.
func keys(to *[]string) func(string) error {
	return func(value string) error {
		var all []string
		for part := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ',' || r == '\n' || r == ' ' }) {
			if key, err := base64.StdEncoding.DecodeString(part); err != nil || len(key) != keyLen {
				return fmt.Errorf("key %d must be %d bytes in base64, as `openssl rand -base64 32` prints", len(all)+1, keyLen)
			}
			all = append(all, part)
		}
		*to = all
		return nil
	}
}
