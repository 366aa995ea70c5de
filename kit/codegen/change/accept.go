package change

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"
)

// AcceptedFile is where a module writes down what is meant, beside its
// migrations.
const AcceptedFile = "migrate/accepted.txt"

const acceptedHeader = `# What breaks and is meant, as weave check --accept and weave migrate diff --accept
# write it down: the day, the code, and what it is about. A line holds until the
# release that it goes into: against a later tag it counts no longer.
`

// Accepted are findings that are meant: a line of [AcceptedFile] for each.
type Accepted []string

// ReadAccepted reads what is meant: nothing where there is no such file.
func ReadAccepted(text string) (all Accepted) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return all
}

// Since leaves out what was meant in an earlier release.
func (a Accepted) Since(earlier Accepted) Accepted {
	return slices.DeleteFunc(slices.Clone(a), func(line string) bool { return slices.Contains(earlier, line) })
}

// has reports whether the finding is meant: its code and its subject are.
func (a Accepted) has(f Finding) bool {
	return slices.ContainsFunc(a, func(line string) bool {
		_, rest, _ := strings.Cut(line, " ")
		return rest == about(f)
	})
}

func about(f Finding) string { return f.Code + " " + f.What }

// Mark says of the findings which are meant: those that are written down, and
// those that have one of the codes. It returns the lines that are to be written
// down, and the codes that no finding has.
func Mark(found []Finding, written Accepted, codes []string, day time.Time) (lines Accepted, unused []string) {
	unused = slices.Clone(codes)
	for i := range found {
		f := &found[i]
		now := slices.Contains(codes, f.Code)
		unused = slices.DeleteFunc(unused, func(code string) bool { return code == f.Code })
		f.Accepted = f.Verdict == Breaks && (now || written.has(*f))
		line := day.Format(time.DateOnly) + " " + about(*f)
		if now && f.Verdict == Breaks && !written.has(*f) && !slices.Contains(lines, line) {
			lines = append(lines, line)
		}
	}
	return lines, unused
}

// Refused are the findings that break something and are not meant.
func Refused(found []Finding) (all []Finding) {
	for _, f := range found {
		if f.Verdict == Breaks && !f.Accepted {
			all = append(all, f)
		}
	}
	return all
}

// Append writes the lines down.
func (a Accepted) Append(path string) (err error) {
	if len(a) == 0 {
		return nil
	}
	_, err = os.Stat(path)
	fresh := errors.Is(err, fs.ErrNotExist)
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	w := bufio.NewWriter(file)
	if fresh {
		fmt.Fprint(w, acceptedHeader)
	}
	for _, line := range a {
		fmt.Fprintln(w, line)
	}
	return w.Flush()
}
