// Package app makes a program of a service: its commands, its servers and its workers.
//
// It is one package because its files are the commands, servers and workers of one
// program. Each is small, they share [Process] and [Host], and no other package calls
// them.
//
// A [Service] consists of the code that is generated from a schema and the Go code
// of its developers. [Main] is the program: it serves both APIs, does background
// work, keeps the database up to date, and has the commands that operators need,
// one file for each here. A process gives the service's own code a [Host], and
// gets its [Parts] back.
//
// The package puts the others of the kit together and holds nothing of its own.
// It knows no entity. doc/adr/0014-a-service-is-a-value.md says why it is cut so.
package app

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

// Main runs [Service.Run] with the arguments and the environment of the process, and
// ends the process with its exit code. SIGINT and SIGTERM end the context.
func Main(s *Service) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := s.Run(ctx, &Process{Stdout: os.Stdout, Stderr: os.Stderr, Environ: os.Environ()}, os.Args[1:])
	stop()
	os.Exit(code)
}
