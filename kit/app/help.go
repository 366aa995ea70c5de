package app

import (
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/entwine-go/entwine/kit/config"
)

// help explains the program, its settings, or a command.
func (p *Process) help(topic []string) error {
	var b strings.Builder
	if err := p.service.explain(&b, topic); err != nil {
		return err
	}
	_, err := io.WriteString(p.Stdout, strings.ReplaceAll(b.String(), "$0", p.service.Name))
	return err
}

func (s *Service) explain(b *strings.Builder, topic []string) error {
	if len(topic) == 0 {
		s.overview(b)
		return nil
	}
	if topic[0] == "settings" {
		return s.settings().Help(b)
	}
	if c, _, ok := s.find(topic); ok {
		c.help(b)
		return nil
	}
	return s.helpGroup(b, topic[0])
}

// settings are those of the program.
func (s *Service) settings() config.Program {
	return config.Program{Name: s.Name, Payments: s.Payments}
}

func (s *Service) overview(b *strings.Builder) {
	if s.About != "" {
		fmt.Fprintf(b, "%s\n\n", s.About)
	}
	b.WriteString(`Try it:
  $0 serve

Commands:
`)
	for _, c := range s.commands() {
		fmt.Fprintf(b, "  %-34s %s\n", c.usage(), c.Summary)
	}
	b.WriteString(`
Every command takes every setting, as a flag (--addr :9000) or from the environment
(ENTWINE_ADDR=:9000).

  $0 help COMMAND    what a command does, and its own flags
  $0 help settings   all settings, with their defaults
`)
}

// helpGroup lists the commands that begin with a word: migrate, user, apikey.
func (s *Service) helpGroup(b *strings.Builder, word string) error {
	found := false
	for _, c := range s.commands() {
		if strings.HasPrefix(c.Name, word+" ") {
			found = true
			fmt.Fprintf(b, "  $0 %-34s %s\n", c.usage(), c.Summary)
		}
	}
	if !found {
		return Usagef("there is no command %q: %s help lists them", word, s.Name)
	}
	return nil
}

func (c Command) usage() string { return strings.TrimSpace(c.Name + " " + c.Args) }

func (c Command) help(b *strings.Builder) {
	fmt.Fprintf(b, "$0 %s\n\n%s\n", c.usage(), c.Summary)
	if c.About != "" {
		fmt.Fprintf(b, "\n%s\n", strings.TrimSpace(c.About))
	}
	fs := flag.NewFlagSet("", flag.ContinueOnError)
	if c.Flags != nil {
		c.Flags(fs)
		b.WriteString("\nFlags:\n")
	}
	fs.VisitAll(func(f *flag.Flag) {
		value, usage := flag.UnquoteUsage(f)
		if f.DefValue != "" && f.DefValue != "0" && f.DefValue != "false" {
			usage += " Default " + f.DefValue + "."
		}
		fmt.Fprintf(b, "  %-24s %s\n", strings.TrimSpace("--"+f.Name+" "+strings.ToUpper(value)), usage)
	})
	b.WriteString("\nIt also takes every setting: $0 help settings.\n")
}
