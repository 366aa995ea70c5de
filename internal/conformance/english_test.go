package conformance_test

import (
	"bufio"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Comments of hand-written Go and pages of doc/ leave out words that make a reader stop
// (CONTRIBUTING.md, "English"): the subject of a sentence is a thing with a name. No sentence
// of a comment begins with a clause, and no definition is one.
func TestTextsAreInPlainEnglish(t *testing.T) {
	t.Parallel()
	files, comments := 0, 0
	for _, file := range handWritten(t) {
		files++
		lines := fileLines(t, file)
		for at, paragraph := range paragraphs(lines) {
			if clause := clauses.FindString(quoted.ReplaceAllString(paragraph, "")); clause != "" {
				t.Errorf("%s:%d says %q: begin with the name of the thing, and say what it is by a noun", file, at+1, clause)
			}
		}
		for at, line := range lines {
			_, comment, isComment := strings.Cut(line, "//")
			if !isComment {
				continue
			}
			comments++
			// A comment of a declaration begins with its name.
			if word := riddle(identifier.ReplaceAllString(comment, "")); word != "" {
				t.Errorf("%s:%d says %q: name the subject, or say the thing", file, at+1, word)
			}
		}
	}
	pages := markdown(t)
	for _, page := range pages {
		if strings.HasSuffix(page, "CHANGELOG.md") { // of releases that are out
			continue
		}
		for at, line := range strings.Split(prose(t, page), "\n") {
			if word := riddle(line); word != "" {
				t.Errorf("%s:%d says %q: name the subject, or say the thing", page, at+1, word)
			}
		}
	}
	if files < 1000 || comments < 5000 || len(pages) < 60 {
		t.Errorf("only %d files with %d comments and %d pages are read", files, comments, len(pages))
	}
}

var (
	riddles    = regexp.MustCompile(`\b(told|tells|whoever|nobody|plainly|as it is)\b`)
	measured   = regexp.MustCompile(`\bas (soon|long|often|far) as it is\b`)
	quoted     = regexp.MustCompile("\"[^\"]*\"|`[^`]*`|[A-Z_]+=\\S+")
	identifier = regexp.MustCompile(`^ (told|tells|nobody|plainly)\b`)
)

// clauses are a sentence that begins with a clause ("What is none is refused"), and a
// definition by one ("Answer is what an action answers with").
var clauses = regexp.MustCompile(`(?:^|[.] )(?:What|Who|Whom|Whose|Whatever) [a-z]\w*|(?:^|[.] )\w+(?:, \w+)*(?: and \w+)? (?:is|are|was|were) (?:what|who|whom|whose)\b`)

// paragraphs are the paragraphs of comments, by the index of their first line.
func paragraphs(lines []string) map[int]string {
	all, begun := map[int]string{}, -1
	for at, line := range lines {
		text, is := strings.CutPrefix(strings.TrimSpace(line), "// ")
		switch {
		case !is || strings.HasPrefix(text, " ") || strings.HasPrefix(text, "\t"):
			begun = -1
		case begun < 0:
			begun, all[at] = at, text
		default:
			all[begun] += " " + text
		}
	}
	return all
}

// riddle is the first word of the text that has none of the plain meanings.
func riddle(text string) string {
	return riddles.FindString(measured.ReplaceAllString(quoted.ReplaceAllString(text, ""), ""))
}

// handWritten are the Go files of the repository that no generator makes.
func handWritten(t *testing.T) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir("../..", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (strings.HasPrefix(entry.Name(), ".") && path != "../.." || entry.Name() == "node_modules"):
			return filepath.SkipDir
		case !strings.HasSuffix(path, ".go"):
			return nil
		}
		if head := fileLines(t, path); !slices.ContainsFunc(head[:min(len(head), 10)], func(line string) bool {
			return strings.HasPrefix(line, "// Code generated ")
		}) {
			files = append(files, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// fileLines are the lines of a file.
func fileLines(t *testing.T, path string) []string {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	var all []string
	scan := bufio.NewScanner(file)
	scan.Buffer(nil, 1<<22)
	for scan.Scan() {
		all = append(all, scan.Text())
	}
	if err := scan.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}
