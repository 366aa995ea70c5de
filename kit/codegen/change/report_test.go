package change_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/entwine-go/entwine/kit/codegen/change"
)

func report(t *testing.T, found []change.Finding, s change.Style) string {
	t.Helper()
	var b strings.Builder
	if err := change.Report(&b, found, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// A report says the same in terminals of any width, and nothing is wider.
func TestReportFitsTheTerminal(t *testing.T) {
	t.Parallel()
	var found []change.Finding
	for _, c := range corpus() {
		found = append(found, c.judged(t)...)
	}
	words := func(width int) []string {
		return strings.Fields(report(t, found, change.Style{Width: width, Ways: true}))
	}
	for _, width := range []int{60, 80, 100, 119, 120, 200} {
		for line := range strings.Lines(report(t, found, change.Style{Width: width, Ways: true})) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > width {
				t.Errorf("%d columns of %d: %s", n, width, line)
			}
		}
	}
	if narrow, wide := len(words(60)), len(words(119)); narrow != wide {
		t.Errorf("%d words in a narrow terminal and %d in a wide one", narrow, wide)
	}
}

// The common part of several findings is printed once, with the time left to the
// sunset date that clients got.
func TestReportDoesNotRepeatItself(t *testing.T) {
	t.Parallel()
	found := []change.Finding{gone("Post.a"), gone("Post.b")}
	for i := range found {
		found[i].Way, found[i].Command = "deprecate it", "weave check --accept field-dropped"
	}
	found[1].Sunset = "2026-12-01"
	said := report(t, found, change.Style{Width: 100, Ways: true, Day: day})
	if strings.Count(said, "safe: deprecate it") != 1 || strings.Contains(said, "with:") {
		t.Errorf("it repeats itself:\n%s", said)
	}
	if !strings.Contains(said, "ends: it was announced to clients that they have it until 2026-12-01, 9 days from now") {
		t.Errorf("it does not say how long is left:\n%s", said)
	}
}

func TestReportIsColoredWhereThatIsWanted(t *testing.T) {
	t.Parallel()
	found := []change.Finding{gone("Post.a"), gone("Post.b")}
	found[1].Accepted = true
	plain := report(t, found, change.Style{Width: 80})
	if strings.Contains(plain, "\x1b") {
		t.Errorf("there are colors in %q", plain)
	}
	colored := report(t, found, change.Style{Width: 80, Color: true})
	if !strings.Contains(colored, "\x1b[1;31mbreaks\x1b[0m ") || !strings.Contains(colored, "\x1b[33maccepted\x1b[0m ") {
		t.Errorf("the colors are %q", colored)
	}
	const want = "breaks    field-dropped  Post.a: . Breaks: REST\naccepted  field-dropped  Post.b: . Breaks: REST\n\n" +
		"SQL: safe, OpenAPI: breaks (1), SDL: safe, cursors: safe, job arguments: safe,\nevent payloads: safe, permission matrix: safe.\n"
	if plain != want {
		t.Errorf("the report is\n%s\nwant\n%s", plain, want)
	}
}
