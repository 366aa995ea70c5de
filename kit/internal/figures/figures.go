// Package figures keeps the figures of the statements that a process runs, in
// files of its data directory: texts, how often each ran, and for how long. The
// developers' weave advise reads them ([Kept]).
package figures

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/store"
)

// Folder is the folder of the files in a service's data directory.
const Folder = "statements"

const (
	// often is how often the file is written at most.
	often = 10 * time.Second
	// kept is how long a file is of interest after its last change.
	kept = 7 * 24 * time.Hour
	// files is how many are kept at most, the newest.
	files = 32
)

// Keeper keeps the figures of a process in a file of its own.
type Keeper struct {
	Figures *store.Figures
	// Dir is the folder of the files. It is made.
	Dir string
	Log *slog.Logger
}

// Run writes the file until ctx ends, and once more then: when a tenth has
// been added to what it says. Without the file, entwine goes on as before.
func (k *Keeper) Run(ctx context.Context) error {
	path := filepath.Join(k.Dir, fmt.Sprintf("%s-%d.json", time.Now().UTC().Format("20060102T150405"), os.Getpid()))
	ticker := time.NewTicker(often)
	defer ticker.Stop()
	written := int64(0)
	for ended := false; !ended; {
		select {
		case <-ctx.Done():
			ended = true
		case <-ticker.C:
		}
		all, calls := k.Figures.All(), int64(0)
		for _, f := range all {
			calls += f.Calls
		}
		if calls == written || calls < written+written/10 && !ended {
			continue
		}
		if err := k.write(path, all); err != nil {
			k.Log.InfoContext(ctx, "figures of statements are not kept", "err", err)
			return nil
		}
		written = calls
	}
	return nil
}

func (k *Keeper) write(path string, all []store.Figure) error {
	if err := os.MkdirAll(k.Dir, 0o700); err != nil {
		return err
	}
	if _, err := os.Stat(path); os.IsNotExist(err) {
		old, _ := figureFiles(k.Dir)
		for _, name := range old[:max(0, len(old)-files+1)] {
			os.Remove(name)
		}
	}
	text, err := json.Marshal(all)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".new", text, 0o600); err != nil {
		return err
	}
	return os.Rename(path+".new", path)
}

// figureFiles are the files in the folder, the oldest first.
func figureFiles(dir string) ([]string, error) {
	all, err := filepath.Glob(filepath.Join(dir, "*.json"))
	slices.Sort(all)
	return all, err
}

// Kept returns what processes have kept in the folder in the last week.
func Kept(dir string) ([]store.Figure, error) {
	names, err := figureFiles(dir)
	if err != nil {
		return nil, err
	}
	sum := map[string]store.Figure{}
	for _, name := range names {
		info, err := os.Stat(name)
		if os.IsNotExist(err) || err == nil && time.Since(info.ModTime()) > kept {
			continue
		}
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		var all []store.Figure
		if err := json.Unmarshal(text, &all); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, f := range all {
			have := sum[f.Text]
			sum[f.Text] = store.Figure{Text: f.Text, Calls: have.Calls + f.Calls, Took: have.Took + f.Took}
		}
	}
	return slices.Collect(maps.Values(sum)), nil
}
