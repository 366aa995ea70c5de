package clients_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
)

// The client is stores of Svelte and references of Vue, which follow lists and who is
// signed in, and say whether an action runs and why it was refused.
func TestTheClientInSvelteAndVue(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/todo")
	typed(t, dir, "client", "v1")
	bundled(t, dir, "stores.mts")
	if out := nodetest.Run(t, dir, "node", "bundle.mjs", trial.Start(t).URL); out != "shown\n" {
		t.Errorf("the program says %s", out)
	}
}

// A server renders the first page of a list, and the client goes on from there without
// reading it again; a list is a collection of TanStack DB, which writes by the client.
func TestAListOnAServerAndInACollection(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/todo")
	typed(t, dir, "client", "v1")
	nodetest.Run(t, dir, "tsc")
	bundled(t, dir, "server.mts")
	if out := nodetest.Run(t, dir, "node", "bundle.mjs", trial.Start(t).URL); out != "rendered\n" {
		t.Errorf("the program says %s", out)
	}
}

// bundled writes a program with what it imports into bundle.mjs, and returns that.
func bundled(t *testing.T, dir, program string) string {
	t.Helper()
	nodetest.Run(t, dir, "esbuild", program, "--bundle", "--format=esm", "--outfile=bundle.mjs", "--jsx=automatic", "--tsconfig-raw={}",
		"--alias:entwine-client/react=./client/react.js", "--alias:entwine-client/svelte=./client/svelte.js", "--alias:entwine-client/vue=./client/vue.js",
		"--alias:entwine-client/tanstack=./client/tanstack.js", "--alias:entwine-client=./client/dist/index.js", `--define:process.env.NODE_ENV="production"`)
	text, err := os.ReadFile(filepath.Join(dir, "bundle.mjs"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
