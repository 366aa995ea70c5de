package app

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/usage"
)

// Command is something that a program can do. In its texts $0 stands for the
// program's name.
type Command struct {
	Name    string // "user create"
	Args    string // what follows the flags: "NAME EMAIL"
	Summary string // one line of the list of commands
	About   string // more, for its own help
	// Flags adds the flags that only this command has.
	Flags func(fs *flag.FlagSet)
	Plain bool // it reads no settings, so it works where they are wrong: Config and Log of its Process are nil
	Lasts bool // it runs until ctx ends: an error is a line of the log where that is JSON
	// Run gets the arguments behind the flags. An error is written to Stderr, and the
	// exit code is 1, or 2 for one of [Usagef].
	Run func(ctx context.Context, p *Process, args []string) error
}

// commands are the program's commands, in the order of its help. They are made
// anew each time, since their flags keep what is given.
func (s *Service) commands() []Command {
	all := []Command{
		serveCommand(), workerCommand(),
		migrateUpCommand(), migrateStatusCommand(), migrateCancelCommand(), migrateAtlasCommand(),
		schemaCommand(),
		documentAddCommand(), documentListCommand(), documentRemoveCommand(),
		jobListCommand(), jobShowCommand(), jobRetryCommand(), jobCancelCommand(), jobStatsCommand(),
		backupCommand(), restoreCommand(), drillCommand(), healthCommand(),
	}
	if slices.ContainsFunc(s.Entities, func(e *entity.Entity) bool { return e.Table == usage.Table }) {
		all = append(all, usageCommand())
	}
	if len(files.Targets(s.Entities)) > 0 {
		all = append(all, fileCheckCommand(), fileCollectCommand(), fileMoveCommand(), fileCopyCommand())
	}
	all = append(all, s.accountCommands()...)
	return append(append(all, s.Commands...), versionCommand())
}

// errUsage says that a command was called in a way that it can't be.
var errUsage = errors.New("wrong usage")

// Usagef returns an error, formatted as by fmt.Errorf, for a command that was called
// with wrong flags or arguments. The exit code is 2 then.
func Usagef(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errUsage}, args...)...)
}

// Run runs the command that args begin with and returns the exit code of the process:
// 0, or 1 where the command failed, or 2 where it was called with wrong flags or
// arguments or does not exist. Errors are written to p.Stderr.
func (s *Service) Run(ctx context.Context, p *Process, args []string) int {
	p.service = s
	err := dispatch(ctx, p, args)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errUsage):
		fmt.Fprintf(p.Stderr, "%s: %v\n", p.service.Name, err)
		return 2
	}
	if !p.gaveUp(err) {
		p.complain(err)
	}
	return 1
}

// complain says why a command did not work: a person reads it, unless it is a
// line of a log that a program reads.
func (p *Process) complain(err error) {
	if !p.lasts || p.Config == nil || !p.Config.Log.JSON {
		fmt.Fprintf(p.Stderr, "%s: %v\n", p.service.Name, err)
		return
	}
	if refused, ok := errors.AsType[refusal](err); ok {
		p.Log.Error("settings are refused", "findings", []string(refused))
		return
	}
	p.Log.Error(p.service.Name+" failed", "err", err)
}

func dispatch(ctx context.Context, p *Process, args []string) error {
	if len(args) == 0 || args[0] == "help" || asksForHelp(args[0]) {
		return p.help(args[min(1, len(args)):])
	}
	if args[0] == "--version" {
		args = []string{"version"}
	}
	c, rest, ok := p.service.find(args)
	if !ok && asksForHelp(args[len(args)-1]) { // notes migrate --help
		return p.help(args[:1])
	}
	if !ok {
		return p.service.unknown(args)
	}
	fs := flag.NewFlagSet(c.Name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	settings := config.Flags(fs)
	if c.Flags != nil {
		c.Flags(fs)
	}
	args, err := parse(fs, rest)
	if err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return p.help(strings.Fields(c.Name))
		}
		return Usagef("%w: %s help %s shows what there is", err, p.service.Name, c.Name)
	}
	if c.Plain {
		return c.Run(ctx, p, args)
	}
	p.lasts = c.Lasts
	if err := p.configure(settings); err != nil {
		return err
	}
	return c.Run(ctx, p, args)
}

// unknown refuses arguments that begin with no command. Where they begin with the first
// word of some, the error lists these.
func (s *Service) unknown(args []string) error {
	var group []string
	for _, c := range s.commands() {
		if strings.HasPrefix(c.Name, args[0]+" ") {
			group = append(group, c.Name)
		}
	}
	if len(group) == 0 {
		return Usagef("there is no command %q: %s help lists them", strings.Join(args, " "), s.Name)
	}
	return Usagef("there is no command %q: %s are", strings.Join(args, " "), strings.Join(group, ", "))
}

// parse parses flags wherever they stand and returns the other arguments.
func parse(fs *flag.FlagSet, rest []string) (args []string, err error) {
	for {
		if err := fs.Parse(rest); err != nil || fs.NArg() == 0 {
			return args, err
		}
		args, rest = append(args, fs.Arg(0)), fs.Args()[1:]
	}
}

func asksForHelp(arg string) bool { return arg == "-h" || arg == "--help" }

// find returns the command that args begin with, and the rest of args.
func (s *Service) find(args []string) (Command, []string, bool) {
	for _, c := range s.commands() {
		words := strings.Fields(c.Name)
		if len(args) >= len(words) && strings.Join(args[:len(words)], " ") == c.Name {
			return c, args[len(words):], true
		}
	}
	return Command{}, nil, false
}

// Wants returns an error of [Usagef] unless there are as many arguments as names, which
// the error lists.
func Wants(args []string, names ...string) error {
	if len(args) == len(names) {
		return nil
	}
	if len(names) == 0 {
		return Usagef("it takes no arguments: %s is one", args[0])
	}
	return Usagef("it takes %s, not %d arguments", strings.Join(names, " "), len(args))
}
