package main

import "runtime"

// headroom is how much memory a process may use beyond what it would, for
// collecting garbage less often. What lives is little, and Go collects when as
// much again was allocated: every few hundred requests, at a quarter of what
// these cost.
const headroom = 6 << 20

// roomy runs fn with an object on the heap that is never touched, so that it
// takes no memory itself, and is counted where Go decides when to collect.
// GOGC scales it like all that lives.
func roomy(fn func() error) error {
	ballast := make([]byte, headroom)
	err := fn()
	runtime.KeepAlive(ballast)
	return err
}
