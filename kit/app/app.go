// Package app makes a program of a service.
//
// A [Service] is what is generated from a schema and what its developers wrote
// in Go beside it. [Main] is the program: it serves both APIs, does background
// work, keeps the database up to date, and has the commands that operators need,
// one file for each here. [Host] is what a process gives to the service's own
// code, and [Parts] what that gives back.
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
