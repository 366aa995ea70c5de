// Package recording keeps requests in a file, so that they can be asked again of a copy
// of the database (weave migrate try).
//
// A file is lines of JSON: a [Head] for each process that has written to it, and a
// [Request] for each request. Credentials are never in it. Of values, those that a
// [Redactor] admits are; in the place of any other is a stand-in of the same form.
package recording

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// format is the number of the form of the lines.
const format = 1

// Head is the first line of a process.
type Head struct {
	// Recording is the number of the format.
	Recording int `json:"recording"`
	// Program is the program that has recorded.
	Program string `json:"program"`
	// Began is when, and Until when it ends at the latest.
	Began time.Time `json:"began"`
	Until time.Time `json:"until"`
}

// Fresh stands in a header for a value that is another one each time.
const Fresh = "fresh"

// Request is one that was answered.
type Request struct {
	// At is when it came.
	At time.Time `json:"at"`
	// Method, URL (the path and the query) and Headers are what was asked for.
	Method  string            `json:"method"`
	URL     string            `json:"url"`
	Headers map[string]string `json:"headers,omitempty"`
	// Body is JSON, empty where there was none.
	Body json.RawMessage `json:"body,omitempty"`
	// User and Key are the ids of the user or the API key that asked, 0 for others.
	User int64 `json:"user,omitempty"`
	Key  int64 `json:"key,omitempty"`
	// Status is that of the answer, and Location its header.
	Status   int    `json:"status"`
	Location string `json:"location,omitempty"`
}

// longestLine bounds a line.
const longestLine = 1 << 20

// Read reads a file: its heads, and its requests in their order. A last line that was
// not written as a whole is left out.
func Read(r io.Reader) (heads []Head, requests []Request, err error) {
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, longestLine)
	for n := 1; lines.Scan(); n++ {
		var line struct {
			Head
			Request
		}
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			if !lines.Scan() {
				break
			}
			return nil, nil, fmt.Errorf("line %d is no request: %w", n, err)
		}
		switch {
		case line.Recording > format:
			return nil, nil, fmt.Errorf("line %d: the recording is of a later version of entwine than this one", n)
		case line.Recording > 0:
			heads = append(heads, line.Head)
		case len(heads) == 0:
			return nil, nil, errors.New("the file is no recording: ENTWINE_RECORD makes one")
		default:
			requests = append(requests, line.Request)
		}
	}
	return heads, requests, lines.Err()
}
