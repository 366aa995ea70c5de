// Package port moves schemas of Ent here: it reads a folder of them, makes the edits that
// follow by themselves, and lists with file and line what a person has to decide.
// Everything else of a file stays as its author wrote it.
//
// The tables stay those that Ent has made: foreign keys that edges name from now on keep
// the names of Ent's columns. All operations are closed to all but admins, until the
// schemas say otherwise.
package port

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Plan has the edits of a folder of schemas.
type Plan struct {
	// Files are the texts of the files, by their names.
	Files map[string][]byte
	// Edits say what was edited, and Decisions what is left to a person.
	Edits, Decisions []Note
}

// Note is about a line of a file that was read.
type Note struct {
	File string
	Line int
	Text string
}

// String is the note as compilers write theirs.
func (n Note) String() string { return fmt.Sprintf("%s:%d: %s", n.File, n.Line, n.Text) }

// Closed is the file that says who may do what with all that is ported.
const Closed = "ported.go"

const closed = `package schema

import "github.com/entwine-go/entwine/kit/policy"

// ported says who may do what with the rows of schemas that weave port has read: admins.
// An entity is opened in its own method Policy: policy.Anyone(), policy.SignedIn(),
// policy.Owner("user_id"). Package policy has the other rules.
var ported = policy.Rules{
	Read: policy.Roles("admin"),
	Verbs: policy.Verbs{
		policy.Create: policy.Roles("admin"), policy.Update: policy.Roles("admin"), policy.Delete: policy.Roles("admin"),
	},
}
`

// Read plans the move of the schemas in the folder. Entities get other names by as.
func Read(folder string, as map[string]string) (*Plan, error) {
	names, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		return nil, err
	}
	p := &porter{fset: token.NewFileSet(), types: map[string]*entity{}, as: as, plan: &Plan{Files: map[string][]byte{}}}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		parsed, err := parser.ParseFile(p.fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, &file{name: name, text: text, parsed: parsed, needs: map[string]bool{}})
	}
	if len(p.files) == 0 {
		return nil, fmt.Errorf("%s has no Go files: weave port ./ent/schema reads a folder of schemas of Ent", folder)
	}
	p.collect()
	if len(p.names) == 0 {
		return nil, fmt.Errorf("no type in %s embeds ent.Schema: weave port ./ent/schema reads a folder of schemas of Ent", folder)
	}
	for old := range as {
		if !slices.Contains(p.names, old) {
			return nil, fmt.Errorf("%s has no entity %s to call %s: it has %s", folder, old, as[old], strings.Join(p.names, ", "))
		}
	}
	for _, f := range p.files {
		p.rename(f)
		p.imports(f)
	}
	for _, name := range p.names {
		p.entity(p.types[name])
	}
	for _, f := range p.files {
		p.fields(f)
	}
	p.asked()
	if err := p.generation(filepath.Dir(filepath.Clean(folder))); err != nil {
		return nil, err
	}
	return p.plan, p.finish()
}

// porter reads schemas, and gathers edits of their files.
type porter struct {
	fset  *token.FileSet
	files []*file
	types map[string]*entity // mixins of the package, too
	names []string           // of the entities
	as    map[string]string  // the names that they get, where these are others
	plan  *Plan
}

// file is one that is read.
type file struct {
	name   string
	text   []byte
	parsed *ast.File
	edits  []edit
	more   string          // what follows at its end
	needs  map[string]bool // imports
}

// edit puts a text in the place of what is between two offsets.
type edit struct {
	from, to int
	text     string
}

func (p *porter) offset(at token.Pos) int { return p.fset.Position(at).Offset }

// edit notes an edit of the file, and what it does.
func (p *porter) edit(f *file, from, to token.Pos, text, says string, args ...any) {
	f.edits = append(f.edits, edit{p.offset(from), p.offset(to), text})
	p.plan.Edits = append(p.plan.Edits, p.note(from, says, args...))
}

// decide notes what a person has to decide.
func (p *porter) decide(at token.Pos, says string, args ...any) {
	p.plan.Decisions = append(p.plan.Decisions, p.note(at, says, args...))
}

func (p *porter) note(at token.Pos, says string, args ...any) Note {
	place := p.fset.Position(at)
	return Note{place.Filename, place.Line, fmt.Sprintf(says, args...)}
}

// finish writes the texts of the files.
func (p *porter) finish() error {
	for _, f := range p.files {
		if len(f.edits) > 0 || f.more != "" {
			p.imported(f)
		}
		slices.SortStableFunc(f.edits, func(a, b edit) int { return cmp.Compare(b.from, a.from) })
		text := string(f.text)
		for _, e := range f.edits {
			text = text[:e.from] + e.text + text[e.to:]
		}
		done := []byte(text + f.more)
		if was, err := format.Source(f.text); err == nil && string(was) == string(f.text) {
			if done, err = format.Source(done); err != nil {
				return fmt.Errorf("edit %s: %w", f.name, err)
			}
		}
		p.plan.Files[p.called(filepath.Base(f.name))] = done
	}
	p.plan.Files[Closed] = []byte(closed)
	order := func(a, b Note) int { return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line)) }
	slices.SortStableFunc(p.plan.Edits, order)
	slices.SortStableFunc(p.plan.Decisions, order)
	return nil
}
