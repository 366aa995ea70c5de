package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
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
	"github.com/entwine-go/entwine/kit/codegen/position"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
)

func checkCommand() command {
	against, uses, versions, asJSON, promised := "", "", "", false, false
	var codes []string
	return command{
		name:    "check",
		summary: "Fail where schema/ breaks the promises of a release.",
		about: `
It compares what the schemas, the jobs and the operations by hand promise with the contract of the
release, ` + contract.File + ` of its tag: a line for each change, with what it breaks and for whom, the safe
way, and the command that says that it is meant. Without --against it compares with the last commit,
and checks the schemas alone where there is none. Seven contracts are held: OpenAPI, the SDL of GraphQL,
SQL, cursors, arguments of jobs, payloads of events, and the permission matrix. Entities that the
manifest describes otherwise are named, for programs that are made from it.

What breaks and is meant is accepted by its code. That is written into ` + change.AcceptedFile + `, which is
committed and reviewed, and holds until the release that it goes into.

Before that it looks at what the project's own Go code imports: kit/gen is for generated code alone.
With --json mistakes are "problems", and changes "findings", each with file and line.`,
		flags: func(fs *flag.FlagSet) {
			fs.StringVar(&against, "against", "", "the `tag` of the release, or any commit: the last one without it.")
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
			if err := known(codes); err != nil {
				return err
			}
			named := cmp.Or(against, "HEAD")
			before, err := released(ctx, p, named)
			if errors.Is(err, errNone) && against == "" {
				before, err = nil, nil
			}
			if err != nil {
				return err
			}
			after, err := current(ctx, p)
			if asJSON && (err != nil || before == nil) {
				return writeProblems(p, against, err)
			}
			if err != nil || before == nil {
				return err
			}
			against = named
			j, err := judge(ctx, p, asked{against: against, uses: uses, versions: versions, codes: codes}, before, after.Contract)
			if err != nil {
				return err
			}
			if j.redescribed, err = redescribed(ctx, p, against, after.Manifest); err != nil {
				return err
			}
			if err := j.place(p); err != nil {
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

// current returns the declarations of the schemas, or the mistakes of the project.
func current(ctx context.Context, p *process) (codegen.Declaration, error) {
	if err := imports.Check(p.root); err != nil {
		return codegen.Declaration{}, err
	}
	return codegen.Declared(ctx, p.root)
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

// judgement has the findings of a comparison, and which of them are accepted.
type judgement struct {
	against string
	found   []change.Finding
	lines   change.Accepted
	// redescribed are the entities that the manifest describes otherwise.
	redescribed []string
}

// asked has the release to compare with, the file with counted uses, and the
// accepted codes.
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

// judge compares the contracts. Lines that were accepted before the release do not
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
	return e.Encode(map[string]any{
		"against": j.against, "problems": []problem{}, "contracts": contracts, "findings": found, "manifest": append([]string{}, j.redescribed...),
	})
}

// place gives each finding the file and the line of its declaration, of what is removed
// those of its entity.
func (j *judgement) place(p *process) error {
	index, err := position.Read(filepath.Join(p.root, "schema"))
	if err != nil {
		return err
	}
	for i := range j.found {
		f := &j.found[i]
		entity, member, _ := strings.Cut(f.What, ".")
		f.File, f.Line = placed(index.Find(entity, member, ""))
	}
	return nil
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
