package config

import (
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/lifecycle"
)

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
		names := make([]string, len(allowed))
		for i, one := range allowed {
			names[i] = string(one)
		}
		return fmt.Errorf("must be one of %s", strings.Join(names, ", "))
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

// moment is a time of a day.
func moment(to *time.Time) func(string) error {
	return func(value string) error {
		t, err := time.Parse(time.RFC3339, value)
		if err != nil {
			return errors.New("must be a time with its zone, as in 2026-11-27T18:00:00Z")
		}
		*to = t
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
		for suffix, bytes := range map[string]int64{"KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30} {
			if rest, ok := strings.CutSuffix(value, suffix); ok {
				digits, unit = rest, bytes
			}
		}
		n, err := strconv.ParseInt(digits, 10, 32)
		if err != nil || n < 1 {
			return errors.New("must be a number of bytes, as in 4096, 16KiB, 1MiB or 2GiB")
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

// algorithms takes those whose key the issuer alone has.
func algorithms(to *[]string) func(string) error {
	allowed := []string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}
	return func(value string) error {
		var all []string
		for one := range strings.SplitSeq(value, ",") {
			if one = strings.TrimSpace(one); !slices.Contains(allowed, one) {
				return fmt.Errorf("%q is none of %s", one, strings.Join(allowed, ", "))
			}
			all = append(all, one)
		}
		*to = all
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
