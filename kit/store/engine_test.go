package store_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

// Servers that speak PostgreSQL's protocol and are something else are refused when they
// are opened, with all that is missing. Each is here a PostgreSQL whose catalog is
// shadowed by what the other answers.
func TestOtherEnginesAreRefused(t *testing.T) {
	t.Parallel()
	for name, one := range map[string]struct {
		shadow string
		want   []string
	}{
		"CockroachDB": {says("CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu, built 2025/06/04 12:00:00, go1.23.7)"),
			[]string{"the server is CockroachDB", "REFERENCING NEW TABLE", "advisory locks that hold", "pg_current_snapshot"}},
		"YugabyteDB": {says("PostgreSQL 15.12-YB-2025.2.3.0-b1 on x86_64-pc-linux-gnu, compiled by clang version 17.0.6, 64-bit"),
			[]string{"the server is YugabyteDB", "REFERENCING NEW TABLE", "pg_current_snapshot"}},
		"Redshift": {says("PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2, Redshift 1.0.12103"),
			[]string{"the server is Amazon Redshift", "does not enforce", "indexes"}},
		"Citus":          {"CREATE TABLE other.pg_extension AS SELECT 'citus'::name AS extname", []string{"the server is Citus", "the column that distributes"}},
		"an old version": {"CREATE TABLE other.pg_settings AS SELECT 'server_version_num' AS name, '120022' AS setting", []string{`server_version_num is "120022"`, "PostgreSQL 14 or later"}},
		"one without procedures": {"CREATE TABLE other.pg_language (lanname name); CREATE TABLE other.pg_proc (proname name)",
			[]string{"not one that is supported", "there is no language plpgsql", "pg_current_snapshot", "advisory locks"}},
		"one without a catalog": {"CREATE TABLE other.pg_proc (a int)", []string{"not PostgreSQL", "PostgreSQL's catalog", "proname"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := items.PostgresURL(t)
			storetest.Do(t, open(t, store.Config{URL: address}), "CREATE SCHEMA other; "+one.shadow)
			db, err := store.Open(t.Context(), store.Config{URL: address + "&search_path=other,pg_catalog,public"})
			if err == nil {
				_ = db.Close()
				t.Fatal("it is opened")
			}
			for _, want := range one.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("it says %v, want %q", err, want)
				}
			}
		})
	}
}

func says(version string) string {
	return "CREATE FUNCTION other.version() RETURNS text LANGUAGE sql AS $$ SELECT '" + version + "'::text $$"
}
