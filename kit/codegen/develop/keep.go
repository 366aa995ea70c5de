package develop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/codegen/planner"
	"github.com/entwine-go/entwine/kit/store"
)

const (
	// copies is how many copies of the database are kept.
	copies = 10
	// small is up to which size, in bytes, a copy is kept before each step: of a
	// larger file, only before one that loses values.
	small = 64 << 20
)

// keeper keeps copies of the database from before steps.
type keeper struct {
	file   string // the database
	folder string // where the copies are
}

func (l *Loop) keeper() keeper { return keeper{l.file, filepath.Join(l.folder(), "kept")} }

// kept is a copy of the database.
type kept struct {
	// Lost are the tables, and the columns as "table.column", that the step
	// after the copy took away and that have not been put back since.
	Lost []string `json:"lost"`
	// Undone is set of a copy from before a step was undone: it is no step's.
	Undone bool `json:"undone,omitempty"`

	file string
}

// about is the file beside the copy that describes it.
func (k *kept) about() string { return strings.TrimSuffix(k.file, ".db") + ".json" }

func (k *kept) write() error {
	encoded, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return os.WriteFile(k.about(), encoded, 0o600)
}

// keep copies the database before the step, nil where there is nothing in it,
// or where it is large and the step loses nothing.
func (k keeper) keep(ctx context.Context, db *store.DB, step *planner.Step) (*kept, error) {
	info, err := os.Stat(k.file)
	if err != nil {
		return nil, err
	}
	tables := 0
	conn, err := db.Session(ctx)
	if err != nil {
		return nil, err
	}
	err = conn.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_master").Scan(&tables)
	if err := errors.Join(err, conn.Close()); err != nil || tables == 0 {
		return nil, err
	}
	if info.Size() > small && len(step.Lost) == 0 {
		return nil, nil
	}
	return k.copy(ctx, db, &kept{Lost: step.Lost})
}

func (k keeper) copy(ctx context.Context, db *store.DB, c *kept) (*kept, error) {
	if err := os.MkdirAll(k.folder, 0o700); err != nil {
		return nil, err
	}
	c.file = filepath.Join(k.folder, time.Now().UTC().Format("20060102-150405.000000")+".db")
	if err := db.CopyTo(ctx, c.file); err != nil {
		return nil, err
	}
	return c, c.write()
}

// putBack has the database be the copy again, which goes. No process has the
// database open.
func (k keeper) putBack(c *kept) error {
	err := restore(c.file, k.file)
	if err != nil {
		return fmt.Errorf("put back the database from %s: %w", c.file, err)
	}
	return errors.Join(os.Remove(c.about()), os.Remove(c.file))
}

// restore writes a database over another one that is not open.
func restore(from, to string) error {
	source, err := os.Open(from)
	if err != nil {
		return err
	}
	defer source.Close()
	half := to + ".new"
	target, err := os.OpenFile(half, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	if err := errors.Join(err, target.Sync(), target.Close()); err != nil {
		return err
	}
	if err := store.RemoveLog(to); err != nil {
		return err
	}
	return os.Rename(half, to)
}

// all are the copies, the newest first.
func (k keeper) all() (all []*kept, err error) {
	files, err := filepath.Glob(filepath.Join(k.folder, "*.json"))
	slices.Sort(files)
	slices.Reverse(files)
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		c := &kept{file: strings.TrimSuffix(name, ".json") + ".db"}
		if err := json.Unmarshal(text, c); err != nil {
			return nil, fmt.Errorf("read %s: %w", name, err)
		}
		all = append(all, c)
	}
	return all, err
}

// trim removes the oldest copies where there are too many, beginning with those whose
// values have all been put back. It reports values that are lost with one.
func (k keeper) trim(tell func(text string)) {
	all, err := k.all()
	if err != nil {
		tell(err.Error())
		return
	}
	for over := len(all) - copies; over > 0; over-- {
		i := len(all) - 1
		for j := i; j > 0; j-- { // the newest is what migrate down goes back to
			if len(all[j].Lost) == 0 {
				i = j
				break
			}
		}
		if len(all[i].Lost) > 0 {
			tell(fmt.Sprintf("removed %s, the oldest of %d copies, with the values of %s", all[i].file, copies, strings.Join(all[i].Lost, ", ")))
		}
		if err := errors.Join(os.Remove(all[i].about()), os.Remove(all[i].file)); err != nil {
			tell(err.Error())
		}
		all = slices.Delete(all, i, i+1)
	}
}
