package rest_test

import (
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
)

// everyVersion offers each set of conventions: v3 is for tests alone.
func everyVersion(t testing.TB) *apiversion.Versions {
	t.Helper()
	return offered(t, "v1=main", "v2=jsend", "v3=flag")
}

// inEveryVersion asks for what a test reads in version 1 in the others, too,
// and fails it unless they answer the same by their own conventions.
func (w *world) inEveryVersion(as *answer, ask func(path string) *answer, path string) {
	w.t.Helper()
	below, ok := strings.CutPrefix(path, "/api/v1/")
	if !ok {
		return
	}
	for _, version := range []string{"v2", "v3"} {
		b := ask("/api/" + version + "/" + below)
		d := &difference{t: w.t, asked: b.asked}
		switch {
		case b.Status != as.Status:
			w.t.Errorf("%s: status %d, in v1 %d: %s", b.asked, b.Status, as.Status, b.Raw)
		case b.Header.Get("X-Api-Version") != version[1:]+".0.0":
			w.t.Errorf("%s: X-API-Version is %q", b.asked, b.Header.Get("X-Api-Version"))
		case as.Body == nil || b.Body == nil:
		case as.Status >= 400:
			d.failure(version, as.Body, b.Body)
		default:
			d.success(version, as.Body, b.Body)
		}
	}
}

// difference describes where two answers differ beyond their conventions.
type difference struct {
	t     testing.TB
	asked string
	camel bool
}

func (d *difference) tell(at string, a, b any) {
	d.t.Helper()
	d.t.Errorf("%s: %s is %v, in v1 %v", d.asked, at, b, a)
}

func (d *difference) success(version string, a, b map[string]any) {
	d.t.Helper()
	a, b = maps.Clone(a), maps.Clone(b)
	list, isList := a["data"].([]any)
	switch version {
	case "v2":
		d.camel = true
		if isList && b["results"] != float64(len(list)) {
			d.tell("results", len(list), b["results"])
		}
		if _, many := b["results"].([]any); !many {
			delete(b, "results")
		}
		if inner, ok := b["data"].(map[string]any); ok && len(inner) == 1 {
			for _, only := range inner {
				b["data"] = only
			}
		}
		delete(a, "count") // of rows that were made: results
	case "v3":
		if b["success"] != true {
			d.tell("success", true, b["success"])
		}
		if isList && b["count"] != float64(len(list)) {
			d.tell("count", len(list), b["count"])
		}
		delete(b, "success")
		delete(b, "count")
		delete(a, "count")
		delete(a, "status")
	}
	withoutErrors(a)
	withoutErrors(b)
	d.value("body", a, b)
}

// withoutErrors leaves out the errors of many results: each version has its own.
func withoutErrors(body map[string]any) {
	results, _ := body["results"].([]any)
	for _, one := range results {
		delete(one.(map[string]any), "error")
	}
}

var codes = map[string]string{
	"VALIDATION_ERROR": "VALIDATION_FAILED", "AUTH_REQUIRED": "UNAUTHORIZED", "INVALID_CREDENTIALS": "UNAUTHORIZED", "TOKEN_INVALID": "UNAUTHORIZED",
}

func (d *difference) failure(version string, a, b map[string]any) {
	d.t.Helper()
	inner, _ := a["error"].(map[string]any)
	if inner == nil {
		return // problem details
	}
	code := fmt.Sprint(inner["code"])
	details, _ := inner["details"].([]any)
	if version == "v3" {
		if b["success"] != false || b["error"] != code || b["message"] != inner["message"] {
			d.tell("error", inner, b)
		}
		d.value("details", inner["details"], b["details"])
		return
	}
	got := fmt.Sprint(b["code"])
	if want, ok := codes[code]; ok && got != want || !ok && got != code && !strings.HasSuffix(got, "_NOT_FOUND") && !strings.HasPrefix(got, "DUPLICATE_") {
		d.tell("code", code, got)
	}
	if b["status"] != "fail" && b["status"] != "error" || b["message"] == "" {
		d.tell("envelope", "fail", b)
	}
	told, ok := b["errors"].(map[string]any)
	fields := map[any]bool{}
	for _, one := range details {
		fields[one.(map[string]any)["field"]] = true
	}
	if !ok || len(told) != len(fields) {
		d.tell("errors", details, b["errors"])
	}
}

// value compares a value of version 1 with that of another.
func (d *difference) value(at string, a, b any) {
	d.t.Helper()
	switch a := a.(type) {
	case map[string]any:
		other, ok := b.(map[string]any)
		if !ok || len(a) != len(other) {
			d.tell(at, a, b)
			return
		}
		for name, inner := range a {
			called := name
			if _, same := other[name]; !same || d.camel && strings.Contains(name, "_") {
				called = camel(name)
			}
			value, ok := other[called]
			if !ok {
				d.tell(at+"."+name, inner, "absent")
				continue
			}
			d.value(at+"."+name, inner, value)
		}
	case []any:
		other, ok := b.([]any)
		if !ok || len(a) != len(other) {
			d.tell(at, a, b)
			return
		}
		for i := range a {
			d.value(fmt.Sprintf("%s[%d]", at, i), a[i], other[i])
		}
	case float64:
		if text, ok := b.(string); ok && d.camel {
			if _, id, err := gid.Decode(text); err == nil && float64(id.Int()) == a {
				return
			}
		}
		if a != b {
			d.tell(at, a, b)
		}
	case string:
		if text, ok := b.(string); !ok || a != text && plainPath(text) != a && !justNow(a, text) {
			d.tell(at, a, b)
		}
	default:
		if a != b {
			d.tell(at, a, b)
		}
	}
}

var versioned = regexp.MustCompile(`^/api/v[23]/`)

// plainPath is a path as version 1 has it.
func plainPath(text string) string {
	if !versioned.MatchString(text) {
		return text
	}
	path, query, asked := strings.Cut(versioned.ReplaceAllString(text, "/api/v1/"), "?")
	segments := strings.Split(path, "/")
	for i, s := range segments {
		if _, id, err := gid.Decode(s); err == nil {
			segments[i] = id.String()
		}
	}
	path = strings.Join(segments, "/")
	if !asked {
		return path
	}
	pairs := strings.Split(strings.ReplaceAll(query, "afterId", "after_id"), "&")
	for i, pair := range pairs {
		name, value, _ := strings.Cut(pair, "=")
		plain, _ := url.QueryUnescape(value)
		if _, id, err := gid.Decode(plain); err == nil {
			pairs[i] = name + "=" + id.String()
		}
	}
	return path + "?" + strings.Join(pairs, "&")
}

// camel is a name in camelCase, by another way than the service's.
func camel(name string) string {
	words := strings.Split(name, "_")
	for i, word := range words {
		if i > 0 && word != "" {
			words[i] = strings.ToUpper(word[:1]) + word[1:]
		}
	}
	return strings.Join(words, "")
}

// plainly reports whether a request is one whose answer depends on nothing but
// what it reads.
func plainly(method, path string, headers []string) bool {
	if method != "GET" || strings.Contains(path, "/auth/idp") || strings.HasPrefix(path, "/api/v1/openapi") || strings.Contains(path, "version=") || strings.Contains(path, "v=") {
		return false
	}
	for i := 0; i < len(headers); i += 2 {
		if slices.Contains([]string{"If-None-Match", "If-Modified-Since", "Range", "X-API-Version", "API-Version"}, headers[i]) || strings.Contains(headers[i+1], "vnd.") {
			return false
		}
	}
	return true
}

// justNow reports whether both are the times of requests that came one after
// the other.
func justNow(a, b string) bool {
	first, err := time.Parse(time.RFC3339Nano, a)
	then, bad := time.Parse(time.RFC3339Nano, b)
	return err == nil && bad == nil && then.After(first) && then.Sub(first) < time.Minute && time.Since(then) < time.Minute
}
