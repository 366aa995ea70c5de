package database_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
)

// sequence has the steps of programs of three releases on one database.
type sequence struct {
	*testing.T
	r        *rand.Rand
	db       *store.DB
	releases []release
	// at is the release that the database is migrated to, programs the releases of those
	// that run, and ended is set when nothing is left for programs from before.
	at       int
	programs []int
	ended    bool
	tables   map[string]map[string]record // what must be there, by id
	next     int
	log      []string
}

// run deploys the releases one after another: a program of one starts when the database is
// migrated to it, and those from before end later, at random.
func (s *sequence) run() {
	s.tables = map[string]map[string]record{"authors": {}, "posts": {}}
	s.next = 1
	s.migrate()
	s.programs = []int{0}
	for range 2 {
		s.insertAuthor(0)
	}
	for s.writes(); s.at < 2; s.writes() {
		s.at++
		s.migrate()
		s.writes() // nothing of the new release runs yet
		s.programs = append(s.programs, s.at)
		s.writes()
		if s.r.IntN(2) == 0 {
			s.end()
		}
	}
	for len(s.programs) > 1 {
		s.end()
		s.writes()
	}
	s.at, s.ended = 3, true
	s.migrate()
	s.writes()
	s.check()
	if s.Failed() {
		s.Logf("after\n%s", strings.Join(s.log, "\n"))
	}
}

// end ends the program that has run longest.
func (s *sequence) end() {
	s.log = append(s.log, fmt.Sprint("the end of ", s.programs[0]))
	s.programs = s.programs[1:]
}

// migrate applies the release's migrations, which give rows that are there their values.
func (s *sequence) migrate() {
	s.log = append(s.log, fmt.Sprint("migrates to ", s.at))
	if err := apply(s.Context(), s.db, s.releases[s.at].root); err != nil {
		s.Fatalf("migrate: %v after\n%s", err, strings.Join(s.log, "\n"))
	}
	for _, g := range s.releases[s.at].changes {
		for _, row := range s.tables["posts"] {
			row["status"] = g.stored(row["status"])
		}
		for _, row := range s.tables[g.table] {
			if was, has := row[g.column]; !has || was == null {
				row[g.column] = g.given(row)
			}
		}
	}
}

// stored is the stored value of a status.
func (g gradual) stored(status string) string {
	if now := g.renamed[status]; now != "" {
		return now
	}
	return status
}

// changes are those of the releases up to one.
func (s *sequence) changes(upTo int) (all []gradual) {
	for _, r := range s.releases[:upTo+1] {
		all = append(all, r.changes...)
	}
	return all
}

// writes has programs write and read at random.
func (s *sequence) writes() {
	for range 3 + s.r.IntN(6) {
		program := s.programs[s.r.IntN(len(s.programs))]
		switch s.r.IntN(10) {
		case 0:
			s.insertAuthor(program)
		case 1, 2, 3:
			s.insertPost(program)
		case 4:
			s.remove()
		case 5, 6, 7, 8:
			s.update(program)
		default:
			s.read(program)
		}
	}
}

func (s *sequence) insertAuthor(program int) {
	n := strconv.Itoa(s.next)
	s.insert(program, "authors", record{"name": "name" + n, "email": "e" + n + "@example.com", "age": "30"})
}

func (s *sequence) insertPost(program int) {
	author := s.any("authors")
	s.insert(program, "posts", record{"title": "it's " + strconv.Itoa(s.next), "status": s.status(program), "price": s.price(), "author_id": author})
}

func (s *sequence) price() string { return strconv.Itoa(10 + s.r.IntN(180)) }

// status is one that the program knows.
func (s *sequence) status(program int) string {
	values := []string{"draft", "live", "dead"}
	for _, g := range s.changes(program) {
		if g.values != nil {
			values = g.values
		}
	}
	return values[s.r.IntN(len(values))]
}

// insert writes the columns that the program knows. Newer columns get their values from the
// database.
func (s *sequence) insert(program int, table string, row record) {
	row["id"] = strconv.Itoa(s.next)
	s.next++
	for _, g := range s.changes(program) {
		if g.table == table {
			row[g.column] = g.write(s.r, row)
		}
	}
	written := maps.Clone(row)
	s.settle(table, row)
	s.tables[table][row["id"]] = row
	columns := slices.Sorted(maps.Keys(written))
	var values []string
	for _, c := range columns {
		values = append(values, literal(written[c]))
	}
	s.exec(program, fmt.Sprintf("INSERT INTO %s (%s) VALUES (%s)", table, strings.Join(columns, ", "), strings.Join(values, ", ")))
}

// settle gives a row what its writer did not know.
func (s *sequence) settle(table string, row record) {
	for _, g := range s.changes(min(s.at, 2)) {
		if table == "posts" {
			row["status"] = g.stored(row["status"])
		}
		if _, has := row[g.column]; !has && g.table == table {
			row[g.column] = g.given(row)
		}
	}
}

// update writes some columns of a post that the program knows.
func (s *sequence) update(program int) {
	id := s.any("posts")
	if id == "" {
		return
	}
	row := s.tables["posts"][id]
	was, set := maps.Clone(row), record{}
	switch s.r.IntN(3) {
	case 0:
		set["title"] = "t" + strconv.Itoa(s.r.IntN(1000))
	case 1:
		set["status"] = s.status(program)
	default:
		set["price"] = s.price()
	}
	for _, g := range s.changes(program) {
		if g.table == "posts" && s.r.IntN(3) == 0 {
			now := maps.Clone(was)
			maps.Copy(now, set)
			set[g.column] = g.write(s.r, now)
		}
	}
	maps.Copy(row, set)
	for _, g := range s.changes(min(s.at, 2)) {
		row["status"] = g.stored(row["status"])
		if g.table == "posts" && g.follows && !s.ended && row[g.column] == was[g.column] && was[g.column] == g.given(was) {
			row[g.column] = g.given(row)
		}
	}
	var pairs []string
	for _, c := range slices.Sorted(maps.Keys(set)) {
		pairs = append(pairs, c+" = "+literal(set[c]))
	}
	s.exec(program, fmt.Sprintf("UPDATE posts SET %s WHERE id = %s", strings.Join(pairs, ", "), id))
}

func (s *sequence) remove() {
	if id := s.any("posts"); id != "" {
		delete(s.tables["posts"], id)
		s.exec(s.programs[0], "DELETE FROM posts WHERE id = "+id)
	}
}

// read has a program read the columns that it knows.
func (s *sequence) read(program int) {
	columns := []string{"id", "title", "status", "price", "author_id"}
	for _, g := range s.changes(program) {
		if g.table == "posts" {
			columns = append(columns, g.column)
		}
	}
	s.compare("posts", columns)
}

// any is the id of a row.
func (s *sequence) any(table string) string {
	ids := slices.Sorted(maps.Keys(s.tables[table]))
	if len(ids) == 0 {
		return ""
	}
	return ids[s.r.IntN(len(ids))]
}

func literal(value string) string {
	if value == null {
		return "NULL"
	}
	if _, err := strconv.Atoi(value); err == nil {
		return value
	}
	return "'" + strings.ReplaceAll(value, "'", "''") + "'"
}

func (s *sequence) exec(program int, statement string) {
	s.log = append(s.log, fmt.Sprintf("%d: %s", program, statement))
	if _, err := s.db.ExecContext(s.Context(), statement); err != nil {
		s.Fatalf("a program of release %d: %v after\n%s", program, err, strings.Join(s.log, "\n"))
	}
}

// compare compares rows with what they must be.
func (s *sequence) compare(table string, columns []string) {
	s.Helper()
	var texts []string
	for _, c := range columns {
		texts = append(texts, "coalesce(CAST("+c+" AS text), 'null')")
	}
	got := strings.Split(read(s.T, s.db, fmt.Sprintf("SELECT %s || '|' FROM %s ORDER BY id", strings.Join(texts, " || ';' || "), table)), "|")
	ids := slices.SortedFunc(maps.Keys(s.tables[table]), func(a, b string) int {
		n, _ := strconv.Atoi(a)
		m, _ := strconv.Atoi(b)
		return n - m
	})
	for i, id := range ids {
		var want []string
		for _, c := range columns {
			want = append(want, s.tables[table][id][c])
		}
		if i >= len(got) || strings.TrimSpace(got[i]) != strings.Join(want, ";") {
			s.Fatalf("%s (%s): %q, want %q, after\n%s", table, strings.Join(columns, ";"), got, want, strings.Join(s.log, "\n"))
		}
	}
	if len(got) != len(ids)+1 {
		s.Errorf("%s has %d rows, want %d", table, len(got)-1, len(ids))
	}
}

// check compares everything, and asks for what must not be there.
func (s *sequence) check() {
	columns := map[string][]string{"authors": {"id", "name", "email", "age"}, "posts": {"id", "title", "status", "price", "author_id"}}
	for _, g := range s.changes(2) {
		if g.column != "" {
			columns[g.table] = append(columns[g.table], g.column)
		}
		if g.wrong != "" {
			if got := read(s.T, s.db, g.wrong); got != "" {
				s.Errorf("%s: %s", g.wrong, got)
			}
		}
	}
	for table, all := range columns {
		s.compare(table, all)
	}
}
