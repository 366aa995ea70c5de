package builtin

import (
	"context"
	"encoding/hex"
	"net/http"
	"strconv"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/idempotency"
	"github.com/entwine-go/entwine/kit/rest/handler"
	"github.com/entwine-go/entwine/kit/viewer"
)

// requestUpload begins an upload and answers with the requests that send its parts:
// POST /files/uploads.
func (a *API) requestUpload(ctx context.Context, w http.ResponseWriter) error {
	x := handler.From(ctx)
	key, err := idempotency.KeyOf(viewer.From(ctx), x.Request.Header[idempotency.Header])
	if err != nil {
		return err
	}
	query := x.Request.URL.Query() // the document has judged it
	target, _ := a.Files.Target(query.Get("for"))
	wanted := files.Wanted{Upload: files.Upload{Target: target, Name: query.Get("name"), Key: key}, MediaType: query.Get("media_type"), PartSize: partSize(x)}
	wanted.Length, _ = strconv.ParseInt(query.Get("size"), 10, 64)
	wanted.SHA256 = sumIn(query.Get("sha256"))
	p, err := a.Files.Request(ctx, wanted)
	if err != nil {
		return err
	}
	if p.Repeated {
		w.Header().Set("Idempotency-Replayed", "true")
	}
	return a.answerUpload(ctx, w, p, http.StatusCreated)
}

// sumIn is a sum in hexadecimal digits, nil where there are none.
func sumIn(text string) []byte {
	if text == "" {
		return nil
	}
	sum, _ := hex.DecodeString(text)
	return sum
}

// partSize is how large parts are to be, 0 where the request does not say.
func partSize(x *handler.Exchange) int64 {
	n, _ := strconv.ParseInt(x.Request.URL.Query().Get("part"), 10, 64)
	return n
}

// readUploadParts answers with what is missing of an upload: GET /files/{id}/parts.
func (a *API) readUploadParts(ctx context.Context, w http.ResponseWriter) error {
	p, err := a.partial(ctx)
	if err != nil {
		return err
	}
	return a.answerUpload(ctx, w, p, http.StatusOK)
}

// answerUpload answers with the parts that an upload lacks.
func (a *API) answerUpload(ctx context.Context, w http.ResponseWriter, p *files.Partial, status int) error {
	x := handler.From(ctx)
	u, err := a.Files.Plan(ctx, p, partSize(x), x.Base)
	if err != nil {
		return err
	}
	body, err := enveloped(u)
	if err != nil {
		return err
	}
	answer := handler.Answer{Status: status, Body: body, ByHand: true, Cache: handler.NoStore} // an address needs no credentials
	if status == http.StatusCreated {
		answer.Location = uploadPath(x, p)
	}
	return x.Answer(w, answer)
}

// completeUpload makes the file of an upload: PUT /files/{id}/upload.
func (a *API) completeUpload(ctx context.Context, w http.ResponseWriter) error {
	p, err := a.partial(ctx)
	if err != nil {
		return err
	}
	status := http.StatusCreated
	if p.Complete {
		status = http.StatusOK
	}
	f, err := a.Files.Complete(ctx, p)
	if err != nil {
		return err
	}
	return a.answerFile(ctx, w, f, status)
}
