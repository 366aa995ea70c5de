// Command weave is the developers' program: it makes what follows from the
// schema. The service that is made, and an operator of it, do without.
//
// One file for each command. It links nothing that is generated and no
// service, so that it compiles from a tree in which all of that is missing.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, &process{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr}, os.Args[1:])
	stop()
	os.Exit(code)
}

// commands are the commands of weave, in the order of its help.
func commands() []command {
	return []command{
		newCommand(), adoptCommand(), portCommand(), devCommand(), generateCommand(), upgradeCommand(), checkCommand(), clientCommand(),
		migrateDiffCommand(), migrateVerifyCommand(), migrateLintCommand(), migrateHashCommand(), migrateRebaseCommand(), migrateContractCommand(), migrateTryCommand(),
		migrateDownCommand(), mergeCommand(), adviseCommand(),
	}
}
