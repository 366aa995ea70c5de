package builtin

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/web"
)

// beginUpload begins an upload of several requests, with what the first one sends of it:
// POST /files with Upload-Complete or Tus-Resumable.
func (a *API) beginUpload(ctx context.Context, w http.ResponseWriter, target files.Target, key string, by protocol) error {
	x := handler.From(ctx)
	h := w.Header()
	u, length, err := by.begins(x.Request)
	if err != nil {
		return err
	}
	u.Target, u.Key = target, key
	if name := x.Request.URL.Query().Get("name"); name != "" {
		u.Name = name
	}
	piece, err := by.first(x.Request)
	if err != nil {
		return err
	}
	p, err := a.Files.Begin(ctx, u, length)
	if err != nil {
		setLimit(h, target, time.Time{})
		return err
	}
	h.Set("Location", uploadPath(x, p))
	if p.Repeated {
		h.Set("Idempotency-Replayed", "true")
	}
	if p.Complete {
		return a.answerMade(ctx, w, p)
	}
	if piece.Body == nil {
		setState(h, p, by)
		w.WriteHeader(http.StatusCreated)
		return nil
	}
	if p.Received > 0 { // which nothing said to the client
		setState(h, p, by)
		return problem.New(problem.Conflict, "the upload with this Idempotency-Key has begun: go on with it by PATCH %s", uploadPath(x, p))
	}
	if by == draft {
		setLimit(h, target, p.ExpiresAt)
		web.Inform(w, resumptionSupported)
	}
	return a.append(ctx, w, p, piece, by, http.StatusCreated)
}

// uploadPath is the address of an upload, in the version of the request.
func uploadPath(x *handler.Exchange, p *files.Partial) string {
	return x.Base + "/files/" + p.Key + "/upload"
}

// append adds a piece to an upload, and answers with the file once it is whole, or with
// the status while it is not.
func (a *API) append(ctx context.Context, w http.ResponseWriter, p *files.Partial, piece files.Piece, by protocol, status int) error {
	h := w.Header()
	f, err := a.Files.Append(ctx, p, piece)
	if err == nil && f == nil && by == draft && piece.Last {
		err = problem.New(problem.Invalid, "the body has ended after %d of %d bytes, and Upload-Complete says that it is the last: go on with the rest", p.Received, p.Length)
	}
	if !p.Ended {
		setState(h, p, by)
	} else if piece.Last && by == draft {
		h.Set("Upload-Complete", "?1") // the answer is to the file, which is not taken
	}
	switch {
	case by == tus && errors.Is(err, files.ErrDigest) && handler.From(ctx).Request.Header.Get("Upload-Checksum") != "":
		w.WriteHeader(checksumMismatch) // a status of tus alone, which has no body
		return nil
	case err != nil:
		return unread(err)
	case f == nil:
		w.WriteHeader(status)
		return nil
	case by == tus:
		h.Set("Location", handler.From(ctx).Base+"/files/"+f.Key())
		w.WriteHeader(status)
		return nil
	}
	return a.answerFile(ctx, w, f, http.StatusCreated)
}

// answerMade answers with the file that an upload has become, for callers who read it.
func (a *API) answerMade(ctx context.Context, w http.ResponseWriter, p *files.Partial) error {
	f, err := a.Files.Find(ctx, p.Key)
	if err != nil {
		return err
	}
	setState(w.Header(), p, draft)
	return a.answerFile(ctx, w, f, http.StatusOK)
}

// partial is the upload that the path names.
func (a *API) partial(ctx context.Context) (*files.Partial, error) {
	return a.Files.Partial(ctx, handler.From(ctx).PathValue("id"))
}

// readUpload says how much of an upload has arrived, and which file it is once that is
// all: GET and HEAD /files/{id}/upload.
func (a *API) readUpload(ctx context.Context, w http.ResponseWriter) error {
	by, err := protocolOf(w.Header(), handler.From(ctx).Request)
	if err != nil {
		return err
	}
	p, err := a.partial(ctx)
	if err != nil {
		return err
	}
	w.Header().Set("Cache-Control", "no-store")
	if p.Complete {
		return a.answerMade(ctx, w, p)
	}
	setState(w.Header(), p, by)
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// continueUpload adds the body to an upload: PATCH /files/{id}/upload.
func (a *API) continueUpload(ctx context.Context, w http.ResponseWriter) error {
	r := handler.From(ctx).Request
	by, err := protocolOf(w.Header(), r)
	if err != nil {
		return err
	}
	p, err := a.partial(ctx)
	if err != nil {
		return err
	}
	piece, length, err := by.continues(r, p)
	if err == nil {
		err = p.Learn(length)
	}
	if err != nil {
		setState(w.Header(), p, by)
		return err
	}
	return a.append(ctx, w, p, piece, by, http.StatusNoContent)
}

// endUpload ends an upload: DELETE /files/{id}/upload.
func (a *API) endUpload(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	if _, err := protocolOf(w.Header(), x.Request); err != nil {
		return err
	}
	p, err := a.partial(ctx)
	if err != nil {
		return err
	}
	x.Done = "upload ended"
	if err := a.Files.End(ctx, p); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// setState says where an upload is, in the words of both protocols.
func setState(h http.Header, p *files.Partial, by protocol) {
	h.Set("Upload-Offset", strconv.FormatInt(p.Received, 10))
	if p.Length >= 0 {
		h.Set("Upload-Length", strconv.FormatInt(p.Length, 10))
	} else if by == tus {
		h.Set("Upload-Defer-Length", "1")
	}
	h.Set("Upload-Expires", p.ExpiresAt.UTC().Format(http.TimeFormat))
	if by == tus {
		return
	}
	h.Set("Upload-Complete", boolean(p.Complete))
	setLimit(h, p.Target, p.ExpiresAt)
}

// setLimit says what may be uploaded for a field, and until when.
func setLimit(h http.Header, t files.Target, until time.Time) {
	limit := fmt.Sprintf("max-size=%d", t.Field.File.Size)
	if left := time.Until(until); left > 0 {
		limit += fmt.Sprintf(", max-age=%d", int(left.Seconds()))
	}
	h.Set("Upload-Limit", limit)
}

// boolean is a boolean of a structured header (RFC 9651).
func boolean(b bool) string {
	if b {
		return "?1"
	}
	return "?0"
}
