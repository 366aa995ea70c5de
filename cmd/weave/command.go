package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// command is something that weave can do.
type command struct {
	name    string // "migrate diff"
	args    string // what follows the flags: "NAME"
	summary string
	about   string // more, for its own help
	// flags adds the flags of the command.
	flags func(fs *flag.FlagSet)
	run   func(ctx context.Context, p *process, args []string) error
}

// process is the environment of a command: its input and output, and the module.
type process struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	root           string
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
	if err == nil {
		return 0
	}
	fmt.Fprintf(p.stderr, "weave: %v\n", err)
	if errors.Is(err, errUsage) {
		return 2
	}
	return 1
}

func dispatch(ctx context.Context, p *process, args []string) error {
	if len(args) == 0 || args[0] == "help" || asksForHelp(args[0]) {
		return help(p.stdout, args[min(1, len(args)):])
	}
	c, rest, ok := find(args)
	if !ok && asksForHelp(args[len(args)-1]) { // weave migrate --help
		return help(p.stdout, args[:1])
	}
	if !ok {
		return unknown(args)
	}
	args, err := parse(c.flagSet(p), rest)
	if err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return c.help(p.stdout)
		}
		return usagef("%w: weave help %s shows what there is", err, c.name)
	}
	return c.run(ctx, p, args)
}

// flagSet is the command's own flags, and those that every command has.
func (c command) flagSet(p *process) *flag.FlagSet {
	fs := flag.NewFlagSet(c.name, flag.ContinueOnError)
	fs.SetOutput(io.Discard)
	fs.StringVar(&p.root, "root", ".", "the `folder` of the module's go.mod.")
	if c.flags != nil {
		c.flags(fs)
	}
	return fs
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

// unknown refuses arguments that begin with no command. Where they begin with the first
// word of some, the error lists these.
func unknown(args []string) error {
	var group []string
	for _, c := range commands() {
		if strings.HasPrefix(c.name, args[0]+" ") {
			group = append(group, c.name)
		}
	}
	if len(group) == 0 {
		return usagef("there is no command %q: weave help lists them", strings.Join(args, " "))
	}
	return usagef("there is no command %q: %s are", strings.Join(args, " "), strings.Join(group, ", "))
}

// wants returns an error unless there are as many arguments as there are names.
func wants(args []string, names ...string) error {
	if len(args) == len(names) {
		return nil
	}
	if len(names) == 0 {
		return usagef("it takes no arguments: %s is one", args[0])
	}
	return usagef("it takes %s, not %d arguments", strings.Join(names, " "), len(args))
}
