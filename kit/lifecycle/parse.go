package lifecycle

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Parse reads what is planned for versions, each after a semicolon:
//
//	v1 stable=2026-06-01 deprecated=2027-01-01 sunset=2027-07-01 successor=v2
//	   guide=https://docs.example.com/v2 limit=20% slowing=2027-03-01..2027-06-01
//	   steps=4 brownouts=2027-05-03T12:00Z/1h,2027-06-07T12:00Z/6h; v2
//
// A version with nothing after its name is active. Times are dates, which begin in
// UTC, or RFC 3339 with or without seconds. The error has the faults of all
// versions.
func Parse(text string) ([]*Version, error) {
	var (
		all   []*Version
		wrong []error
	)
	for part := range strings.SplitSeq(text, ";") {
		words := strings.Fields(part)
		if len(words) == 0 {
			continue
		}
		v, err := version(words)
		switch {
		case err != nil:
			wrong = append(wrong, err)
		case slices.ContainsFunc(all, func(one *Version) bool { return one.Major == v.Major }):
			wrong = append(wrong, fmt.Errorf("v%s is there twice", v.Major))
		default:
			all = append(all, v)
		}
	}
	return all, errors.Join(wrong...)
}

// key reads a word of a version.
type key struct {
	name string
	read func(v *Version, value string) error
}

// keys are in the order in which they are documented.
var keys = []key{
	{"stable", instant(func(v *Version) *time.Time { return &v.Stable })},
	{"deprecated", instant(func(v *Version) *time.Time { return &v.Deprecated })},
	{"sunset", instant(func(v *Version) *time.Time { return &v.Sunset })},
	{"successor", func(v *Version, value string) (err error) {
		v.Successor, err = major(value)
		return err
	}},
	{"guide", func(v *Version, value string) error {
		u, err := url.Parse(value)
		if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" || strings.ContainsAny(value, `"<>\`) {
			return errors.New("must be a URL with http or https, as in https://docs.example.com/v2")
		}
		v.Guide = value
		return nil
	}},
	{"limit", func(v *Version, value string) error {
		number, percent := strings.CutSuffix(value, "%")
		n, err := strconv.Atoi(number)
		if err != nil || !percent || n < 1 || n > 99 {
			return errors.New("must be a part of the rate limit from 1% to 99%")
		}
		v.Slowing.To = n
		return nil
	}},
	{"slowing", func(v *Version, value string) error {
		first, last, ok := strings.Cut(value, "..")
		from, err := ParseTime(first)
		until, err2 := ParseTime(last)
		if !ok || err != nil || err2 != nil || !from.Before(until) {
			return errors.New("must be two times, as in 2027-03-01..2027-06-01")
		}
		v.Slowing.First, v.Slowing.Last = from, until
		return nil
	}},
	{"steps", func(v *Version, value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < 2 || n > 100 {
			return errors.New("must be a number from 2 to 100")
		}
		v.Slowing.Steps = n
		return nil
	}},
	{"brownouts", func(v *Version, value string) (err error) {
		v.Brownouts, err = ParseWindows(value)
		return err
	}},
}

// version reads the words of one version.
func version(words []string) (*Version, error) {
	number, err := major(words[0])
	if err != nil {
		return nil, err
	}
	v := &Version{Major: number}
	given := map[string]bool{}
	for _, word := range words[1:] {
		name, value, _ := strings.Cut(word, "=")
		i := slices.IndexFunc(keys, func(k key) bool { return k.name == name })
		if i < 0 {
			return nil, fmt.Errorf("v%s has %q: allowed are %s", number, name, keyNames())
		}
		if given[name] {
			return nil, fmt.Errorf("v%s has %s twice", number, name)
		}
		given[name] = true
		if err := keys[i].read(v, value); err != nil {
			return nil, fmt.Errorf("v%s %s=%s: %w", number, name, value, err)
		}
	}
	return v, v.check(given)
}

func keyNames() string {
	names := make([]string, len(keys))
	for i, k := range keys {
		names[i] = k.name
	}
	return strings.Join(names, ", ")
}

// check finds what is wrong with the words together.
func (v *Version) check(given map[string]bool) error {
	slow := given["limit"] || given["slowing"] || given["steps"]
	for _, rule := range []struct {
		broken bool
		says   string
	}{
		{given["sunset"] && !given["deprecated"], "sunset needs deprecated: clients get a notice before"},
		{given["sunset"] && !v.Deprecated.Before(v.Sunset), "sunset must come after deprecated"},
		{given["stable"] && given["deprecated"] && !v.Stable.Before(v.Deprecated), "deprecated must come after stable"},
		{v.Successor == v.Major, "successor must be another version"},
		{given["sunset"] && !given["successor"] && !given["guide"], "sunset needs successor or guide, which the notice to clients names"},
		{slow && !(given["limit"] && given["slowing"] && given["steps"]), "limit, slowing and steps need each other"},
		{slow && !v.within(v.Slowing.First, v.Slowing.Last), "slowing must lie between deprecated and sunset"},
	} {
		if rule.broken {
			return fmt.Errorf("v%s: %s", v.Major, rule.says)
		}
	}
	for _, w := range v.Brownouts {
		if !v.within(w.From, w.Until) {
			return fmt.Errorf("v%s: the brown-out %s must lie between deprecated and sunset", v.Major, w)
		}
	}
	return nil
}

// within reports whether the version is deprecated from one instant to another.
func (v *Version) within(from, until time.Time) bool {
	return reached(v.Deprecated, from) && (v.Sunset.IsZero() || !until.After(v.Sunset))
}

// major reads v1.
func major(text string) (string, error) {
	number, ok := strings.CutPrefix(text, "v")
	if n, err := strconv.Atoi(number); !ok || err != nil || n < 1 || strconv.Itoa(n) != number {
		return "", fmt.Errorf("%q is not the name of a version, as in v1", text)
	}
	return number, nil
}

func instant(of func(*Version) *time.Time) func(*Version, string) error {
	return func(v *Version, value string) error {
		at, err := ParseTime(value)
		if err != nil {
			return err
		}
		*of(v) = at
		return nil
	}
}

// ParseTime reads a date, which begins in UTC, or a time of RFC 3339 with or
// without seconds.
func ParseTime(text string) (time.Time, error) {
	for _, layout := range []string{time.DateOnly, "2006-01-02T15:04Z07:00", time.RFC3339} {
		if at, err := time.Parse(layout, text); err == nil {
			return at.UTC(), nil
		}
	}
	return time.Time{}, errors.New("must be a date or a time, as in 2027-07-01 or 2027-07-01T12:00Z")
}

// ParseWindows reads brown-outs, each a time and how long it takes, in any
// order: 2027-06-07T12:00Z/1h,2027-06-14T12:00Z/6h.
func ParseWindows(text string) ([]Window, error) {
	var all []Window
	for one := range strings.SplitSeq(text, ",") {
		from, takes, _ := strings.Cut(strings.TrimSpace(one), "/")
		at, err := ParseTime(from)
		d, err2 := time.ParseDuration(takes)
		if err != nil || err2 != nil || d < time.Minute || d > 7*24*time.Hour {
			return nil, fmt.Errorf("%q must be a time and how long it takes, 1m to 168h, as in 2027-06-07T12:00Z/1h", one)
		}
		all = append(all, Window{From: at, Until: at.Add(d)})
	}
	slices.SortFunc(all, func(a, b Window) int { return a.From.Compare(b.From) })
	for i := 1; i < len(all); i++ {
		if all[i].From.Before(all[i-1].Until) {
			return nil, fmt.Errorf("the brown-outs %s and %s overlap", all[i-1], all[i])
		}
	}
	return all, nil
}
