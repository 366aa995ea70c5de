package storetest

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/store"
)

// templates are the contents of migrated SQLite files, by key.
var templates struct {
	sync.Mutex
	files map[string][]byte
}

// SQLite returns a database of the test's own.
func (s Schema) SQLite(t testing.TB) *store.DB {
	t.Helper()
	return open(t, store.Config{URL: s.SQLiteURL(t)})
}

// SQLiteURL returns the address of a database of the test's own.
func (s Schema) SQLiteURL(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.db")
	s.SQLiteFile(t, path)
	return fileURL(path)
}

// SQLiteFile writes a database of the test's own into the file.
func (s Schema) SQLiteFile(t testing.TB, path string) {
	t.Helper()
	content, err := s.template(t)
	if err != nil {
		t.Fatalf("make SQLite template: %v", err)
	}
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

func (s Schema) template(t testing.TB) ([]byte, error) {
	templates.Lock()
	defer templates.Unlock()
	if content, ok := templates.files[s.Key]; ok {
		return content, nil
	}
	path := filepath.Join(t.TempDir(), "template.db")
	// Closing the last connection moves the -wal into the file.
	if err := s.fill(t.Context(), fileURL(path)); err != nil {
		return nil, err
	}
	if info, err := os.Stat(path + "-wal"); err == nil && info.Size() > 0 {
		return nil, fmt.Errorf("%s-wal is left", path)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	if templates.files == nil {
		templates.files = make(map[string][]byte)
	}
	templates.files[s.Key] = content
	return content, nil
}

// fileURL names the file, whose folder bears the test's name and its signs.
func fileURL(path string) string {
	return "sqlite://" + (&url.URL{Path: path}).EscapedPath()
}
