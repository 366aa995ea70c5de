package files

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// The times of scans.
const (
	// uploadScan is how long an upload waits for its verdict.
	uploadScan = 30 * time.Second
	// laterScan is how long a scan of a stored file may take, which is claimed for longer.
	laterScan = 10 * time.Minute
)

// scanDraft asks the scanner about what an upload has written. Where there is no verdict in time
// the file waits for one.
func (k *Keeper) scanDraft(ctx context.Context, d *Draft, f *File) error {
	if k.Scanner == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, uploadScan)
	defer cancel()
	content := d.content(ctx)
	defer content.Close()
	threat, err := k.Scanner.Scan(ctx, content)
	switch {
	case err != nil:
		k.Log.WarnContext(ctx, "file waits for its scan: the scanner gave no verdict", "file", f.Key(), "err", err)
		return nil
	case threat != "":
		k.Log.WarnContext(ctx, "upload was refused by the scanner", "threat", threat, "user_id", f.UserID, "api_key_id", f.KeyID, "sha256", hex.EncodeToString(d.Sum()))
		return problem.New(problem.Unprocessable, "the scanner refuses the content: %s", threat)
	}
	f.Scanned = true
	return nil
}

// Content returns nil if the content of a file may be served. The error is of the kind
// Unavailable while it waits for its scan, and that of [File.Refused] where it has a threat.
func (k *Keeper) Content(f *File) error {
	if err := f.Refused(); err != nil {
		return err
	}
	if k.Waits(f) {
		p := problem.New(problem.Unavailable, "the file waits for its scan: try again")
		p.RetryAfter = patience
		return p
	}
	return nil
}

// Refused returns an error of the kind ContentRefused if a scanner has found a threat in the
// file. It is not served either once there is no scanner any more.
func (f *File) Refused() error {
	if f.Threat == "" {
		return nil
	}
	return problem.New(problem.ContentRefused, "the scanner refuses the content: %s", f.Threat)
}

// Waits reports whether a file is not served yet, because it waits for its scan.
func (k *Keeper) Waits(f *File) bool { return k.Scanner != nil && !f.Scanned }

var (
	// The index of those that were not scanned has them in this order.
	claimText = statement.Of(`UPDATE files SET scan_at = later(900) WHERE id IN (
		SELECT f.id FROM files AS f WHERE f.scanned_at IS NULL AND f.original_id IS NULL AND f.released_at IS NULL
			AND (f.scan_at IS NULL OR f.scan_at < now()) ORDER BY f.created_at LIMIT 1 FOR UPDATE SKIP LOCKED) RETURNING address`)
	verdictText = statement.Of(`UPDATE files SET scanned_at = now(), scan_at = NULL, threat = $2 WHERE id = $1`)
	retryText   = statement.Of(`UPDATE files SET scan_at = later(60) WHERE address = $1 AND scanned_at IS NULL`)
)

// Scan scans the files that wait for a verdict, oldest first. Each is claimed by one process
// for a quarter of an hour. One without a verdict waits another minute, and the pass ends once
// several in a row have none: the scanner is away then. It returns how many were scanned.
func (k *Keeper) Scan(ctx context.Context) (total int, err error) {
	if k.Scanner == nil {
		return 0, nil
	}
	ctx = system(ctx)
	for failed := 0; failed < silent; {
		f := new(File)
		found, fault := claimText.Row(ctx, k.DB, []any{&f.Address})
		if fault != nil {
			return total, errors.Join(err, fmt.Errorf("look for files to scan: %w", fault))
		}
		if !found {
			break
		}
		fault = k.scan(ctx, f.Key())
		if fault == nil {
			total, failed = total+1, 0
			continue
		}
		failed++
		_, again := retryText.Exec(context.WithoutCancel(ctx), k.DB, f.Address)
		err = errors.Join(err, fault, again)
	}
	return total, err
}

// silent is after how many files in a row without a verdict a scanner is away.
const silent = 3

// scan has a stored file scanned.
func (k *Keeper) scan(ctx context.Context, key string) error {
	f, err := k.find(ctx, key)
	if problem.KindOf(err) == problem.NotFound {
		return nil // it has gone meanwhile
	}
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, laterScan)
	defer cancel()
	threat, err := k.verdict(ctx, f)
	if err != nil {
		return fmt.Errorf("scan file %s: %w", key, err)
	}
	if threat != "" {
		k.Log.WarnContext(ctx, "file is not served any more: the scanner has found a threat", "file", key, "threat", threat, "user_id", f.UserID, "api_key_id", f.KeyID)
	}
	if _, err := verdictText.Exec(ctx, k.DB, f.ID, orNull(threat)); err != nil {
		return fmt.Errorf("note the verdict on a file: %w", err)
	}
	return nil
}

func (k *Keeper) verdict(ctx context.Context, f *File) (threat string, err error) {
	content, err := k.Open(ctx, f, 0, -1)
	if err != nil {
		return "", err
	}
	defer content.Close()
	return k.Scanner.Scan(ctx, content)
}
