// Package bench measures what a request costs, whole: the CPU of the server's
// process and of the database's, and the server's allocations.
//
// Each scenario runs against entwine and against a floor in the same run: a
// net/http handler written by hand on the same driver, with prepared
// statements, one optimal statement and JSON appended by hand, without
// authentication, validation or policies. Figures are given in multiples of
// the floor. `make bench` runs it.
//
// With rounds of the floor and of entwine in turn, medians of nine, on a
// machine that others used too, and with 24 MiB of headroom for garbage (what
// GOGC=190 makes of the 6 that entwine serve has; it costs more with these):
//
//	                    PostgreSQL             SQLite
//	                    floor  REST  GraphQL   floor  REST  GraphQL
//	get one             229 µs 1.36  1.62      155 µs 1.55  1.68
//	list 20 with total  403 µs 1.29  1.42      380 µs 0.98  1.07
//	cursor page, deep   396 µs 1.24  1.34      473 µs 0.95  1.03
//	nested              812 µs    -  1.43      738 µs    -  1.21
//	create a comment    797 µs 1.33     -      460 µs 1.24     -
package bench
