// Package bench measures what a request costs, whole: the CPU of the server's
// process and of the database's, and the server's allocations.
//
// Each scenario runs against entwine and against a floor in the same run: a
// net/http handler written by hand on the same driver, with prepared
// statements, one optimal statement and JSON appended by hand, without
// authentication, validation or policies. Figures are given in multiples of
// the floor. `make bench` runs it.
//
// The last run, alone on a machine of two slow cores (a figure is good to about
// a tenth):
//
//	                    PostgreSQL               SQLite
//	                    floor    REST  GraphQL   floor    REST  GraphQL
//	get one              385 µs  1.51  1.44       302 µs  1.23  1.62
//	list 20 with total   662 µs  1.26  1.33       767 µs  1.00  1.12
//	cursor page, deep    602 µs  1.36  1.40       893 µs  1.13  1.14
//	nested              1323 µs     -  1.51      1618 µs     -  1.26
//	create a comment    1286 µs  1.58     -      1081 µs  1.41     -
package bench
