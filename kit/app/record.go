package app

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/internal/recording"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/web"
)

// recorder writes the requests of a process to a file (ENTWINE_RECORD).
type recorder struct {
	to     *recording.Writer
	redact *recording.Redactor
}

// record opens the file of the settings, if they name one.
func (h *Host) record() error {
	set := h.Config.Record
	if set.File == "" {
		return nil
	}
	if !time.Now().Before(set.Until) {
		h.Log.Warn("no requests are recorded: the time is over", "until", set.Until)
		return nil
	}
	head := recording.Head{Program: h.service.Name + " " + h.service.version(), Until: set.Until}
	to, err := recording.Create(set.File, head, time.Now, func(reason string) {
		h.Log.Info("no more requests are recorded", "file", set.File, "reason", reason)
	})
	if err != nil {
		return fmt.Errorf("ENTWINE_RECORD: %w", err)
	}
	h.closers = append(h.closers, to.Close)
	h.Log.Warn("requests are recorded", "file", set.File, "until", set.Until)
	h.recorder = &recorder{to: to, redact: h.service.redactor()}
	return nil
}

// redactor keeps ids, and what everybody sees who sees the row: numbers, times, values of
// enums and texts that name a row in paths. Any other text is personal until it is known
// not to be, and so is every text and day of a user.
func (s *Service) redactor() *recording.Redactor {
	kept, named := map[string]bool{}, map[string]bool{}
	for _, name := range append([]string{"id", "ids", "first", "last", "orderBy", "direction"}, harmless...) {
		kept[name] = true
	}
	for _, e := range s.Entities {
		for _, f := range e.Fields {
			keeps := seen(f) && (!written(f.Kind) || f == e.Key) && !s.ofUsers(e, f)
			for _, name := range append([]string{f.Name, f.REST}, f.GraphQL...) {
				was, known := kept[name]
				kept[name] = keeps && (was || !known)
			}
		}
		named[e.Path] = e.Key != nil && kept[e.Key.REST] || e.ID().Kind == entity.TextID
	}
	words := map[string]bool{"graphql": true, "api": true}
	for _, o := range s.Operations {
		for segment := range strings.SplitSeq(o.Path, "/") {
			words[segment] = true
		}
		for _, was := range o.Was {
			for segment := range strings.SplitSeq(was.Path, "/") {
				words[segment] = true
			}
		}
	}
	return recording.NewRedactor(
		func(name string) bool { return kept[name] },
		func(segment string) bool { return words[segment] || version(segment) },
		func(segment string) bool { return named[segment] },
	)
}

// written reports whether values are what a person writes.
func written(k entity.Kind) bool {
	return slices.Contains([]entity.Kind{entity.String, entity.Strings, entity.JSON, entity.Objects, entity.Bytes}, k)
}

// ofUsers reports whether a field is a text or a day of those who sign in.
func (s *Service) ofUsers(e *entity.Entity, f *entity.Field) bool {
	return s.Accounts != nil && s.Accounts.Users.Entity == e && (written(f.Kind) || f.Kind == entity.Date)
}

// version reports whether a segment is the name of a version of REST: "v2".
func version(segment string) bool {
	return len(segment) < 20 && strings.HasPrefix(segment, "v") && strings.Trim(segment[1:], "0123456789") == ""
}

// mostBody bounds what is kept of a request.
const mostBody = 256 << 10

// sent are the headers that are kept: they have no value of a row.
var sent = []string{"Accept", "Content-Type", "If-Match", "If-None-Match", "Prefer"}

// Begin implements [web.Recorder].
func (c *recorder) Begin(r *http.Request) (end func(int, http.Header), body io.Writer) {
	if !c.to.Open() {
		return nil, nil
	}
	was := recording.Request{At: time.Now().UTC(), Method: r.Method, Headers: map[string]string{}}
	who := viewer.From(r.Context())
	was.User, was.Key = who.UserID, who.KeyID
	if who.Actor != 0 {
		return nil, nil // an admin looks on
	}
	for _, name := range sent {
		if value := r.Header.Get(name); value != "" {
			was.Headers[name] = value
		}
	}
	if r.Header.Get("Idempotency-Key") != "" {
		was.Headers["Idempotency-Key"] = recording.Fresh
	}
	path, query := r.URL.Path, r.URL.RawQuery
	read := new(bounded)
	return func(status int, header http.Header) {
		was.Status, was.Location = status, header.Get("Location")
		if c.complete(&was, path, query, read) {
			c.to.Write(was)
		}
	}, read
}

// complete adds what the request asks, and reports whether it can be asked again.
func (c *recorder) complete(was *recording.Request, path, query string, read *bounded) bool {
	if read.more {
		return false
	}
	body, err := read.Bytes(), error(nil)
	switch {
	case path == web.GraphQLPath:
		if was.Method == http.MethodGet {
			body, was.Method, was.Headers["Content-Type"] = parameters(query), http.MethodPost, "application/json"
		}
		was.URL = path
		was.Body, err = c.redact.GraphQL(body)
	case len(body) > 0:
		was.URL = c.redact.URL(path, query)
		if !isJSON(was.Headers["Content-Type"]) {
			return false
		}
		was.Body, err = c.redact.JSON(body)
	default:
		was.URL = c.redact.URL(path, query)
	}
	if was.Location != "" {
		was.Location = c.redact.URL(was.Location, "")
	}
	return err == nil
}

// parameters is a request of GraphQL in a query as its body would be.
func parameters(query string) []byte {
	values, err := url.ParseQuery(query)
	if err != nil {
		return nil
	}
	body := map[string]any{}
	for name := range values {
		if value := values.Get(name); name == "variables" || name == "extensions" {
			body[name] = json.RawMessage(value)
		} else {
			body[name] = value
		}
	}
	text, err := json.Marshal(body)
	if err != nil {
		return nil
	}
	return text
}

func isJSON(media string) bool {
	name, _, err := mime.ParseMediaType(media)
	return err == nil && (name == "application/json" || strings.HasSuffix(name, "+json"))
}

// bounded is a buffer that takes mostBody.
type bounded struct {
	bytes.Buffer
	more bool
}

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.more = b.more || b.Len()+len(p) > mostBody; b.more {
		return len(p), nil
	}
	return b.Buffer.Write(p)
}
