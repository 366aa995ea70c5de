// Command entwine is the service: it serves both APIs over one
// database, keeps that database up to date, and lets an operator make users
// and keys. Without a single setting, entwine serve is a service to try.
//
// This package wires the others together and holds nothing of its own: one
// file for each command.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, &process{stdout: os.Stdout, stderr: os.Stderr, environ: os.Environ()}, os.Args[1:])
	stop()
	os.Exit(code)
}

// commands are what entwine can do, in the order of its help.
func commands() []command {
	return []command{
		serveCommand(), workerCommand(),
		migrateUpCommand(), migrateStatusCommand(),
		userCreateCommand(), userListCommand(), userRoleCommand(),
		userPasswordCommand(), userDeactivateCommand(), userActivateCommand(), userDeleteCommand(),
		keyCreateCommand(), keyListCommand(), keyRotateCommand(), keyRevokeCommand(),
		tokenCommand(),
		schemaCommand(),
		documentAddCommand(), documentListCommand(), documentRemoveCommand(),
		jobListCommand(), jobShowCommand(), jobRetryCommand(), jobCancelCommand(), jobStatsCommand(),
		backupCommand(), restoreCommand(),
		adviseCommand(),
		seedCommand(),
		versionCommand(),
	}
}
