package main

import (
	"flag"
	"fmt"
	"io"
	"strings"
)

// help explains weave, or a command.
func help(w io.Writer, topic []string) error {
	if len(topic) == 0 {
		return overview(w)
	}
	if c, _, ok := find(topic); ok {
		return c.help(w)
	}
	return helpGroup(w, topic[0])
}

func overview(w io.Writer) error {
	var b strings.Builder
	b.WriteString(`weave makes a backend from one schema: Ent's code, REST, GraphQL and what they read by.

Commands:
`)
	for _, c := range commands() {
		fmt.Fprintf(&b, "  %-34s %s\n", c.usage(), c.summary)
	}
	b.WriteString(`
  weave help COMMAND    what a command does, and its flags
`)
	_, err := io.WriteString(w, b.String())
	return err
}

// helpGroup lists the commands that begin with a word.
func helpGroup(w io.Writer, word string) error {
	found := false
	for _, c := range commands() {
		if strings.HasPrefix(c.name, word+" ") {
			found = true
			fmt.Fprintf(w, "  weave %-34s %s\n", c.usage(), c.summary)
		}
	}
	if !found {
		return usagef("there is no command %q: weave help lists them", word)
	}
	return nil
}

func (c command) usage() string { return strings.TrimSpace(c.name + " " + c.args) }

func (c command) help(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, "weave %s\n\n%s\n", c.usage(), c.summary)
	if c.about != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(c.about))
	}
	b.WriteString("\nFlags:\n")
	c.flagSet(&process{}).VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" {
			usage += " Default " + f.DefValue
		}
		fmt.Fprintf(&b, "  %-24s %s\n", strings.TrimSpace("--"+f.Name+" "+strings.ToUpper(value)), usage)
	})
	_, err := io.WriteString(w, b.String())
	return err
}
