package trial

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/internal/recording"
	"github.com/entwine-go/entwine/kit/store"
)

// Report has the results of a trial.
type Report struct {
	// Dialect is that of the database, Pending the migrations that were tried, and Err why
	// they can't be applied.
	Dialect store.Dialect
	Pending []string
	Err     error
	Files   []File
	Tables  []Table

	Asked                           []recording.Request
	Before, Beside, Afterwards, New []Answer
	Meanwhile                       Load
}

// Failure is a request that a migration has fail.
type Failure struct {
	// Request is its method and path, without ids, and By the program that failed.
	Request, By string
	// Was and Is are the statuses of the answers, Is 0 where there was none.
	Was, Is int
	Times   int
	Cause   string
}

// Failures are the requests that fail and did not before, those that are asked most first.
func (r *Report) Failures() (all []Failure) {
	add := func(by string, i int, is Answer) {
		f := Failure{Request: named(r.Asked[i]), By: by, Was: r.Before[i].Status, Is: is.Status}
		at := slices.IndexFunc(all, func(of Failure) bool {
			return of.Request == f.Request && of.By == f.By && of.Was == f.Was && of.Is == f.Is
		})
		if at < 0 {
			at = len(all)
			all = append(all, f)
		}
		all[at].Times++
		if all[at].Cause = cmp.Or(all[at].Cause, is.Cause); all[at].Cause == "" && is.logged != nil {
			all[at].Cause = is.logged()
		}
	}
	for i, was := range r.Before {
		if was.Failed() {
			continue
		}
		for _, is := range r.Meanwhile.Failures[i] {
			add("the program before, meanwhile", i, is)
		}
		for _, of := range []struct {
			by    string
			all   []Answer
			alone bool // nothing else is asked meanwhile, so that answers can be compared
		}{
			{"the new program, beside the one before", r.Beside, false},
			{"the program before, afterwards", r.Afterwards, true},
			{"the new program", r.New, true},
		} {
			if i < len(of.all) && (of.all[i].Failed() || of.alone && of.all[i].Status != was.Status) {
				add(of.by, i, of.all[i])
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Failure) int { return b.Times - a.Times })
	return all
}

var ids = regexp.MustCompile(`/[0-9]+|/[0-9a-f]{8}-[0-9a-f-]{27}`)

// named is the name of a request: its method and path, or the operation of GraphQL.
func named(r recording.Request) string {
	path, _, _ := strings.Cut(r.URL, "?")
	if path == "/graphql" {
		return "GraphQL " + operation(r.Body)
	}
	return r.Method + " " + ids.ReplaceAllString(path, "/{id}")
}

var spaces = regexp.MustCompile(`\\n|\s+`)

// operation is the beginning of a document.
func operation(body []byte) string {
	_, text, _ := strings.Cut(string(body), `"query":"`)
	text = spaces.ReplaceAllString(text, " ")
	if runes := []rune(text); len(runes) > longestShown {
		return string(runes[:longestShown]) + "…"
	}
	return strings.TrimSuffix(text, `"}`)
}

// Write writes the report for people.
func (r *Report) Write(w io.Writer) {
	for _, f := range r.Files {
		r.file(w, f)
	}
	if r.Err != nil {
		fmt.Fprintf(w, "\nThe migrations can't be applied: %v\n", r.Err)
	}
	if len(r.Tables) > 0 {
		fmt.Fprintln(w, "\nRows")
		for _, t := range r.Tables {
			t.write(w)
		}
	}
	r.requests(w)
}

func (r *Report) file(w io.Writer, f File) {
	fmt.Fprintf(w, "\n%s took %s\n", f.Name, round(f.Took))
	for _, s := range f.Statements {
		text, _, _ := strings.Cut(s.Text, "\n")
		if len(text) > 100 {
			text = text[:100] + "…"
		}
		times := ""
		if s.Times > 1 {
			times = fmt.Sprintf(" in %d batches, the longest %s", s.Times, round(s.Longest))
		}
		fmt.Fprintf(w, "  %8s%s  %s\n", round(s.Took), times, text)
	}
	for _, l := range f.Locks {
		waited := ""
		if l.Waited > 0 {
			waited = fmt.Sprintf(", for which up to %d others waited", l.Waited)
		}
		fmt.Fprintf(w, "  %s of %s was held for %s%s\n", l.Mode, l.Table, round(l.Held), waited)
	}
	if r.Dialect.SingleWriter() {
		fmt.Fprintf(w, "  nothing else was written meanwhile: %s has one writer\n", r.Dialect.Title())
	}
}

func (t Table) write(w io.Writer) {
	name := t.Name
	if t.Was != "" {
		name = t.Was + ", called " + t.Name + " now"
	}
	switch {
	case t.Before < 0:
		fmt.Fprintf(w, "  %s is new, with %d rows\n", name, t.After)
		return
	case t.After < 0:
		fmt.Fprintf(w, "  %s goes, with %d rows\n", name, t.Before)
		return
	}
	fmt.Fprintf(w, "  %s: %d rows before, %d after", name, t.Before, t.After)
	if t.Compared > 0 {
		fmt.Fprintf(w, "; of %d that were compared %d changed, %d are gone, %d are new", t.Compared, t.Changed, t.Gone, t.New)
	}
	fmt.Fprintln(w)
	for _, c := range t.Removed {
		fmt.Fprintf(w, "    %s goes, with the values of %d rows\n", c.Name, c.Values)
	}
	for _, c := range t.Added {
		fmt.Fprintf(w, "    %s is new: %d rows have a value\n", c.Name, c.Values)
	}
	for _, s := range t.Samples {
		fmt.Fprintf(w, "    %s\n", s)
	}
}

func (r *Report) requests(w io.Writer) {
	if len(r.Asked) == 0 {
		fmt.Fprintln(w, "\nNo requests were asked: --requests names a file of ENTWINE_RECORD.")
		return
	}
	failed := 0
	for _, a := range r.Before {
		if a.Failed() {
			failed++
		}
	}
	fmt.Fprintf(w, "\nRequests\n  %d were asked. Before the migrations %d of them failed, and the slowest took %s\n", len(r.Asked), failed, round(slowest(r.Before)))
	fmt.Fprintf(w, "  meanwhile the program before was asked %d times, and the slowest took %s\n", r.Meanwhile.Asked, round(r.Meanwhile.Longest))
	if r.Afterwards != nil {
		fmt.Fprintf(w, "  afterwards the slowest took %s by the program before, and %s by the new one\n", round(slowest(r.Afterwards)), round(slowest(r.New)))
	}
	all := r.Failures()
	if len(all) == 0 {
		fmt.Fprintln(w, "  none failed that did not before")
	}
	for _, f := range all {
		is := fmt.Sprint(f.Is)
		if f.Is == 0 {
			is = "no answer"
		}
		fmt.Fprintf(w, "  %s: %d before, %s by %s, %s\n", f.Request, f.Was, is, f.By, times(f.Times))
		if f.Cause != "" {
			fmt.Fprintf(w, "    %s\n", f.Cause)
		}
	}
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprint(n, " times")
}

func slowest(all []Answer) (longest time.Duration) {
	for _, a := range all {
		longest = max(longest, a.Took)
	}
	return longest
}

func round(d time.Duration) time.Duration {
	if d < 10*time.Millisecond {
		return d.Round(100 * time.Microsecond)
	}
	return d.Round(time.Millisecond)
}
