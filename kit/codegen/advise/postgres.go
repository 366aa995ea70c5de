package advise

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/store"
)

func postgresQuestion() question {
	return question{
		columns: `SELECT c.relname, a.attname, greatest(c.reltuples, s.n_live_tup, 0)::bigint
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid LEFT JOIN pg_stat_user_tables s ON s.relid = c.oid
		WHERE c.relkind IN ('r', 'p') AND pg_table_is_visible(c.oid) AND c.relnamespace = current_schema()::regnamespace AND a.attnum > 0 AND NOT a.attisdropped`,
		leading: `SELECT c.relname, a.attname, 0 FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
		JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = i.indkey[0]
		WHERE pg_table_is_visible(c.oid) AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) = '(deleted_at IS NULL)')`,
		extension: "SELECT count(*) FROM pg_extension WHERE extname = 'pg_stat_statements'",
		collected: `SELECT query, sum(calls)::bigint, (sum(total_exec_time) * 1000000)::bigint FROM pg_stat_statements
		WHERE dbid = (SELECT oid FROM pg_database WHERE datname = current_database()) GROUP BY query ORDER BY 3 DESC LIMIT 1000`,
		judge: postgresJudge,
	}
}

// postgres asks PostgreSQL within a transaction that is undone.
type postgres struct {
	conn   *sql.Conn
	hypo   bool
	create bool
}

func postgresJudge(ctx context.Context, db *store.DB, o Options, ask func(judge) error) (err error) {
	conn, err := db.Session(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	extensions, err := number(ctx, conn, "SELECT count(*) FROM pg_extension WHERE extname = 'hypopg'")
	if err != nil {
		return err
	}
	if _, err := conn.ExecContext(ctx, "BEGIN; SET LOCAL plan_cache_mode = force_generic_plan"); err != nil {
		return err
	}
	defer func() {
		_, undone := conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		err = errors.Join(err, undone)
	}()
	return ask(&postgres{conn: conn, hypo: extensions > 0, create: o.Create})
}

func (p *postgres) how() string {
	switch {
	case p.hypo:
		return "hypopg"
	case p.create:
		return "transaction"
	}
	return "nothing"
}

// plan is that of the statement prepared, whatever its arguments will be: the
// connection forces the generic one.
func (p *postgres) plan(ctx context.Context, text string) (plan Plan, err error) {
	if _, err := p.conn.ExecContext(ctx, "SAVEPOINT advised"); err != nil {
		return plan, err
	}
	end := "ROLLBACK TO advised"
	defer func() {
		_, ended := p.conn.ExecContext(ctx, end)
		err = errors.Join(err, ended)
	}()
	if _, err := p.conn.ExecContext(ctx, "PREPARE advised AS "+text); err != nil {
		return plan, err
	}
	end += "; DEALLOCATE advised" // which outlives the savepoint
	explain := "EXPLAIN EXECUTE advised"
	if n := parameters(text); n > 0 {
		explain += "(" + strings.TrimSuffix(strings.Repeat("NULL,", n), ",") + ")"
	}
	plan.Lines, err = lines(ctx, p.conn, explain)
	if err == nil && len(plan.Lines) > 0 {
		if part := costOf.FindStringSubmatch(plan.Lines[0]); part != nil {
			plan.Cost, err = strconv.ParseFloat(part[1], 64)
		}
	}
	return plan, err
}

func (p *postgres) with(ctx context.Context, i index, try func(string) error) (err error) {
	if p.hypo {
		id, err := number(ctx, p.conn, "SELECT indexrelid::bigint FROM hypopg_create_index($1)", i.create(""))
		if err != nil {
			return err
		}
		err = try(fmt.Sprintf("<%d>", id))
		_, ended := p.conn.ExecContext(ctx, "SELECT hypopg_reset()")
		return errors.Join(err, ended)
	}
	if _, err := p.conn.ExecContext(ctx, "SAVEPOINT made; "+i.create(indexName)); err != nil {
		return err
	}
	err = try(indexName)
	_, undone := p.conn.ExecContext(ctx, "ROLLBACK TO made")
	return errors.Join(err, undone)
}

var (
	costOf    = regexp.MustCompile(`cost=[0-9.]+\.\.([0-9.]+)`)
	parameter = regexp.MustCompile(`[$?]([0-9]+)`)
)

// parameters is how many arguments the statement takes.
func parameters(text string) (n int) {
	for _, one := range parameter.FindAllStringSubmatch(text, -1) {
		i, _ := strconv.Atoi(one[1]) // it is digits
		n = max(n, i)
	}
	return n
}

// lines are the rows of a query, of which each is a text.
func lines(ctx context.Context, db asked, text string, args ...any) (all []string, err error) {
	rows, err := db.QueryContext(ctx, text, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return nil, err
		}
		all = append(all, line)
	}
	return all, rows.Err()
}
