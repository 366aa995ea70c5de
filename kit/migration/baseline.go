package migration

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	atlas "ariga.io/atlas/sql/migrate"
)

// baselineLine begins a line at the top of a file that has made tables which were there
// before the first migration. The next arguments are the name of a table and those of
// its columns, quoted.
const baselineLine = "-- entwine:baseline "

// BaselineOf is the line of a table.
func BaselineOf(table string, columns []string) string {
	line := baselineLine + strconv.Quote(table)
	for _, c := range columns {
		line += " " + strconv.Quote(c)
	}
	return line
}

// Baselined are the tables, with their columns, that the file says to have been there
// before it: none where it is no baseline.
func Baselined(f atlas.File) (tables [][]string) {
	for line := range strings.Lines(string(f.Bytes())) {
		rest, ok := strings.CutPrefix(line, baselineLine)
		if !ok {
			break
		}
		var names []string
		for rest = strings.TrimSpace(rest); rest != ""; rest = strings.TrimSpace(rest) {
			quoted, err := strconv.QuotedPrefix(rest)
			if err != nil {
				break
			}
			name, _ := strconv.Unquote(quoted)
			names, rest = append(names, name), rest[len(quoted):]
		}
		tables = append(tables, names)
	}
	return tables
}

// adopted records the file as applied, and reports so, where it is a baseline and the
// database has all that it makes. A database that has none of it gets it as any file; one
// that has a part is refused, since neither would be right.
func (r revisions) adopted(ctx context.Context, dir atlas.Dir, f atlas.File) (bool, error) {
	var missing, there []string
	for _, names := range Baselined(f) {
		has, err := r.strings(ctx, r.database.columnsOf(), names[0])
		if err != nil {
			return false, err
		}
		if len(has) == 0 {
			missing = append(missing, names[0])
			continue
		}
		there = append(there, names[0])
		for _, column := range names[1:] {
			if !slices.Contains(has, column) {
				missing = append(missing, names[0]+"."+column)
			}
		}
	}
	switch {
	case len(there) == 0:
		return false, nil
	case len(missing) > 0:
		return false, fmt.Errorf("the database has %s, and not %s, of what %s says was there before: weave adopt says what differs", strings.Join(there, ", "), strings.Join(missing, ", "), f.Name())
	}
	return true, r.record(ctx, dir, f)
}

// record has the table say that the database has had the file.
func (r revisions) record(ctx context.Context, dir atlas.Dir, f atlas.File) error {
	statements, err := driver{cut: r.database.cut()}.ScanStmts(string(f.Bytes()))
	if err != nil {
		return err
	}
	sums, err := dir.Checksum()
	if err != nil {
		return err
	}
	hash, err := sums.SumByName(f.Name())
	if err != nil {
		return err
	}
	n := len(statements)
	return r.WriteRevision(ctx, &atlas.Revision{Version: f.Version(), Description: f.Desc(), Type: atlas.RevisionTypeResolved, Applied: n, Total: n, ExecutedAt: time.Now(), Hash: hash})
}
