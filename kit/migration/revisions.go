package migration

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	atlas "ariga.io/atlas/sql/migrate"
	"ariga.io/atlas/sql/schema"

	"github.com/entwine-go/entwine/kit/store"
)

// Table is where a database keeps what it has had.
const Table = "entwine_revisions"

// revisions is the table, as Atlas reads and writes it.
type revisions struct {
	schema.ExecQuerier
	database database
}

// init makes the table.
func (r revisions) init(ctx context.Context) error {
	_, err := r.ExecContext(ctx, fmt.Sprintf(`CREATE TABLE IF NOT EXISTS %s (
	version %[2]s NOT NULL PRIMARY KEY,
	description %[2]s NOT NULL,
	applied bigint NOT NULL,
	total bigint NOT NULL,
	executed_at %[3]s NOT NULL,
	hash %[2]s NOT NULL,
	details %[2]s NOT NULL
)`, Table, r.database.text(), r.database.moment()))
	if err != nil {
		return fmt.Errorf("make the table of revisions: %w", err)
	}
	return nil
}

// state is how much of a migration a database has had.
type state int

const (
	half state = iota
	begun
	whole
)

// versions are the migrations that the database has had, or a part of, without
// making the table.
func (r revisions) versions(ctx context.Context) (map[string]state, error) {
	had := map[string]state{}
	if found, err := r.strings(ctx, r.database.exists(), Table); err != nil || len(found) == 0 {
		return had, err
	}
	for state, condition := range map[state]string{
		half:  "applied <> total AND details NOT LIKE '%\"live\":{%'",
		begun: "applied <> total AND details LIKE '%\"live\":{%'",
		whole: "applied = total",
	} {
		found, err := r.strings(ctx, "SELECT version FROM "+Table+" WHERE "+condition)
		if err != nil {
			return nil, err
		}
		for _, version := range found {
			had[version] = state
		}
	}
	return had, nil
}

func (r revisions) strings(ctx context.Context, query string, args ...any) ([]string, error) {
	rows, err := r.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []string
	for rows.Next() {
		var s string
		if err := rows.Scan(&s); err != nil {
			return nil, err
		}
		all = append(all, s)
	}
	return all, rows.Err()
}

// Ident names the table.
func (r revisions) Ident() *atlas.TableIdent {
	return &atlas.TableIdent{Name: Table, Schema: r.database.namespace()}
}

const revisionColumns = "version, description, applied, total, executed_at, hash, details"

// ReadRevisions reads all rows, in order.
func (r revisions) ReadRevisions(ctx context.Context) ([]*atlas.Revision, error) {
	return r.read(ctx, "SELECT "+revisionColumns+" FROM "+Table+" ORDER BY version")
}

// progress reads how far the file with the version has come.
func (r revisions) progress(ctx context.Context, version string) (p progress, err error) {
	texts, err := r.strings(ctx, "SELECT details FROM "+Table+" WHERE version = $1", version)
	if err != nil || len(texts) == 0 {
		return p, err
	}
	var d details
	if err := json.Unmarshal([]byte(texts[0]), &d); err != nil {
		return p, fmt.Errorf("read revision %s: %w", version, err)
	}
	if d.Live != nil {
		p = *d.Live
	}
	return p, nil
}

// ReadRevision reads one row.
func (r revisions) ReadRevision(ctx context.Context, version string) (*atlas.Revision, error) {
	all, err := r.read(ctx, "SELECT "+revisionColumns+" FROM "+Table+" WHERE version = $1", version)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, atlas.ErrRevisionNotExist
	}
	return all[0], nil
}

// details are columns for people.
type details struct {
	Type          uint          `json:"type"`
	Took          time.Duration `json:"took"`
	Error         string        `json:"error,omitempty"`
	ErrorStmt     string        `json:"statement,omitempty"`
	PartialHashes []string      `json:"partial,omitempty"`
	By            string        `json:"by,omitempty"`
	// Live is set of a file that is applied statement by statement.
	Live *progress `json:"live,omitempty"`
}

// progress is how far the backfill has come that is the next statement.
type progress struct {
	// Cursor is the key of the last row, Until the last key that there was when
	// it began; empty before that.
	Cursor []string `json:"cursor,omitempty"`
	Until  []string `json:"until,omitempty"`
	// Rows is how many rows it has passed, Of about how many there are.
	Rows int64 `json:"rows,omitempty"`
	Of   int64 `json:"of,omitempty"`
}

func (r revisions) read(ctx context.Context, query string, args ...any) ([]*atlas.Revision, error) {
	rows, err := r.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var all []*atlas.Revision
	for rows.Next() {
		var v atlas.Revision
		var text string
		var d details
		err := rows.Scan(&v.Version, &v.Description, &v.Applied, &v.Total, &v.ExecutedAt, &v.Hash, &text)
		if err = errors.Join(err, json.Unmarshal([]byte(text), &d)); err != nil {
			return nil, fmt.Errorf("read revision %s: %w", v.Version, err)
		}
		v.Type, v.ExecutionTime, v.Error, v.ErrorStmt = atlas.RevisionType(d.Type), d.Took, d.Error, d.ErrorStmt
		v.PartialHashes, v.OperatorVersion = d.PartialHashes, d.By
		all = append(all, &v)
	}
	return all, rows.Err()
}

// WriteRevision writes one row, new or not.
func (r revisions) WriteRevision(ctx context.Context, v *atlas.Revision) error {
	return r.write(ctx, v, nil)
}

// write writes one row, with how far it has come where it is applied statement
// by statement.
func (r revisions) write(ctx context.Context, v *atlas.Revision, live *progress) error {
	text, err := json.Marshal(details{uint(v.Type), v.ExecutionTime, v.Error, v.ErrorStmt, v.PartialHashes, v.OperatorVersion, live})
	if err != nil {
		return err
	}
	_, err = r.ExecContext(ctx, "INSERT INTO "+Table+" ("+revisionColumns+`) VALUES ($1, $2, $3, $4, $5, $6, $7)
ON CONFLICT (version) DO UPDATE SET description = excluded.description, applied = excluded.applied, total = excluded.total,
	executed_at = excluded.executed_at, hash = excluded.hash, details = excluded.details`,
		v.Version, v.Description, v.Applied, v.Total, store.Time(v.ExecutedAt), v.Hash, string(text))
	if err != nil {
		return err
	}
	if keeps, err := r.keepsAtlas(ctx); err != nil || !keeps {
		return err
	}
	return r.writeAtlas(ctx, v)
}

// DeleteRevision removes one row.
func (r revisions) DeleteRevision(ctx context.Context, version string) error {
	if _, err := r.ExecContext(ctx, "DELETE FROM "+Table+" WHERE version = $1", version); err != nil {
		return err
	}
	if keeps, err := r.keepsAtlas(ctx); err != nil || !keeps {
		return err
	}
	_, err := r.ExecContext(ctx, "DELETE FROM "+AtlasTable+" WHERE version = $1", version)
	return err
}
