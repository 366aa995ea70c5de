// Package bench measures what a request costs, whole: the CPU of the server's
// process and of the database's, and the server's allocations.
//
// Each scenario runs against entwine and against a floor in the same run: a
// net/http handler written by hand on the same driver, with prepared
// statements, one optimal statement and JSON appended by hand, without
// authentication, validation or policies. Figures are given in multiples of
// the floor. `make bench` runs it.
//
// With rounds of the floor and of entwine in turn, medians, on a machine that
// others used too (which is worth a tenth either way); those on SQLite with
// 24 MiB of headroom in entwine serve, which now has 6:
//
//	                    PostgreSQL              SQLite
//	                    floor   REST  GraphQL   floor  REST  GraphQL
//	get one             233 µs  1.59  1.68      155 µs 1.55  1.68
//	list 20 with total  464 µs  1.24  1.47      380 µs 0.98  1.07
//	cursor page, deep   420 µs  1.24  1.45      473 µs 0.95  1.03
//	nested              1261 µs    -  1.40      738 µs    -  1.21
//	create a comment    867 µs  1.42     -      460 µs 1.24     -
package bench
