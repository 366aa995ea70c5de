package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/entwine-go/entwine/kit/runtime/config"
)

// command is something that entwine can do.
type command struct {
	name    string // "user create"
	args    string // what follows the flags: "NAME EMAIL"
	summary string
	about   string // more, for its own help
	// flags adds the flags that only this command has.
	flags func(fs *flag.FlagSet)
	plain bool // it needs no settings, so it works where they are wrong
	lasts bool // it runs until it is told to stop: what it says is its log
	run   func(ctx context.Context, p *process, args []string) error
}

// errUsage says that a command was called in a way that it can't be.
var errUsage = errors.New("wrong usage")

func usagef(format string, args ...any) error {
	return fmt.Errorf("%w: "+format, append([]any{errUsage}, args...)...)
}

// run runs the command that args name and returns the process's exit code:
// 1 where it did not work, 2 where it was called wrongly.
func run(ctx context.Context, p *process, args []string) int {
	err := dispatch(ctx, p, args)
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errUsage):
		fmt.Fprintf(p.stderr, "entwine: %v\n", err)
		return 2
	}
	p.complain(err)
	return 1
}

// complain says why a command did not work: a person reads it, unless it is a
// line of a log that a program reads.
func (p *process) complain(err error) {
	if !p.lasts || p.config == nil || !p.config.Log.JSON {
		fmt.Fprintf(p.stderr, "entwine: %v\n", err)
		return
	}
	if refused, ok := errors.AsType[refusal](err); ok {
		p.log.Error("settings are refused", "findings", []string(refused))
		return
	}
	p.log.Error("entwine failed", "err", err)
}

func dispatch(ctx context.Context, p *process, args []string) error {
	if len(args) == 0 || args[0] == "help" || asksForHelp(args[0]) {
		return help(p.stdout, args[min(1, len(args)):])
	}
	if args[0] == "--version" {
		args = []string{"version"}
	}
	c, rest, ok := find(args)
	if !ok && asksForHelp(args[len(args)-1]) { // entwine migrate --help
		return help(p.stdout, args[:1])
	}
	if !ok {
		return usagef("there is no command %q: entwine help lists them", strings.Join(args, " "))
	}
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	settings := config.Flags(fs)
	if c.flags != nil {
		c.flags(fs)
	}
	args, err := parse(fs, rest)
	if err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return help(p.stdout, strings.Fields(c.name))
		}
		return usagef("%w: entwine help %s shows what there is", err, c.name)
	}
	if c.plain {
		return c.run(ctx, p, args)
	}
	p.lasts = c.lasts
	if err := p.configure(settings); err != nil {
		return err
	}
	return c.run(ctx, p, args)
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
func find(args []string) (command, []string, bool) {
	for _, c := range commands() {
		words := strings.Fields(c.name)
		if len(args) >= len(words) && strings.Join(args[:len(words)], " ") == c.name {
			return c, args[len(words):], true
		}
	}
	return command{}, nil, false
}

// wants returns an error unless there are as many arguments as there are names.
func wants(args []string, names ...string) error {
	if len(args) == len(names) {
		return nil
	}
	return usagef("it takes %d arguments (%s), not %d", len(names), strings.Join(names, " "), len(args))
}
