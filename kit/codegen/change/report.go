package change

import (
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"
)

// Style is how a report is written.
type Style struct {
	// Width is that of the terminal in columns.
	Width int
	// Color marks verdicts.
	Color bool
	// Ways adds the safe way and the command to each finding.
	Ways bool
	// Day is the one of the report, from which the days to a sunset are counted.
	Day time.Time
}

var colors = map[Effect]string{Breaks: "\x1b[1;31m", Depends: "\x1b[33m", Safe: "\x1b[32m"}

func (s Style) paint(e Effect, text string) string {
	if !s.Color {
		return text
	}
	return colors[e] + text + "\x1b[0m"
}

// Report writes the findings, a line for each with what it does, and what they
// come to in each of the contracts.
func Report(w io.Writer, found []Finding, s Style) error {
	var b strings.Builder
	said := map[string]bool{}
	for _, f := range found {
		if f.Verdict != Safe && said[f.Way] { // it is the same for several
			f.Way = ""
		}
		if s.finding(&b, f); !f.Accepted && f.Asks == "" {
			said[f.Way] = true
		}
	}
	s.sum(&b, found)
	_, err := io.WriteString(w, b.String())
	return err
}

// verdict is the word that a line begins with.
func verdict(f Finding) string {
	if f.Accepted {
		return "accepted"
	}
	return f.Verdict.String()
}

func (s Style) finding(b *strings.Builder, f Finding) {
	head := fmt.Sprintf("%-8s  %s  %s", verdict(f), f.Code, f.What)
	felt := Felt(&f)
	color := f.Verdict
	if f.Accepted {
		color = Depends
	}
	line := head + ": " + f.Says
	if felt != "" {
		line += ". " + felt
	}
	if columns := fmt.Sprintf("%-8s  %-22s %-28s %s", verdict(f), f.Code, f.What, f.Says+dot(felt)); s.Width >= 120 {
		line = columns
	}
	for i, part := range wrap(line, s.Width, 10) {
		if i == 0 {
			word := verdict(f)
			part = s.paint(color, word) + part[len(word):]
		}
		fmt.Fprintln(b, part)
	}
	for _, text := range append(s.left(f), usedBy(f)...) {
		for _, part := range wrap(strings.Repeat(" ", 10)+text, s.Width, 16) {
			fmt.Fprintln(b, part)
		}
	}
	if f.Verdict == Safe || f.Accepted {
		return
	}
	if f.Asks != "" {
		s.question(b, f)
		return
	}
	if !s.Ways {
		return
	}
	if f.Way != "" {
		for _, part := range wrap(strings.Repeat(" ", 10)+"safe: "+f.Way, s.Width, 16) {
			fmt.Fprintln(b, part)
		}
	}
	if strings.Contains(f.Command, "--drop") && f.Verdict == Breaks { // codes alone are said of all at the end
		for _, part := range wrap(strings.Repeat(" ", 10)+"with: "+f.Command, s.Width, 16) {
			fmt.Fprintln(b, part)
		}
	}
}

// left says how long it is to the sunset date that clients got.
func (s Style) left(f Finding) []string {
	day, err := time.Parse(time.DateOnly, f.Sunset)
	switch days := int(day.Sub(s.Day.Truncate(24*time.Hour)).Hours() / 24); {
	case err != nil:
		return nil
	case s.Day.IsZero() || days <= 0:
		return []string{"ends: it was announced to clients that they have it until " + f.Sunset}
	default:
		return []string{fmt.Sprintf("ends: it was announced to clients that they have it until %s, %d days from now", f.Sunset, days)}
	}
}

// question asks which is meant, with a line to copy for each answer.
func (s Style) question(b *strings.Builder, f Finding) {
	lines := []string{"asks: " + f.Asks + " is new. Which is it?"}
	for _, a := range f.Answers {
		lines = append(lines, a.Means+": "+a.Line)
	}
	for _, line := range lines {
		for _, part := range wrap(strings.Repeat(" ", 10)+line, s.Width, 16) {
			fmt.Fprintln(b, part)
		}
	}
}

// usedBy says who used what goes.
func usedBy(f Finding) (lines []string) {
	switch {
	case !f.Asked:
		return nil
	case !f.Counted:
		return []string{"used: it was not deprecated, so its uses were not counted"}
	case len(f.Users) == 0:
		return []string{"used: by none in the last 90 days"}
	}
	for _, u := range f.Users {
		lines = append(lines, "used: by "+u.String())
	}
	return lines
}

func dot(felt string) string {
	if felt == "" {
		return ""
	}
	return ". " + felt
}

// Felt says by whom a change is felt: "Breaks: REST v1, GraphQL. Depends: cursors".
func Felt(f *Finding) string {
	var parts []string
	for _, is := range []struct {
		effect Effect
		word   string
	}{{Breaks, "Breaks: "}, {Depends, "Depends: "}} {
		var names []string
		for _, a := range Areas() {
			switch {
			case *a.Of(&f.Effects) != is.effect:
			case a.Name == "REST":
				names = append(names, f.in(is.effect))
			default:
				names = append(names, a.Name)
			}
		}
		if len(names) > 0 {
			parts = append(parts, is.word+strings.Join(names, ", "))
		}
	}
	return strings.Join(parts, ". ")
}

// Contracts are those that the findings are held against, in the order of reports.
func Contracts() (names []string) {
	for _, a := range Areas() {
		if len(names) == 0 || names[len(names)-1] != a.Contract {
			names = append(names, a.Contract)
		}
	}
	return names
}

// Broken says how many findings break each contract, and on how many it depends,
// those left out that are meant.
func Broken(found []Finding) (breaks, depends map[string]int) {
	breaks, depends = map[string]int{}, map[string]int{}
	for _, f := range found {
		worst := map[string]Effect{}
		for _, a := range Areas() {
			worst[a.Contract] = max(worst[a.Contract], *a.Of(&f.Effects))
		}
		for name, effect := range worst {
			switch {
			case effect == Breaks && !f.Accepted:
				breaks[name]++
			case effect != Safe:
				depends[name]++
			}
		}
	}
	return breaks, depends
}

func (s Style) sum(b *strings.Builder, found []Finding) {
	breaks, depends := Broken(found)
	var parts []string
	for _, name := range Contracts() {
		switch {
		case breaks[name] > 0:
			parts = append(parts, fmt.Sprintf("%s: breaks (%d)", name, breaks[name]))
		case depends[name] > 0:
			parts = append(parts, fmt.Sprintf("%s: depends (%d)", name, depends[name]))
		default:
			parts = append(parts, name+": safe")
		}
	}
	if len(found) > 0 {
		fmt.Fprintln(b)
	}
	for _, part := range wrap(strings.Join(parts, ", ")+".", s.Width, 0) {
		fmt.Fprintln(b, part)
	}
}

// wrap breaks a line between words, and begins the lines after the first so many
// columns in. Spaces within a line stay.
func wrap(line string, width, indent int) (lines []string) {
	for width > indent+20 && utf8.RuneCountInString(line) > width {
		runes := []rune(line)
		cut := width
		for cut > indent && runes[cut] != ' ' {
			cut--
		}
		if cut <= indent {
			break
		}
		lines = append(lines, strings.TrimRight(string(runes[:cut]), " "))
		line = strings.Repeat(" ", indent) + strings.TrimLeft(string(runes[cut:]), " ")
	}
	return append(lines, line)
}
