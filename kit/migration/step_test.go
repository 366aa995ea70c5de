package migration_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"entgo.io/ent/dialect"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/store"
)

// texts makes a table with more rows than are folded at a time, of which one
// has no text.
func texts(n int) string {
	var values []string
	for i := range n {
		values = append(values, fmt.Sprintf("(%d, 'ÉTÉ; it''s %d')", i-2, i))
	}
	return "CREATE TABLE a (id bigint PRIMARY KEY, name text, name_fold text);\nINSERT INTO a (id, name) VALUES " + strings.Join(values, ", ") + ", (-9, NULL);"
}

func TestAFileFoldsTexts(t *testing.T) {
	t.Parallel()
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		err := migration.Apply(t.Context(), db, folder(t, texts(2500), migration.Fold("a", "name", "name_fold")+";\nDELETE FROM a WHERE name_fold LIKE 'été; it''s %';"))
		if err != nil {
			t.Fatal(err)
		}
		if n := count(t, db, "a WHERE name IS NULL AND name_fold IS NULL"); n != 1 || count(t, db, "a") != 1 {
			t.Errorf("%d rows are left of which %d have no text, want one", count(t, db, "a"), n)
		}
	})
}

// The key of a table may be of several columns, of texts and UUIDs.
func TestAFileFoldsTextsOfAnyKey(t *testing.T) {
	t.Parallel()
	var values []string
	for i := range 2500 {
		values = append(values, fmt.Sprintf("('it''s %d', '0191f6ae-7e3c-7b5a-9c1e-%012d', 'ÉTÉ %d')", i%7, i, i))
	}
	table := `CREATE TABLE "As" ("the code" varchar(20), part uuid, name text, name_fold text, n integer, PRIMARY KEY ("the code", part));` + "\n" +
		`INSERT INTO "As" ("the code", part, name) VALUES ` + strings.Join(values, ", ") + ";"
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		if err := migration.Apply(t.Context(), db, folder(t, table, migration.Fold("As", "name", "name_fold")+";")); err != nil {
			t.Fatal(err)
		}
		if n := count(t, db, `"As" WHERE name_fold = replace(name, 'ÉTÉ', 'été')`); n != 2500 {
			t.Errorf("%d texts are folded, want 2500", n)
		}
		cast := map[bool]string{true: "CAST(replace(name, 'ÉTÉ ', '') AS integer)", false: "entwine_cast(replace(name, 'ÉTÉ ', ''), 'integer')"}[db.Postgres()]
		if _, err := db.ExecContext(t.Context(), `UPDATE "As" SET name = 'many' WHERE name = 'ÉTÉ 8'`); err != nil {
			t.Fatal(err)
		}
		err := migration.Apply(t.Context(), db, folder(t, table, migration.Fold("As", "name", "name_fold")+";", migration.Ask("As", "n", cast, "")+";"))
		if err == nil || !strings.Contains(err.Error(), `no value of n: change them first: it's 1/0191f6ae-7e3c-7b5a-9c1e-000000000008 (`) {
			t.Errorf("Apply: %v", err)
		}
	})
}

func TestAFileRefusesRows(t *testing.T) {
	t.Parallel()
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		refusing := folder(t, texts(9), "DELETE FROM a WHERE id = 1;\n"+migration.Refuse("a's names; they're odd", "SELECT CAST(id AS text) FROM a WHERE name <> 'it''s' ORDER BY a.id")+";")
		err := migration.Apply(t.Context(), db, refusing)
		if !errors.Is(err, migration.ErrRefused) || !strings.Contains(err.Error(), "a's names; they're odd: -2; -1; 0; 2; 3; and others") {
			t.Errorf("Apply: %v", err)
		}
		if n := count(t, db, "a"); n != 10 {
			t.Errorf("%d rows, want 10: a part of the file stayed", n)
		}
		if _, err := db.ExecContext(t.Context(), "UPDATE a SET name = NULL"); err != nil {
			t.Fatal(err)
		}
		if err := migration.Apply(t.Context(), db, refusing); err != nil {
			t.Errorf("Apply once no row is in the way: %v", err)
		}
	})
}

func TestAStepThatIsNotKnown(t *testing.T) {
	t.Parallel()
	storetest.Schema{}.Each(t, func(t *testing.T, db *store.DB) {
		if err := migration.Apply(t.Context(), db, folder(t, "CALL entwine_fold('a');")); err == nil || !strings.Contains(err.Error(), "knows no such step") {
			t.Errorf("Apply: %v", err)
		}
	})
}

func TestMatches(t *testing.T) {
	t.Parallel()
	whole := fstest.MapFS{migration.DigestFile: {Data: []byte("abc\n")}}
	half := fstest.MapFS{migration.DigestFile: {Data: []byte("abc\n" + migration.HalfMark + "\n")}}
	for _, c := range []struct {
		files        fstest.MapFS
		digest, name string
		want         error
	}{
		{whole, "abc", dialect.Postgres, nil},
		{whole, "abc", dialect.SQLite, nil},
		{whole, "abd", dialect.SQLite, migration.ErrBehind},
		{fstest.MapFS{}, "abd", dialect.SQLite, migration.ErrBehind},
		{half, "abc", dialect.SQLite, nil},
		{half, "abc", dialect.Postgres, migration.ErrHalf},
		{half, "abd", dialect.SQLite, migration.ErrBehind},
	} {
		if err := migration.Matches(c.files, c.digest, c.name); !errors.Is(err, c.want) {
			t.Errorf("Matches(%s, %s, %s): %v, want %v", c.files[migration.DigestFile], c.digest, c.name, err, c.want)
		}
	}
}
