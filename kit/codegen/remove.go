package main

import (
	"os"
	"path/filepath"
)

// removeOthers removes the files of a generated folder that were not written.
func removeOthers(dir string, kept map[string]bool) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if entry.IsDir() || kept[entry.Name()] {
			continue
		}
		if err := os.Remove(filepath.Join(dir, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// removeFiles removes the files of a folder that match the pattern and are not kept.
func removeFiles(dir, pattern string, kept map[string]bool) error {
	paths, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil {
		return err
	}
	for _, path := range paths {
		if kept[filepath.Base(path)] {
			continue
		}
		if err := os.Remove(path); err != nil {
			return err
		}
	}
	return nil
}
