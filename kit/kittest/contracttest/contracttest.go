// Package contracttest holds the answers of tests to an OpenAPI document: their
// statuses and the names of their headers. Bodies are left to JSON Schema.
package contracttest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Document is a published document. Use [Read].
type Document struct {
	// Paths are the operations by path and method, Components what they refer to.
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Responses map[string]response `json:"responses"`
	} `json:"components"`

	bases []string
}

type operation struct {
	Responses map[string]response `json:"responses"`
}

type response struct {
	Ref     string                     `json:"$ref"`
	Headers map[string]json.RawMessage `json:"headers"`
}

// Read returns the document, which is JSON. Its paths are served below each of the
// bases, of which a longer one comes before its own beginning.
func Read(text []byte, bases ...string) (*Document, error) {
	d := &Document{bases: bases}
	if err := json.Unmarshal(text, d); err != nil {
		return nil, fmt.Errorf("read the document: %w", err)
	}
	return d, nil
}

// Check returns what an answer to the method and the path has that the document does
// not name: its status or names of headers. Paths that are not below a base, or not in
// the document, are not checked.
func (d *Document) Check(method, path string, status int, header http.Header) (missing []string) {
	path, _, _ = strings.Cut(path, "?")
	item := d.find(path)
	if item == nil || method == http.MethodOptions {
		return nil
	}
	op, known := item[strings.ToLower(method)]
	if !known {
		if status != http.StatusMethodNotAllowed {
			return nil // a caller without the right was refused before
		}
		for name, other := range item { // 405 is the same for all but HEAD
			if name != "head" {
				op = other
			}
		}
	}
	answer, ok := op.Responses[strconv.Itoa(status)]
	if !ok {
		return []string{"status " + strconv.Itoa(status)}
	}
	if name, shared := strings.CutPrefix(answer.Ref, "#/components/responses/"); shared {
		answer = d.Components.Responses[name]
	}
	for name := range header {
		if !plain[name] && !strings.HasPrefix(name, "Access-Control-") && !declares(answer, name) {
			missing = append(missing, "header "+name)
		}
	}
	slices.Sort(missing)
	return missing
}

func declares(r response, name string) bool {
	for declared := range r.Headers {
		if http.CanonicalHeaderKey(declared) == name {
			return true
		}
	}
	return false
}

// plain are the headers of HTTP itself, and of what every site says to browsers.
var plain = map[string]bool{
	"Connection": true, "Content-Length": true, "Content-Type": true, "Date": true, "Transfer-Encoding": true,
	"Content-Security-Policy": true, "Referrer-Policy": true, "Strict-Transport-Security": true, "X-Content-Type-Options": true,
	"Cross-Origin-Resource-Policy": true,
}

// find returns the item of the path with the most literal segments.
func (d *Document) find(path string) map[string]operation {
	below, ok := "", false
	for _, base := range d.bases {
		if below, ok = strings.CutPrefix(path, base); ok {
			break
		}
	}
	if !ok {
		return nil
	}
	segments := strings.Split(below, "/")
	best := -1
	var found map[string]operation
	for template, item := range d.Paths {
		parts := strings.Split(template, "/")
		if len(parts) != len(segments) {
			continue
		}
		literal := 0
		for i := range parts {
			switch {
			case parts[i] == segments[i]:
				literal++
			case !strings.HasPrefix(parts[i], "{"):
				literal = -len(parts) - 1
			}
		}
		if literal > best {
			best, found = literal, item
		}
	}
	return found
}
