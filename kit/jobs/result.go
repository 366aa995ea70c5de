package jobs

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// chunk is how much of a result is in one row.
const chunk = 256 << 10

// result is a job's file, beside its effects. The zero value is nothing.
type result struct {
	shared          bool // see [Claim.CompleteTogether]
	mediaType, name string
	size            int64
}

func (r result) bytes() any {
	if r.mediaType == "" {
		return nil
	}
	return r.size
}

// Output takes a large result in chunks while the job runs, each in a short
// transaction of its own, so that it is never in memory whole. It can't be
// read before Complete.
type Output struct {
	*bufio.Writer
	claim  *Claim
	ctx    context.Context // of the job: an io.Writer has no other place for it
	result result
	parts  int64
}

var forgetText = statement.Of(`DELETE FROM job_chunks WHERE job_id = $1 AND fence < $2`)

// Output begins the file that is the job's result, with the media type and the file
// name, and discards what an earlier attempt wrote. The caller writes to it and ends
// it by [Output.Complete].
func (c *Claim) Output(ctx context.Context, mediaType, name string) (*Output, error) {
	if _, err := forgetText.Exec(ctx, c.db, c.ID, c.fence); err != nil {
		return nil, fmt.Errorf("remove what other attempts at job %d wrote: %w", c.ID, err)
	}
	o := &Output{claim: c, ctx: ctx, result: result{mediaType: mediaType, name: name}}
	o.Writer = bufio.NewWriterSize(parts{o}, chunk)
	return o, nil
}

// Complete ends the result and completes the job with it, as [Claim.Complete] does.
func (o *Output) Complete(ctx context.Context, effects func(ctx context.Context) error) error {
	if err := o.Flush(); err != nil {
		return err
	}
	return o.claim.complete(ctx, effects, o.result)
}

// parts writes each Write as a row.
type parts struct{ *Output }

var chunkText = statement.Of(`
	INSERT INTO job_chunks (job_id, fence, position, data, created_at)
	SELECT id, fence, $3::bigint, $4::bytea, now() FROM jobs WHERE id = $1 AND fence = $2 AND status = 'running'`)

func (p parts) Write(b []byte) (int, error) {
	for done := 0; done < len(b); {
		part := b[done:min(done+chunk, len(b))]
		if err := p.claim.fenced(p.ctx, chunkText, p.parts, part); err != nil {
			return done, fmt.Errorf("write the result of job %d: %w", p.claim.ID, err)
		}
		p.parts++
		p.result.size += int64(len(part))
		done += len(part)
	}
	return len(b), nil
}

// Result is the file that a job has made.
type Result struct {
	MediaType string // of the file
	Name      string // of the file
	Size      int64  // in bytes

	db        *store.DB
	id, fence int64
}

var resultText = statement.Of(`
	SELECT status, fence, result_type, result_name, result_size, COALESCE(result_until > now(), FALSE) FROM jobs WHERE id = $1`)

// Result returns the file that the job has made. The caller has checked that the
// viewer can read the job. The error is a problem.Error: of the kind NotFound where
// there is no job, or no file or none any more, and Conflict where the job has not
// succeeded, with RetryAfter while it may still.
func (c *Client) Result(ctx context.Context, id int64) (*Result, error) {
	r := &Result{db: c.DB, id: id}
	var status string
	var mediaType, name sql.NullString
	var size sql.NullInt64
	var kept bool
	found, err := resultText.Row(ctx, c.DB, []any{&status, &r.fence, &mediaType, &name, &size, &kept}, id)
	switch {
	case err != nil:
		return nil, fmt.Errorf("find the result of job %d: %w", id, err)
	case !found:
		return nil, problem.New(problem.NotFound, "there is no such job")
	case status == "queued" || status == "running" || status == "retrying":
		p := problem.New(problem.Conflict, "the job is %s: it has no result yet", status)
		p.RetryAfter = time.Second
		return nil, p
	case status != "succeeded":
		return nil, problem.New(problem.Conflict, "the job is %s: it has no result", status)
	case !mediaType.Valid:
		return nil, problem.New(problem.NotFound, "a job of this kind has no result to download")
	case !kept:
		return nil, problem.New(problem.NotFound, "the result is no longer kept")
	}
	r.MediaType, r.Name, r.Size = mediaType.String, name.String, size.Int64
	return r, nil
}

// Tag is an entity tag for the content, without quotes: results of two jobs, and of two
// attempts at one, have different ones.
func (r *Result) Tag() string { return fmt.Sprintf("job-%d-%d", r.id, r.fence) }

var partText = statement.Of(`SELECT data FROM job_chunks WHERE job_id = $1 AND fence = $2 AND position = $3`)

// Copy writes the result to w, part by part.
func (r *Result) Copy(ctx context.Context, w io.Writer) error {
	var done int64
	for position := 0; done < r.Size; position++ {
		var part []byte
		found, err := partText.Row(ctx, r.db, []any{&part}, r.id, r.fence, position)
		if err == nil && !found {
			err = io.ErrUnexpectedEOF
		}
		if err == nil {
			_, err = w.Write(part)
		}
		if err != nil {
			return fmt.Errorf("copy part %d of the result of job %d: %w", position, r.id, err)
		}
		done += int64(len(part))
	}
	return nil
}
