// Command compat says what a commit changes for Go code that imports the public
// packages of the kit, which kit/public.txt lists.
//
//	go run ./internal/compat --against v0.2.0
//
// It compares the tree with that of a tag, by golang.org/x/exp/apidiff, which
// the Go project holds its own libraries to. An incompatible change fails it,
// unless a line of kit/accepted.txt says that it is meant. That file begins
// empty after each release of a major version.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	against := flag.String("against", "", "the tag of the release, or any commit")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, ".", *against); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// acceptedFile lists the incompatible changes that are meant, a line each, as
// this program prints them; publicFile the packages that it compares.
const (
	acceptedFile = "kit/accepted.txt"
	publicFile   = "kit/public.txt"
)

// run compares the tree in root with that of the commit.
func run(ctx context.Context, out io.Writer, root, against string) error {
	if against == "" {
		return errors.New("say against which release: --against TAG")
	}
	before, err := os.MkdirTemp("", "compat-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(before)
	if err := export(ctx, root, against, before); err != nil {
		return err
	}
	found, err := compare(ctx, before, root)
	if err != nil {
		return err
	}
	accepted, err := lines(filepath.Join(root, acceptedFile))
	if err != nil {
		return err
	}
	refused := 0
	for _, c := range found {
		sort := "compatible"
		switch {
		case c.compatible:
		case accepted[c.String()]:
			sort = "accepted"
		default:
			sort = "INCOMPATIBLE"
			refused++
		}
		fmt.Fprintf(out, "%s\t%s\n", sort, c)
	}
	if refused > 0 {
		return fmt.Errorf("%d incompatible changes since %s: undo them, or add the lines after INCOMPATIBLE to %s", refused, against, acceptedFile)
	}
	return nil
}

// lines returns the lines of the file, which need not be there.
func lines(name string) (map[string]bool, error) {
	all := map[string]bool{}
	file, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	scan := bufio.NewScanner(file)
	for scan.Scan() {
		all[strings.TrimSpace(scan.Text())] = true
	}
	return all, scan.Err()
}
