package browser_test

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
)

// TestThePagesInABrowser opens /, the reference and GraphiQL on a phone and on
// a desktop, dark and light, and uses them; and calls both APIs from a page of
// another port, as who develops a front end does.
func TestThePagesInABrowser(t *testing.T) {
	t.Parallel()
	browser := nodetest.Chromium(t)
	dir := nodetest.Folder(t, "testdata/browser")
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)
	nodetest.Run(t, dir, "node", "pages.mjs", s.URL, browser, trial.AdminPassword)
}

// TestTheConsoleInABrowser uses the console as a person does: it signs in, lists, filters,
// makes, changes and acts, at three widths, dark and light. Each view has to pass axe-core,
// and neither log an error nor break its Content-Security-Policy, with scripts in the rows.
func TestTheConsoleInABrowser(t *testing.T) {
	t.Parallel()
	browser := nodetest.Chromium(t)
	dir := nodetest.Folder(t, "testdata/browser")
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_RATE_LIMIT=off")
	nodetest.Run(t, dir, "node", "console.mjs", s.URL, browser, trial.AdminPassword)
}

// TestTasksByMouseAndByKeyboard does everything that the console is for, by mouse and again by
// the keyboard alone, at three widths, dark and light, and counts the clicks of what a person
// wants to do first. One service keeps its mails; the mails of the other fail, so that jobs wait.
func TestTasksByMouseAndByKeyboard(t *testing.T) {
	t.Parallel()
	browser := nodetest.Chromium(t)
	dir := nodetest.Folder(t, "testdata/browser")
	for _, width := range []string{"390", "820", "1440"} {
		t.Run(width, func(t *testing.T) {
			t.Parallel()
			s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_RATE_LIMIT=1000000/1h")
			failing := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_RATE_LIMIT=off", "ENTWINE_SMTP_URL=smtp://127.0.0.1:1")
			t.Log(nodetest.Run(t, dir, "node", "tasks.mjs", s.URL, browser, trial.AdminPassword, failing.URL, width))
		})
	}
}

// TestThePermissionsShownAreThoseOfTheAPI reads the console's page of permissions as every
// caller, and compares it with what the API answers each (TestPermissions of package
// permissions keeps that table), and with what each may do with each kind of row
// (TestPolicies of package schema keeps that one).
func TestThePermissionsShownAreThoseOfTheAPI(t *testing.T) {
	t.Parallel()
	browser := nodetest.Chromium(t)
	dir := nodetest.Folder(t, "testdata/browser")
	table, err := filepath.Abs("../permissions/testdata/rest.txt")
	if err != nil {
		t.Fatal(err)
	}
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_RATE_LIMIT=off")
	policies, err := filepath.Abs("../../../schema/policies_test.go")
	if err != nil {
		t.Fatal(err)
	}
	t.Log(nodetest.Run(t, dir, "node", "permissions.mjs", s.URL, browser, trial.AdminPassword, table, policies))
}

// TestTheConsoleSpeaksLanguages reads the console in German and mirrored, from right to
// left, with every text that the console has of its own.
func TestTheConsoleSpeaksLanguages(t *testing.T) {
	t.Parallel()
	browser := nodetest.Chromium(t)
	dir := nodetest.Folder(t, "testdata/browser")
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_RATE_LIMIT=off")
	nodetest.Run(t, dir, "node", "texts.mjs", s.URL, browser, trial.AdminPassword)
}

// TestHostileTextsInABrowser puts 300 payloads into texts and names of files, and looks at
// every page that shows such: none is executed, and the policy of the page refuses nothing.
func TestHostileTextsInABrowser(t *testing.T) {
	t.Parallel()
	browser := nodetest.Chromium(t)
	dir := nodetest.Folder(t, "testdata/browser")
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_RATE_LIMIT=off")
	nodetest.Run(t, dir, "node", "hostile.mjs", s.URL, browser, trial.AdminPassword)
}

var pictures = flag.String("pictures", "", "the folder into which TestPictures takes pictures of the pages: make screenshots names one")

// TestPictures takes pictures of every page over invented rows, at three widths, dark and
// light, for a person to look at.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("takes pictures where -args -pictures names a folder: make screenshots")
	}
	t.Parallel()
	if err := os.MkdirAll(*pictures, 0o755); err != nil {
		t.Fatal(err)
	}
	browser := nodetest.Chromium(t)
	dir := nodetest.Folder(t, "testdata/browser")
	data := trial.Folder(t)
	s := trial.StartIn(t, data, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword, "ENTWINE_RATE_LIMIT=off")
	trial.MustRun(t, data, "seed", "--users=200", "--posts=300", "--comments=900", "--products=80", "--others=30") // the first admin is made where there is no user
	nodetest.Run(t, dir, "node", "pictures.mjs", s.URL, browser, trial.AdminPassword, *pictures)
}
