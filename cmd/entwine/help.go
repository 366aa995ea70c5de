package main

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/entwine-go/entwine/kit/runtime/config"
)

// help explains entwine, its settings, or a command.
func help(w io.Writer, topic []string) error {
	if len(topic) == 0 {
		return overview(w)
	}
	if topic[0] == "settings" {
		return config.Help(w)
	}
	c, _, ok := find(topic)
	if !ok {
		return helpGroup(w, topic[0])
	}
	return c.help(w)
}

func overview(w io.Writer) error {
	var b strings.Builder
	b.WriteString(`entwine is a backend made from one schema: REST and GraphQL over PostgreSQL or SQLite.

Try it:
  entwine serve

Commands:
`)
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-34s %s\n", c.usage(), c.summary)
	}
	b.WriteString(`
Every command takes every setting, as a flag (--addr :9000) or from the environment
(ENTWINE_ADDR=:9000).

  entwine help COMMAND    what a command does, and its own flags
  entwine help settings   all settings, with their defaults
`)
	_, err := io.WriteString(w, b.String())
	return err
}

// helpGroup lists the commands that begin with a word: migrate, user, apikey.
func helpGroup(w io.Writer, word string) error {
	found := false
	for _, c := range commands() {
		if strings.HasPrefix(c.name, word+" ") {
			found = true
			fmt.Fprintf(w, "  entwine %-34s %s\n", c.usage(), c.summary)
		}
	}
	if !found {
		return usagef("there is no command %q: entwine help lists them", word)
	}
	return nil
}

func (c command) usage() string { return strings.TrimSpace(c.name + " " + c.args) }

func (c command) help(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "entwine %s\n\n%s\n", c.usage(), c.summary)
	if c.about != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(c.about))
	}
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	if c.flags != nil {
		c.flags(fs)
		b.WriteString("\nFlags:\n")
	}
	fs.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" {
			usage += " Default " + f.DefValue + "."
		}
		fmt.Fprintf(&b, "  %-24s %s\n", strings.TrimSpace("--"+f.Name+" "+strings.ToUpper(value)), usage)
	})
	b.WriteString("\nIt also takes every setting: entwine help settings.\n")
	_, err := io.WriteString(w, b.String())
	return err
}
