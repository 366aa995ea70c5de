package migration_test

import (
	"testing"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/migration"
)

func TestWhatStatementsDo(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`CREATE TABLE "a" ("id" bigint);`:                                                                       "make the table a",
		`ALTER TABLE "posts" ADD COLUMN "note" text NULL;`:                                                      "add note to posts (ACCESS EXCLUSIVE of posts, instant; others neither read nor write)",
		`ALTER TABLE "posts" ALTER COLUMN "age" TYPE bigint;`:                                                   "give age of posts another type (ACCESS EXCLUSIVE of posts, rewrite; others neither read nor write)",
		`CREATE INDEX "i" ON "posts" ("note");`:                                                                 "make the index i of posts (SHARE of posts, scan; others read and do not write)",
		`CREATE UNIQUE INDEX CONCURRENTLY "i" ON "posts" ("a");`:                                                "make the index i of posts (SHARE UPDATE EXCLUSIVE of posts, scan; others read and write)",
		"ALTER TABLE \"posts\" ADD\nCONSTRAINT \"k\" FOREIGN KEY (\"a\") REFERENCES \"as\" (\"id\") NOT VALID;": "new rows of posts keep k, which refers to as (SHARE ROW EXCLUSIVE of posts, instant; others read and do not write)",
		`ALTER TABLE "posts" DROP CONSTRAINT "c", ADD CONSTRAINT "c" CHECK (a > 1) NOT VALID;`:                  "new rows of posts keep c (ACCESS EXCLUSIVE of posts, instant; others neither read nor write)",
		`ALTER TABLE "posts" ADD CONSTRAINT "c" CHECK (a > 1);`:                                                 "all rows of posts keep c (ACCESS EXCLUSIVE of posts, scan; others neither read nor write)",
		`ALTER TABLE "posts" VALIDATE CONSTRAINT "c";`:                                                          "see that all rows of posts keep c (SHARE UPDATE EXCLUSIVE of posts, scan; others read and write)",
		`ALTER TABLE "posts" ALTER COLUMN "a" SET NOT NULL;`:                                                    "a of posts is required (ACCESS EXCLUSIVE of posts, scan; others neither read nor write)",
		migration.Backfill("posts", `"note" = 'x'`, "") + ";":                                                   "fill note of the rows of posts (ROW EXCLUSIVE of posts, batches of rows; others read and write)",
		migration.Refuse("posts: it's odd", "SELECT 'x' LIMIT 0") + ";":                                         "ask first: posts: it's odd",
	} {
		all, err := migration.Effects(atlas.NewLocalFile("1.sql", []byte("-- atlas:txmode none\n\n"+text)), "postgres")
		if err != nil || len(all) != 1 || all[0].String() != want {
			t.Errorf("%s\n%v, %v\nwant %s", text, all, err, want)
		}
	}
}

// The checks of a statement on a table depend on the statements before it in the file, and
// on whether the file is one transaction.
func TestWhatAFileDoes(t *testing.T) {
	t.Parallel()
	live := "-- atlas:txmode none\n\n"
	for text, want := range map[string]migration.Hold{
		`CREATE TABLE "a" ("id" bigint); CREATE INDEX "i" ON "a" ("id");`:                                                             migration.None,
		live + `ALTER TABLE "a" VALIDATE CONSTRAINT "a_b_set"; ALTER TABLE "a" ALTER COLUMN "b" SET NOT NULL;`:                        migration.Instant,
		live + migration.Backfill("a", `"b" = 1`, "") + ";":                                                                           migration.Batches,
		migration.Backfill("a", `"b" = 1`, "") + ";":                                                                                  migration.Rewrite,
		live + `CREATE INDEX CONCURRENTLY "i" ON "a" ("b"); ALTER TABLE "a" ADD CONSTRAINT "c" CHECK (b > 1) NOT VALID;`:              migration.Instant,
		`ALTER TABLE "a" ADD COLUMN "b" bigint GENERATED ALWAYS AS ("c" * 2) STORED; UPDATE "a" SET "d" = 1; CREATE INDEX "i" ON "a"`: migration.Rewrite,
	} {
		all, err := migration.Effects(atlas.NewLocalFile("1.sql", []byte(text)), "postgres")
		if err != nil {
			t.Fatal(err)
		}
		if got := (migration.Listed{Effects: all}).Longest(); got != want {
			t.Errorf("%s\n%v, want %v", text, got, want)
		}
	}
}
