package change_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/change"
	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/graphql"
	"github.com/entwine-go/entwine/kit/codegen/openapi"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// changes is how many random changes outside judges are asked about.
const changes = 200

// outside are the findings of another tool about a change.
type outside struct{ ID, Text string }

// stricter are the kinds of which we say that they break, and an outside judge
// says nothing, with why.
var stricter = map[string]map[string]string{
	"REST": {
		"query-removed":       "a parameter that goes is a warning to it, since many services pass over what they do not know: this one refuses it",
		"hidden":              "what expand takes is described in words",
		"visibility-narrowed": "a document does not say who is answered with a property",
		"writable-narrowed":   "a property of a body stays, so that what was read can be sent back: a change of it is refused",
	},
	"GraphQL": {
		"visibility-narrowed": "a field that can be null stays as it is, and is null with an error for others",
		"writable-narrowed":   "a schema does not say who may set a field",
	},
}

// random is a change, what it does, and the documents after it.
type random struct {
	name, says string
	found      []change.Finding
}

// worst is the worst effect of the change on one of the APIs, and the kind that has it.
func (c random) worst(of func(*change.Effects) *change.Effect) (worst change.Effect, codes []string) {
	for _, f := range c.found {
		worst = max(worst, *of(&f.Effects))
		if *of(&f.Effects) == change.Breaks && !slices.Contains(codes, f.Code) {
			codes = append(codes, f.Code)
		}
	}
	return worst, codes
}

// The findings of oasdiff and GraphQL Inspector on the documents before and after a change
// agree with the findings on its declarations: nothing that breaks for them is safe. They
// see less than the declarations say, which is listed with the reason.
func TestOutsideJudgesFindNothingMore(t *testing.T) {
	if testing.Short() {
		t.Skip("has other programs judge hundreds of documents")
	}
	inspector := nodetest.Folder(t, "testdata/inspector")
	oasdiff := buildOasdiff(t)
	documents := t.TempDir()
	all := randomChanges(t, documents)
	for _, api := range []struct {
		name string
		of   func(*change.Effects) *change.Effect
		out  string
	}{
		{"REST", func(e *change.Effects) *change.Effect { return &e.REST }, mustRun(t, oasdiff, documents)},
		{"GraphQL", func(e *change.Effects) *change.Effect { return &e.GraphQL }, nodetest.Run(t, inspector, "node", "judge.mjs", documents)},
	} {
		var found map[string][]outside
		if err := json.Unmarshal([]byte(api.out), &found); err != nil {
			t.Fatalf("%v: %s", err, api.out)
		}
		both, ours := 0, 0
		for _, c := range all {
			worst, codes := c.worst(api.of)
			theirs := found[c.name]
			switch {
			case len(theirs) > 0 && worst == change.Safe:
				t.Errorf("%s: %s is called safe, but %s: %s", api.name, c.says, theirs[0].ID, theirs[0].Text)
			case len(theirs) > 0:
				both++
			case worst == change.Breaks:
				ours++
				for _, code := range codes {
					if stricter[api.name][code] == "" {
						t.Errorf("%s: %s is %s, and no outside judge says why", api.name, c.says, code)
					}
				}
			}
		}
		t.Logf("%s: of %d changes %d break for both, %d for us alone", api.name, len(all), both, ours)
	}
}

// buildOasdiff compiles the judge, which is a module of its own.
func buildOasdiff(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/oasdiff")); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"mod", "download"}, {"build", "-o", "oasdiff", "."}} {
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil && args[0] == "mod" {
			storetest.Missing(t, "modules", fmt.Errorf("%w: %s", err, out))
		} else if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	return filepath.Join(dir, "oasdiff")
}

func mustRun(t *testing.T, program string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), program, args...)
	cmd.Stderr = t.Output()
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v", program, err)
	}
	return string(out)
}

// randomChanges makes the changes, and writes the documents before and after
// them into the folder.
func randomChanges(t *testing.T, folder string) (all []random) {
	t.Helper()
	w := newWorld()
	w.Author.With(field.Int64("age").Default(0)) // which the APIs take, and int32 they do not
	w.files = nil                                // what is by hand is the same
	plain := w.declare(t)
	base, err := plain.copied().write(t.Context(), folder, "base")
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(22, 200))
	refused := 0
	for len(all) < changes {
		d := plain.copied()
		what := pick(r, mutations())(r, d)
		if what == "" {
			continue
		}
		name := fmt.Sprintf("%03d", len(all))
		after, err := d.write(t.Context(), folder, name)
		if err != nil { // the schemas are refused
			if refused++; refused > 10*changes {
				t.Fatalf("most changes are refused: %s: %v", what, err)
			}
			continue
		}
		all = append(all, random{name, what, change.Judge(base, after)})
	}
	return all
}

// write writes the documents of both APIs and returns the contract.
func (d *declared) write(ctx context.Context, folder, name string) (*contract.Contract, error) {
	api := &graphql.Schema{}
	m, err := d.model(api.Option())
	if err != nil {
		return nil, err
	}
	c, err := d.contract(ctx, m)
	if err != nil {
		return nil, err
	}
	document, err := openapi.Document(d.tree, m)
	if err != nil {
		return nil, err
	}
	sdl, err := api.Document(d.tree, m)
	if err != nil {
		return nil, err
	}
	if err := os.WriteFile(filepath.Join(folder, name+".json"), document, 0o600); err != nil {
		return nil, err
	}
	return c, os.WriteFile(filepath.Join(folder, name+".graphql"), []byte(sdl), 0o600)
}
