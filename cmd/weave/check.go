package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/codegen"
	"github.com/entwine-go/entwine/kit/codegen/change"
	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/imports"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
)

func checkCommand() command {
	against, uses, versions, asJSON, promised := "", "", "", false, false
	var codes []string
	return command{
		name:    "check",
		summary: "Fail where schema/ breaks what a release promised.",
		about: `
It compares what the schemas, the jobs and the operations by hand promise with the contract of the
release, ` + contract.File + ` of its tag: a line for each change, with what it breaks and for whom, the safe
way, and the command that says that it is meant. Seven contracts are held: OpenAPI, the SDL of GraphQL,
SQL, cursors, arguments of jobs, payloads of events, and the permission matrix. Entities that the
manifest describes otherwise are named, for programs that are made from it.

What breaks and is meant is accepted by its code. That is written into ` + change.AcceptedFile + `, which is
committed and reviewed, and holds until the release that it goes into.

Before that it looks at what the project's own Go code imports: kit/gen is for generated code alone.`,
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&against, "against", "", "the `tag` of the release, or any commit.")
			fs.BoolVar(&asJSON, "json", false, "write the findings as JSON.")
			fs.Func("accept", "the `code` of a change that is meant; may be repeated.", appendTo(&codes))
			fs.StringVar(&uses, "usage", "", usageHelp)
			fs.StringVar(&versions, "versions", offered, versionsHelp)
			fs.BoolVar(&promised, "contract", false, "print what schema/ promises now, and compare nothing.")
		},
		run: func(ctx context.Context, p *process, args []string) error {
			if err := wants(args); err != nil {
				return err
			}
			if promised {
				return printContract(ctx, p)
			}
			if against == "" {
				return usagef("say against which release: --against TAG")
			}
			if err := known(codes); err != nil {
				return err
			}
			if err := imports.Check(p.root); err != nil {
				return err
			}
			before, err := released(ctx, p, against)
			if err != nil {
				return err
			}
			after, err := codegen.Declared(ctx, p.root)
			if err != nil {
				return err
			}
			j, err := judge(ctx, p, asked{against: against, uses: uses, versions: versions, codes: codes}, before, after.Contract)
			if err != nil {
				return err
			}
			if j.redescribed, err = redescribed(ctx, p, against, after.Manifest); err != nil {
				return err
			}
			if err := j.write(p, asJSON); err != nil {
				return err
			}
			if err := j.accept(p); err != nil {
				return err
			}
			return j.refused()
		},
	}
}

// printContract prints what is promised now.
func printContract(ctx context.Context, p *process) error {
	c, err := codegen.Contract(ctx, p.root)
	if err != nil {
		return err
	}
	text, err := c.Encode()
	if err != nil {
		return err
	}
	_, err = p.stdout.Write(text)
	return err
}

// known returns an error unless the codes are those of changes.
func known(codes []string) error {
	for _, code := range codes {
		if !ofChange(code) {
			return usagef("no change has the code %q", code)
		}
	}
	return nil
}

// ofChange reports whether the code is one of a change, and not of a migration.
func ofChange(code string) bool {
	return slices.ContainsFunc(change.Kinds(), func(k change.Kind) bool { return k.Code == code })
}

// judgement is what a change does, and what of it is meant.
type judgement struct {
	against string
	found   []change.Finding
	lines   change.Accepted
	// redescribed are the entities that the manifest describes otherwise.
	redescribed []string
}

// asked is what a change is held against, where uses are counted, and what is meant.
type asked struct {
	against, uses, versions string
	codes                   []string
	// drops are the names of what goes with its values.
	drops []string
}

// offered are the versions of REST where nothing else is said.
const offered = "v1=main,v2=jsend"

const versionsHelp = "the `versions` of REST that are served, as ENTWINE_API_VERSIONS has them."

// versionsOf reads versions with their conventions.
func versionsOf(text string) (all []change.Version, err error) {
	for part := range strings.SplitSeq(text, ",") {
		name, set, _ := strings.Cut(part, "=")
		conventions, ok := apiversion.Sets()[set]
		if !ok {
			return nil, usagef("--versions %s: there are no conventions %q", part, set)
		}
		all = append(all, change.Version{Name: name, Camel: conventions.Names.AsGraphQL()})
	}
	return all, nil
}

// judge compares the contracts. What was accepted before the release does not
// count.
func judge(ctx context.Context, p *process, a asked, before, after *contract.Contract) (*judgement, error) {
	j := &judgement{against: a.against, found: change.Judge(before, after)}
	versions, err := versionsOf(a.versions)
	if err != nil {
		return nil, err
	}
	change.Each(j.found, versions)
	change.Removed(j.found, a.drops)
	if err := j.used(ctx, p, a.uses, before); err != nil {
		return nil, err
	}
	written, err := readIfThere(filepath.Join(p.root, change.AcceptedFile))
	if err != nil {
		return nil, err
	}
	earlier, err := show(ctx, p, a.against, change.AcceptedFile)
	if err != nil {
		return nil, err
	}
	var unused []string
	j.lines, unused = change.Mark(j.found, change.ReadAccepted(written).Since(change.ReadAccepted(earlier)), a.codes, time.Now().UTC())
	if len(unused) > 0 {
		return nil, usagef("no change here has the code %s", strings.Join(unused, " or "))
	}
	return j, nil
}

func (j *judgement) write(p *process, asJSON bool) error {
	if !asJSON {
		if err := change.Report(p.stdout, j.found, style(p.stdout)); err != nil {
			return err
		}
		return tellReaders(p, j.redescribed)
	}
	breaks, depends := change.Broken(j.found)
	contracts := map[string]change.Effect{}
	for _, name := range change.Contracts() {
		contracts[name] = change.Safe
		if depends[name] > 0 {
			contracts[name] = change.Depends
		}
		if breaks[name] > 0 {
			contracts[name] = change.Breaks
		}
	}
	found := j.found
	if found == nil {
		found = []change.Finding{}
	}
	e := json.NewEncoder(p.stdout)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(map[string]any{"against": j.against, "contracts": contracts, "findings": found, "manifest": append([]string{}, j.redescribed...)})
}

// accept writes down what is meant.
func (j *judgement) accept(p *process) error {
	return j.lines.Append(filepath.Join(p.root, change.AcceptedFile))
}

// refused is an error where something breaks that is not meant.
func (j *judgement) refused() error {
	left := change.Refused(j.found)
	if len(left) == 0 {
		return nil
	}
	if asked := change.Asked(left); len(asked) > 0 {
		var names []string
		for _, f := range asked {
			names = append(names, f.What)
		}
		return fmt.Errorf("%d %s what %s promised; say first of %s which of the two is meant", len(left), things(left), j.against, strings.Join(names, ", "))
	}
	var codes []string
	for _, f := range left {
		if flag := "--accept " + f.Code; !slices.Contains(codes, flag) {
			codes = append(codes, flag)
		}
	}
	return fmt.Errorf("%d %s what %s promised; go the safe way, or say that it is meant: %s", len(left), things(left), j.against, strings.Join(codes, " "))
}

func things(found []change.Finding) string {
	if len(found) == 1 {
		return "change breaks"
	}
	return "changes break"
}
