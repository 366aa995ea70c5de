// Package bench measures what a request costs, whole: the CPU of the server's
// process and of the database's, and the server's allocations.
//
// Each scenario runs against entwine and against a floor in the same run: a
// net/http handler written by hand on the same driver, with prepared
// statements, one optimal statement and JSON appended by hand, without
// authentication, validation or policies. Figures are given in multiples of
// the floor. `make bench` runs it.
package bench
