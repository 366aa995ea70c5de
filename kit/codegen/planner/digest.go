package planner

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"entgo.io/ent/dialect/sql/schema"

	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/pgserver"
)

// Digest identifies what the databases should look like. It is written into
// the folder of the migrations with each of them, so that a program can tell
// whether those that it has lead to the schema that it was generated from.
func (s Schema) Digest() string {
	h := sha256.New()
	tables := slices.SortedFunc(slices.Values(s.Tables), func(a, b *schema.Table) int { return cmp.Compare(a.Name, b.Name) })
	for _, t := range tables {
		fmt.Fprintln(h, "table", t.Name)
		for _, c := range t.Columns {
			fmt.Fprintln(h, "column", c.Name, c.Type, c.SchemaType, c.Size, c.Key, c.Unique, c.Increment, c.Nullable, c.Default, c.Enums, c.Collation)
		}
		for _, c := range t.PrimaryKey {
			fmt.Fprintln(h, "key", c.Name)
		}
		for _, i := range t.Indexes {
			fmt.Fprintln(h, "index", i.Name, i.Unique, names(i.Columns))
			if a := i.Annotation; a != nil {
				fmt.Fprintln(h, a.Where, a.DescColumns, a.Desc, a.Type, a.Types, a.OpClass)
			}
		}
		for _, k := range t.ForeignKeys {
			fmt.Fprintln(h, "foreign", k.Symbol, names(k.Columns), k.RefTable.Name, names(k.RefColumns), k.OnDelete, k.OnUpdate)
		}
		if a := t.Annotation; a != nil {
			fmt.Fprintln(h, a.Check, a.Checks)
		}
	}
	for _, dialectName := range Dialects {
		for _, o := range s.Objects[dialectName] {
			fmt.Fprintln(h, dialectName, o.Name, o.Create)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

func names(columns []*schema.Column) string {
	var all []string
	for _, c := range columns {
		all = append(all, c.Name)
	}
	return strings.Join(all, " ")
}

// writeDigest says of the migrations below root that they lead to the schema
// with the digest; half: that PostgreSQL's do not. It is taken before Ent makes
// the tables, which completes them.
func writeDigest(root, digest string, half bool) error {
	if half {
		digest += "\n" + migration.HalfMark
	}
	return os.WriteFile(filepath.Join(root, migration.DigestFile), []byte(digest+"\n"), 0o644)
}

func readDigest(root string) (string, error) {
	text, err := os.ReadFile(filepath.Join(root, migration.DigestFile))
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	return strings.TrimSpace(string(text)), err
}

// unwritten reports whether the migrations below root lead to another schema, or
// not on PostgreSQL.
func unwritten(root, digest string) (bool, error) {
	text, err := readDigest(root)
	return text != digest, err
}

// Half reports whether the migrations of PostgreSQL below root are behind those
// of SQLite, since there was no server when those were written.
func Half(root string) (bool, error) {
	text, err := readDigest(root)
	return strings.Contains(text, migration.HalfMark), err
}

// Seal says of the migrations below root that they lead to the schema, if they
// do: after a merge, which finds two answers. Of PostgreSQL it says so where there
// is a server.
func Seal(ctx context.Context, root string, s Schema) error {
	digest := s.Digest()
	err := verifyFiles(ctx, root, s)
	if errors.Is(err, ErrMissing) { // what is missing is long
		return ErrMissing
	}
	half := errors.Is(err, pgserver.ErrMissing)
	if err != nil && !half {
		return err
	}
	return writeDigest(root, digest, half)
}

// verifyDigest reports, as an error, that the folder says another schema.
func verifyDigest(root, digest string) error {
	text, err := readDigest(root)
	if err != nil {
		return err
	}
	if strings.HasSuffix(text, migration.HalfMark) {
		return errHalf
	}
	if text != digest {
		return fmt.Errorf("%s is of another schema: weave migrate hash writes it", migration.DigestFile)
	}
	return nil
}

// errHalf says that one database's migrations are behind the other's.
var errHalf = fmt.Errorf("the migrations of PostgreSQL are behind those of SQLite (%s): where PostgreSQL is, weave migrate diff NAME writes what is missing", migration.DigestFile)
