// Package bench measures what a request costs, whole: the CPU of the server's
// process and of the database's.
//
// Each scenario runs against entwine and against a floor in the same run: the
// server of folder floor, written by hand, which is a module of its own. 32
// connections ask at once. Figures are given in multiples of the floor.
//
//	make bench                 measures everything
//	make bench COMPARE=1       says what fell behind the baseline by more than a tenth
//	make bench BASELINE=1      makes the run the baseline, baseline.txt
//	go test ./internal/bench -run '^$' -bench 'Requests/postgres/one_user' -args -small
//
// The last measures one scenario over a twentieth of the rows. Command grown measures the cost
// of generating, building and starting a service with many entities. The aims beside the figures
// are those of the project. A comment has two floors: its own adds the event in the same
// statement (on SQLite in the same transaction), the bare one adds a comment alone.
//
// TestScale (make scale) measures over large tables of PostgreSQL what does not compare with a
// floor: see doc/operations/scale.md.
package bench
