package codegen

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/source"
)

// attributesFile says to git what the files of a folder are.
const attributesFile = ".gitattributes"

// generatedHere are the attributes of a folder of generated files. Git does not mix two
// of them in a merge: weave merge makes them anew.
const generatedHere = "# Made of schema/: go tool weave merge BRANCH makes it anew, where git would mix two of them.\n* linguist-generated=true"

// attribute says to git, in each folder of generated files, that they are, and of the
// migrations that their sums are not merged. A module whose own .gitattributes calls
// folders generated is left to say it.
func attribute(tree *source.Tree) error {
	own, err := os.ReadFile(tree.Path(attributesFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if bytes.Contains(own, []byte("linguist-generated")) {
		return nil
	}
	for _, folder := range folders {
		text := generatedHere + " -diff -merge\n"
		if strings.HasPrefix(folder, "internal/") { // what is short enough to be read in a review
			text = generatedHere + " -merge\n"
		}
		if err := attributeFolder(tree, folder, text); err != nil {
			return err
		}
	}
	return attributeFolder(tree, "migrate", "# Made of the migrations: go tool weave merge BRANCH makes them anew.\natlas.sum -merge\nschema.sum -merge\n")
}

// attributeFolder writes the attributes into the folder, and removes one that holds
// nothing else: an earlier generation left it.
func attributeFolder(tree *source.Tree, folder, text string) error {
	entries, err := os.ReadDir(tree.Path(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != attributesFile }) {
		return os.RemoveAll(tree.Path(folder))
	}
	return tree.Folder(folder).WriteFile(attributesFile, []byte(text))
}
