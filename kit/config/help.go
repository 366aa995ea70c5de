package config

import (
	"fmt"
	"io"
	"strings"
)

// Help writes every setting of the program with its meaning.
func (p Program) Help(w io.Writer) error {
	var b strings.Builder
	b.WriteString("Each setting is a flag, a variable of the environment, or a line of the file that\n" +
		"ENTWINE_CONFIG names; the first of these that is there counts. A setting marked with\n" +
		"a * is secret: NAME_FILE in the environment may name a file that holds it.\n")
	group := ""
	for _, s := range table(new(Config)) {
		if s.group != "" {
			group = s.group
		}
		if group == payments && !p.Payments {
			continue
		}
		if s.group != "" {
			fmt.Fprintf(&b, "\n%s:\n", s.group)
			continue
		}
		name := s.name
		if s.secret {
			name += "*"
		}
		fmt.Fprintf(&b, "  %-40s %s\n", "--"+s.flag()+" "+s.value, name)
		help := s.help
		if s.initial != "" {
			help += " Default " + s.initial + "."
		}
		for _, line := range wrap(strings.ReplaceAll(help, "$0", p.Name), 78) {
			fmt.Fprintf(&b, "      %s\n", line)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// wrap breaks text into lines of at most width characters.
func wrap(text string, width int) []string {
	var lines []string
	line := ""
	for word := range strings.FieldsSeq(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines = append(lines, line)
			line = ""
		}
		if line != "" {
			line += " "
		}
		line += word
	}
	return append(lines, line)
}
