package planner

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	atlas "ariga.io/atlas/sql/migrate"

	"github.com/entwine-go/entwine/kit/migration"
)

// Hash writes atlas.sum of both folders below root anew: after an edit of a
// migration that no database has had, or a merge of the two files.
func Hash(root string) error {
	for _, dialectName := range Dialects {
		dir, err := unchecked(root, dialectName)
		if err != nil {
			return err
		}
		if err := hash(dir); err != nil {
			return fmt.Errorf("%s: %w", dir.Path(), err)
		}
	}
	return nil
}

func hash(dir *atlas.LocalDir) error {
	sum, err := dir.Checksum()
	if err != nil {
		return err
	}
	return atlas.WriteSumFile(dir, sum)
}

// Rebase makes the migrations with the name the last ones of both folders, as
// if they were written now, and returns their new paths: after a merge with a
// branch that has written others meanwhile. Databases apply files in the order
// of their versions, so one that is older than what they had would be left out.
func Rebase(root, name string) (moved []string, err error) {
	version, err := nextVersion(root)
	if err != nil {
		return nil, err
	}
	next, err := following(version)
	if err != nil {
		return nil, err
	}
	renames := map[string]string{}
	for _, dialectName := range Dialects {
		dir, err := unchecked(root, dialectName)
		if err != nil {
			return nil, err
		}
		for _, file := range [][2]string{{name, version}, {name + liveSuffix, next}} {
			from, err := named(dir, file[0])
			if err != nil {
				return nil, err
			}
			if from != "" { // a change may concern one database alone
				to := filepath.Join(dir.Path(), file[1]+"_"+file[0]+".sql")
				renames[filepath.Join(dir.Path(), from)] = to
				moved = append(moved, to)
			}
		}
	}
	if len(moved) == 0 {
		return nil, fmt.Errorf("there is no migration %q: its name is what follows the version, without .sql", name)
	}
	for from, to := range renames {
		err = errors.Join(err, os.Rename(from, to))
	}
	return moved, errors.Join(err, Hash(root))
}

// named returns the file of the folder with the name, empty if there is none.
func named(dir *atlas.LocalDir, name string) (string, error) {
	files, err := dir.Files()
	if err != nil {
		return "", err
	}
	var found []string
	for _, f := range files {
		if f.Desc() == name {
			found = append(found, f.Name())
		}
	}
	if len(found) > 1 {
		return "", fmt.Errorf("%s has %s: which one is meant?", dir.Path(), strings.Join(found, " and "))
	}
	return strings.Join(found, ""), nil
}

// unchecked opens the migrations of a database below root, whatever their
// atlas.sum says. A project that has none yet gets a folder for them.
func unchecked(root, dialectName string) (*atlas.LocalDir, error) {
	folder := filepath.Join(root, migration.Folder(dialectName))
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	return atlas.NewLocalDir(folder)
}

// Directives of a migration's header.
const (
	dropDirective = "-- entwine:drop "
	longDirective = "-- entwine:long "
	// liveDirective has each statement applied on its own.
	liveDirective = "-- Each statement takes effect on its own. What was interrupted goes on.\n-- atlas:txmode none"
)

// liveSuffix ends the name of the second file of a migration.
const liveSuffix = "_live"

// header begins a migration: what to do once people or branches have touched
// it, what its author has allowed, and which tables it writes as a whole.
func header(name string, p *plan, allow Allow, more string) string {
	lines := []string{
		"-- " + name + ", written by weave migrate diff.",
		"-- After an edit, and before any database has had it: weave migrate hash.",
		"-- After a merge with a branch that has migrations of its own: weave migrate rebase " + name + ".",
	}
	for _, l := range p.lost {
		if l.code != codeNarrower {
			lines = append(lines, dropDirective+l.name())
		}
	}
	for _, table := range unique(p.long) {
		lines = append(lines, longDirective+table)
	}
	if len(allow.Accept) > 0 {
		lines = append(lines, "-- atlas:nolint "+strings.Join(allow.Accept, " "))
	}
	if more != "" {
		lines = append(lines, more)
	}
	return strings.Join(append(lines, "", ""), "\n")
}

// files are the plan's, with their headers.
func (p *plan) files(version, name string, allow Allow) (all []atlas.File, err error) {
	add := func(version, file string, changes []*atlas.Change, more string) error {
		if len(changes) == 0 {
			return nil
		}
		f, err := atlas.DefaultFormatter.FormatFile(&atlas.Plan{Version: version, Name: file, Changes: changes})
		if err == nil {
			all = append(all, atlas.NewLocalFile(f.Name(), slices.Concat([]byte(header(name, p, allow, more)), f.Bytes())))
		}
		return err
	}
	if err := add(version, name, withFolded(p.changes), ""); err != nil {
		return nil, err
	}
	next, file := version, name
	if len(all) > 0 {
		if next, err = following(version); err != nil {
			return nil, err
		}
		file += liveSuffix
	}
	return all, add(next, file, withFolded(p.live), liveDirective)
}

// together are the files as one.
func together(files []atlas.File) atlas.File {
	var text []byte
	for _, f := range files {
		text = append(text, f.Bytes()...)
	}
	return atlas.NewLocalFile(files[0].Name(), text)
}

// directives are the values of the directive in the file's header.
func directives(file atlas.File, directive string) (all []string) {
	for line := range strings.Lines(string(file.Bytes())) {
		if said, ok := strings.CutPrefix(strings.TrimSpace(line), directive); ok {
			all = append(all, said)
		}
	}
	return all
}
