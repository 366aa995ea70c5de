package files

import (
	"context"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/url"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// Scanner judges the content of files. The package kit/files/clamd has one. Others register
// themselves ([RegisterScanner]) in packages that a service imports.
//
// With a scanner no content is served before its verdict, and none with a threat:
//
//	upload    the scanner is asked before the row is written. What it finds a threat in is
//	          refused, and nothing of it is stored.
//	waiting   it did not answer in time: the file is stored, and [Keeper.Content] refuses to
//	          serve it until [Keeper.Scan] has its verdict.
//	scanned   the row has when that was, and the threat where there is one.
type Scanner interface {
	// Scan reads the content, and returns what the threat in it is called: empty for none.
	// An error means that there is no verdict.
	Scan(ctx context.Context, content io.Reader) (threat string, err error)
}

// ScannerOpener makes the scanner at an address. It asks it nothing yet.
type ScannerOpener func(address *url.URL) (Scanner, error)

var scanners = map[string]ScannerOpener{}

// RegisterScanner has addresses with the scheme opened. Packages of scanners call it in init.
func RegisterScanner(scheme string, open ScannerOpener) { scanners[scheme] = open }

// OpenScanner makes the scanner at an address.
func OpenScanner(address string) (Scanner, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("the address of a scanner: %w", err)
	}
	open := scanners[u.Scheme]
	if open == nil {
		return nil, fmt.Errorf("scanners of %s:// are not linked into this program: import their package in the package main, and build it again", u.Scheme)
	}
	return open(u)
}

// The times of scans.
const (
	// uploadScan is how long an upload waits for its verdict.
	uploadScan = 30 * time.Second
	// laterScan is how long a scan of a stored file may take.
	laterScan = 10 * time.Minute
	// scanBatch is how many files a process claims at a time.
	scanBatch = 20
)

// scanDraft asks the scanner about what an upload has written. Where there is no verdict in time
// the file waits for one.
func (k *Keeper) scanDraft(ctx context.Context, d *Draft, f *File) error {
	if k.Scanner == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, uploadScan)
	defer cancel()
	threat, err := k.Scanner.Scan(ctx, io.NewSectionReader(d.file, 0, d.size))
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
// Unavailable while it waits for its scan, and Gone where the scanner has found a threat.
func (k *Keeper) Content(f *File) error {
	switch {
	case f.Threat != "": // also once there is no scanner any more
		return problem.New(problem.Gone, "the scanner refuses the content: %s", f.Threat)
	case k.Waits(f):
		p := problem.New(problem.Unavailable, "the file waits for its scan: try again")
		p.RetryAfter = patience
		return p
	}
	return nil
}

// Waits reports whether a file is not served yet, because it waits for its scan.
func (k *Keeper) Waits(f *File) bool { return k.Scanner != nil && !f.Scanned }

var (
	// The index of those that were not scanned has them in this order.
	claimText = statement.Of(`UPDATE files SET scan_at = later(900) WHERE id IN (
		SELECT f.id FROM files AS f WHERE f.scanned_at IS NULL AND f.original_id IS NULL AND f.released_at IS NULL
			AND (f.scan_at IS NULL OR f.scan_at < now()) ORDER BY f.created_at LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING address`)
	verdictText = statement.Of(`UPDATE files SET scanned_at = now(), scan_at = NULL, threat = $2 WHERE id = $1`)
	retryText   = statement.Of(`UPDATE files SET scan_at = later(60) WHERE address = $1 AND scanned_at IS NULL`)
)

// Scan scans the files that wait for a verdict, oldest first. Each is claimed by one process
// for a quarter of an hour. A file without a verdict waits another minute, and so do all once
// several in a row have none: the scanner is away then. It returns how many were scanned.
func (k *Keeper) Scan(ctx context.Context) (total int, err error) {
	if k.Scanner == nil {
		return 0, nil
	}
	ctx = system(ctx)
	for {
		claimed, err := k.claim(ctx)
		if err != nil || len(claimed) == 0 {
			return total, err
		}
		failed := 0
		for i, key := range claimed {
			fault := k.scan(ctx, key)
			if err = errors.Join(err, fault); fault == nil {
				total, failed = total+1, 0
				continue
			}
			if failed++; failed == silent || ctx.Err() != nil {
				return total, errors.Join(err, k.unclaim(ctx, claimed[i:]))
			}
			err = errors.Join(err, k.unclaim(ctx, claimed[i:i+1]))
		}
		if err != nil {
			return total, err
		}
	}
}

// silent is after how many files in a row without a verdict a scanner is away.
const silent = 3

// claim claims files that wait, and returns their keys.
func (k *Keeper) claim(ctx context.Context) (keys []string, err error) {
	err = claimText.Query(ctx, k.DB, func(rows *sql.Rows) error {
		f := new(File)
		err := rows.Scan(&f.Address)
		keys = append(keys, f.Key())
		return err
	}, scanBatch)
	if err != nil {
		return nil, fmt.Errorf("look for files to scan: %w", err)
	}
	return keys, nil
}

// unclaim has files wait another minute.
func (k *Keeper) unclaim(ctx context.Context, keys []string) error {
	for _, key := range keys {
		if _, err := retryText.Exec(context.WithoutCancel(ctx), k.DB, expose.FilePath+key); err != nil {
			return fmt.Errorf("have a file wait for its scan: %w", err)
		}
	}
	return nil
}

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
