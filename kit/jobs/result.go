package jobs

import (
	"bufio"
	"context"
	"database/sql"
	"fmt"
	"io"
	"path"
	"time"

	"github.com/entwine-go/entwine/kit/files"
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

// resultFile is the column of jobs with the address of the result's file. A service whose
// jobs have it, as expose.File with expose.Issued, keeps results as files. In others they are in
// parts in the database.
const resultFile = "result_file"

// Output takes a large result while the job runs: on the disk of this process where
// results are files, and in chunks, each in a short transaction of its own, so that
// it is never in memory whole. It can't be read before Complete.
//
// Results that are files are in chunks, too, while processes of the release before, which
// reads no others, may serve them: see doc/operations/upgrading.md.
type Output struct {
	*bufio.Writer
	claim  *Claim
	ctx    context.Context // of the job: an io.Writer has no other place for it
	result result
	parts  int64
	draft  *files.Draft // nil where results are no files
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
	if _, kept := c.issued(); kept {
		draft, err := c.files.Draft()
		if err != nil {
			return nil, err
		}
		o.draft, c.drafts = draft, append(c.drafts, draft)
	}
	return o, nil
}

// issued is the field that has the files of results, and false where there is none.
func (c *Claim) issued() (files.Target, bool) { return issuedBy(c.files) }

func issuedBy(k *files.Keeper) (files.Target, bool) {
	if k == nil {
		return files.Target{}, false
	}
	return k.Issued("jobs", resultFile)
}

// discard removes what is left on the disk of outputs.
func (c *Claim) discard() {
	for _, d := range c.drafts {
		d.Discard()
	}
}

// Complete ends the result and completes the job with it, as [Claim.Complete] does.
func (o *Output) Complete(ctx context.Context, effects func(ctx context.Context) error) error {
	if err := o.Flush(); err != nil {
		return err
	}
	target, kept := o.claim.issued()
	if !kept {
		return o.claim.complete(ctx, effects, o.result)
	}
	issue := files.Issue{Target: target, Name: o.result.name, MediaType: o.result.mediaType}
	_, err := o.claim.files.Issue(ctx, issue, o.draft, func(ctx context.Context, f *files.File, record func(context.Context) error) error {
		return o.claim.complete(ctx, func(ctx context.Context) error {
			if effects != nil {
				if err := effects(ctx); err != nil {
					return err
				}
			}
			if err := record(ctx); err != nil {
				return err
			}
			return o.claim.fenced(ctx, fileText, f.Address)
		}, o.result)
	})
	return err
}

var fileText = statement.Of(`UPDATE jobs SET result_file = $3 WHERE id = $1 AND fence = $2 AND status = 'running'`)

// parts writes each Write as a row.
type parts struct{ *Output }

var chunkText = statement.Of(`
	INSERT INTO job_chunks (job_id, fence, position, data, created_at)
	SELECT id, fence, $3::bigint, $4::bytea, now() FROM jobs WHERE id = $1 AND fence = $2 AND status = 'running'`)

func (p parts) Write(b []byte) (int, error) {
	for done := 0; done < len(b); {
		part := b[done:min(done+chunk, len(b))]
		if p.draft != nil {
			if _, err := p.draft.Write(part); err != nil {
				return done, fmt.Errorf("write the result of job %d: %w", p.claim.ID, err)
			}
		}
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
	files     *files.Keeper
	file      *files.File // nil for one that is in parts
}

var resultText = statement.Of(`
	SELECT status, fence, result_type, result_name, result_size, COALESCE(result_until > now(), FALSE) FROM jobs WHERE id = $1`)

// Result returns the file that the job has made. The caller has checked that the
// viewer can read the job, and the viewer reads its file. The error is a problem.Error: of the kind NotFound where
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
	if _, issued := issuedBy(c.Files); issued {
		var address sql.NullString
		if _, err := addressText.Row(ctx, c.DB, []any{&address}, id); err != nil {
			return nil, fmt.Errorf("find the file of the result of job %d: %w", id, err)
		}
		if address.Valid { // else it was made by the release before
			if r.file, err = c.Files.Find(ctx, path.Base(address.String)); err != nil {
				return nil, err
			}
			r.files = c.Files
		}
	}
	return r, nil
}

var addressText = statement.Of(`SELECT result_file FROM jobs WHERE id = $1`)

// InFile reports whether the result is a file, which [Result.Open] reads from any offset on.
func (r *Result) InFile() bool { return r.file != nil }

// Open reads length bytes of a result that is a file from offset on. The caller closes it.
func (r *Result) Open(ctx context.Context, offset, length int64) (io.ReadCloser, error) {
	return r.files.Open(ctx, r.file, offset, length)
}

// Tag is an entity tag for the content, without quotes: results of two jobs, and of two
// attempts at one, have different ones.
func (r *Result) Tag() string { return fmt.Sprintf("job-%d-%d", r.id, r.fence) }

var partText = statement.Of(`SELECT data FROM job_chunks WHERE job_id = $1 AND fence = $2 AND position = $3`)

// Copy writes a result that is in parts to w, one after the other.
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
