package builtin

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/viewer"
)

// storedFile is a file on the wire.
type storedFile struct {
	ID        string    `json:"id"`
	URL       string    `json:"url"`
	Name      string    `json:"name"`
	MediaType string    `json:"media_type"`
	Size      int64     `json:"size"`
	SHA256    string    `json:"sha256"`
	Width     int       `json:"width,omitempty"`
	Height    int       `json:"height,omitempty"`
	BlurHash  string    `json:"blur_hash,omitempty"`
	Waits     bool      `json:"waits_for_scan,omitempty"`
	CreatedAt time.Time `json:"created_at"`
}

// keeping has the operation refused where no files are kept.
func (a *API) keeping(answer handler.Handler) handler.Handler {
	return func(ctx context.Context, w http.ResponseWriter) error {
		if a.Files == nil {
			return problem.New(problem.Unavailable, "files are not kept here")
		}
		return answer(ctx, w)
	}
}

// uploadFile stores the body: POST /files.
func (a *API) uploadFile(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	key, err := idempotency.KeyOf(viewer.From(ctx), x.Request.Header[idempotency.Header])
	if err != nil {
		return err
	}
	query := x.Request.URL.Query()
	target, _ := a.Files.Target(query.Get("for")) // the document has judged it
	if err := a.Files.Admit(ctx, target); err != nil {
		return err
	}
	by, err := protocolOf(w.Header(), x.Request)
	if err != nil {
		return err
	}
	if by != whole {
		return a.beginUpload(ctx, w, target, key, by)
	}
	up, err := sent(x.Request)
	if err != nil {
		return err
	}
	up.Target, up.Key = target, key
	if name := query.Get("name"); name != "" {
		up.Name = name
	}
	f, err := a.Files.Take(ctx, up)
	if err != nil {
		return unread(err)
	}
	if f.Repeated {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	return a.answerFile(ctx, w, f, http.StatusCreated)
}

// answerFile answers with what a client sets a field to.
func (a *API) answerFile(ctx context.Context, w http.ResponseWriter, f *files.File, status int) error {
	x := handler.From(ctx)
	body, err := enveloped(storedFile{f.Key(), f.Address, f.Name, f.MediaType, f.Size, f.SHA256, f.Width, f.Height, f.BlurHash, a.Files.Waits(f), f.CreatedAt.UTC()})
	if err != nil {
		return err
	}
	return x.Answer(w, handler.Answer{Status: status, Body: body, ByHand: true, Location: x.Base + "/files/" + f.Key()})
}

// enveloped is the answer of the first version.
func enveloped(data any) ([]byte, error) {
	b := bytes.NewBufferString(`{"status":"success","data":`)
	to := json.NewEncoder(b)
	to.SetEscapeHTML(false) // addresses have &
	if err := to.Encode(data); err != nil {
		return nil, fmt.Errorf("encode an answer: %w", err)
	}
	b.Truncate(b.Len() - 1) // the end of the line
	b.WriteByte('}')
	return b.Bytes(), nil
}

// downloadFile answers with the content, in parts where they are asked for:
// GET /files/{id}.
func (a *API) downloadFile(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	f, cache, err := a.requested(ctx, x)
	if err != nil {
		return err
	}
	h := w.Header()
	policy := contained
	if a.Files.Frames != nil {
		policy += "; frame-ancestors " + strings.Join(a.Files.Frames, " ")
	}
	h.Set("Content-Security-Policy", policy)
	h.Set("Cross-Origin-Resource-Policy", "cross-origin") // a page elsewhere shows what it has a link to
	return x.File(ctx, w, handler.File{
		MediaType: f.MediaType, Name: f.Name, Size: f.Size, Tag: f.SHA256, Cache: cache, Inline: shown(f.MediaType), Modified: f.CreatedAt,
		Open: func(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
			return a.Files.Open(ctx, f, offset, length)
		},
		Broken: func(ctx context.Context, err error) {
			a.Log.InfoContext(ctx, "download was broken off", "file", f.Key(), "err", err)
		},
	})
}

// requested is the file that is asked for, or its variant, for a caller who can read it
// or follows a link. Caches keep it as they keep the row that has it. A file that a link leads to
// is kept as well: caches ask each time whether the link is still good.
func (a *API) requested(ctx context.Context, x *handler.Exchange) (f *files.File, cache string, err error) {
	key, query := x.PathValue("id"), x.Request.URL.Query()
	variant, token := query.Get("variant"), query.Get("token")
	if token == "" {
		f, err = a.Files.Find(ctx, key)
	} else {
		f, err = a.Files.Follow(ctx, key, variant, token, time.Now())
	}
	if err == nil {
		err = a.Files.Content(f)
	}
	if err != nil {
		return nil, "", err
	}
	if cache = "public, no-cache"; token == "" {
		cache = a.cacheOf(f)
	}
	if variant != "" {
		f, err = a.Files.Variant(ctx, f, variant)
	}
	return f, cache, err
}

// cacheOf is the Cache of the row that has the file, empty where none has it.
func (a *API) cacheOf(f *files.File) string {
	i := slices.IndexFunc(a.Resources, func(r *handler.Resource) bool { return r.Name == f.Entity })
	if i < 0 || f.EntityID.IsZero() {
		return ""
	}
	return a.Resources[i].Cache
}

// readFileUsage answers with how much is stored for the caller: GET /files/usage.
func (a *API) readFileUsage(ctx context.Context, w http.ResponseWriter) error {
	usage, err := a.Files.Usage(ctx)
	if err != nil {
		return err
	}
	body, err := enveloped(usage)
	if err != nil {
		return err
	}
	return handler.From(ctx).Answer(w, handler.Answer{Body: body, ByHand: true, Cache: handler.NoStore})
}

// linkFile answers with an address that needs no credentials: GET /files/{id}/link.
func (a *API) linkFile(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	f, err := a.Files.Find(ctx, x.PathValue("id"))
	if err != nil {
		return err
	}
	v := viewer.From(ctx)
	if a.Files.Links == nil || !v.Authenticated() {
		return problem.ErrAuthRequired
	}
	if err := v.MayChange(); err != nil { // the link would outlive the token
		return err
	}
	if err := f.Refused(); err != nil { // a link to the file would only answer the same
		return err
	}
	variant := x.Request.URL.Query().Get("variant")
	if variant != "" {
		if _, err := a.Files.Declared(f, variant); err != nil {
			return err
		}
	}
	life := time.Hour
	if text := x.Request.URL.Query().Get("seconds"); text != "" {
		n, _ := strconv.Atoi(text) // the document has judged it
		life = min(max(time.Duration(n)*time.Second, files.ShortestLink), files.LongestLink)
	}
	until := time.Now().Add(life).UTC().Truncate(time.Second)
	body, err := enveloped(struct {
		URL       string    `json:"url"`
		ExpiresAt time.Time `json:"expires_at"`
	}{a.Files.Links.Address(f, variant, v, until), until})
	if err != nil {
		return err
	}
	return x.Answer(w, handler.Answer{Body: body, ByHand: true, Cache: handler.NoStore})
}

// removeFile takes a file from its row: DELETE /files/{id}.
func (a *API) removeFile(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	x.Done = "file deleted"
	if err := a.Files.Remove(ctx, x.PathValue("id"), x.Version.Inputs); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}
