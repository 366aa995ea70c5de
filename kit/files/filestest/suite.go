// Package filestest is the conformance suite of stores of files.
package filestest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/files"
)

// Suite tests a store that holds nothing.
func Suite(t *testing.T, s files.Store) {
	const key = "3a/3abc.k2"
	content := strings.Repeat("0123456789", 1000)
	if _, err := s.Open(t.Context(), key, 0, -1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Open of a key that holds nothing: %v, want fs.ErrNotExist", err)
	}
	if err := s.Remove(t.Context(), key); err != nil {
		t.Errorf("Remove of a key that holds nothing: %v", err)
	}
	if all := Keys(t, s, "3a"); len(all) > 0 {
		t.Errorf("a folder that was never written to has %v", all)
	}
	Put(t, s, key, content)
	Put(t, s, "3a/3abd.k2", "x")
	Put(t, s, "3b/3b.k2", "y")
	if err := s.Put(t.Context(), "drafts/3a.mark", nil); err != nil {
		t.Fatalf("Put of nothing: %v", err)
	}
	if all := Keys(t, s, "3a"); !slices.Equal(all, []string{key, "3a/3abd.k2"}) {
		t.Errorf("the folder 3a has %v", all)
	}
	if all := Keys(t, s, "drafts"); !slices.Equal(all, []string{"drafts/3a.mark"}) {
		t.Errorf("the folder drafts has %v: a stored file leaves no draft", all)
	}
	for _, c := range []struct{ offset, length, from, to int64 }{{0, -1, 0, 10000}, {0, 10, 0, 10}, {9990, -1, 9990, 10000}, {1, 9999, 1, 10000}, {5000, 1, 5000, 5001}} {
		if got := Read(t, s, key, c.offset, c.length); got != content[c.from:c.to] {
			t.Errorf("Open(%d, %d) has %d bytes that begin with %.20q", c.offset, c.length, len(got), got)
		}
	}
	ended, end := context.WithCancel(t.Context())
	end()
	listed := 0
	err := s.Each(ended, "3a", func(files.Object) error { listed++; return nil })
	if err == nil && listed != 2 {
		t.Errorf("Each of a context that has ended lists %d of 2 without an error", listed)
	}
	if got := Read(t, s, "drafts/3a.mark", 0, -1); got != "" {
		t.Errorf("what nothing was put to has %q", got)
	}
	if err := s.Remove(t.Context(), key); err != nil {
		t.Errorf("Remove: %v", err)
	}
	if all := Keys(t, s, "3a"); !slices.Equal(all, []string{"3a/3abd.k2"}) {
		t.Errorf("after a removal the folder 3a has %v", all)
	}
	together(t, s)
	joined(t, s)
}

// joined joins parts, and reads, lists and removes what that makes. Parts are as large as stores
// take them.
func joined(t *testing.T, s files.Store) {
	t.Helper()
	j, can := s.(files.Joiner)
	if !can {
		return
	}
	const size, key = 5 << 20, "3d/3d.joined"
	want, parts := "", []files.Object{}
	for i := range 3 {
		part := files.Object{Key: fmt.Sprintf("up/up.%c", 'a'+i), Size: size}
		text := strings.Repeat(fmt.Sprint(i), size)
		want += text
		Put(t, s, part.Key, text)
		parts = append(parts, part)
	}
	tail := draft(t, s, "the end")
	if err := j.Join(t.Context(), key, parts, tail); err != nil {
		t.Errorf("Join: %v", err)
		return
	}
	want += "the end"
	for _, c := range []struct{ offset, length int64 }{{0, -1}, {1, 10}, {size - 1, 2}, {size, size}, {size + 5, -1}, {3*size + 4, 3}, {10, 2 * size}} {
		from, to := want[c.offset:], c.length
		if to >= 0 {
			from = from[:to]
		}
		if got := Read(t, s, key, c.offset, c.length); got != from {
			t.Errorf("Open(%d, %d) of what was joined has %d bytes that begin with %.20q, want %d", c.offset, c.length, len(got), got, len(from))
		}
	}
	if err := j.Join(t.Context(), "3d/3d.parts", parts, nil); err != nil {
		t.Errorf("Join without a file: %v", err)
	}
	for _, p := range parts {
		if err := s.Remove(t.Context(), p.Key); err != nil {
			t.Errorf("Remove of a part: %v", err)
		}
	}
	sizes := map[string]int64{}
	err := s.Each(t.Context(), "3d", func(o files.Object) error {
		sizes[o.Key] = o.Size
		return nil
	})
	if err != nil || len(sizes) != 2 || sizes[key] != int64(len(want)) || sizes["3d/3d.parts"] != 3*size {
		t.Errorf("once its parts have gone the folder has %v (%v)", sizes, err)
	}
	if got := Read(t, s, key, 0, -1); got != want {
		t.Errorf("once its parts have gone %d bytes are left, want %d", len(got), len(want))
	}
	if err := j.Join(t.Context(), "3d/3d.none", parts, nil); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("Join of what is gone: %v, want fs.ErrNotExist", err)
	}
	for _, key := range []string{key, "3d/3d.parts", key} {
		if err := s.Remove(t.Context(), key); err != nil {
			t.Errorf("Remove of what was joined: %v", err)
		}
	}
	if all := Keys(t, s, "3d"); len(all) > 0 {
		t.Errorf("after the removal the folder has %v", all)
	}
}

// together uses the store from several goroutines.
func together(t *testing.T, s files.Store) {
	t.Helper()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			key := fmt.Sprintf("3c/%d", i)
			Put(t, s, key, key)
			if got := Read(t, s, key, 0, -1); got != key {
				t.Errorf("%s has %q", key, got)
			}
		})
	}
	all.Wait()
	if keys := Keys(t, s, "3c"); len(keys) != 8 {
		t.Errorf("eight goroutines have put %v", keys)
	}
}

// Put stores a text.
func Put(t testing.TB, s files.Store, key, text string) {
	t.Helper()
	if file := draft(t, s, text); file != nil {
		if err := s.Put(t.Context(), key, file); err != nil {
			t.Errorf("Put %s: %v", key, err)
		}
	}
}

// draft is a file in the spool, until the test ends.
func draft(t testing.TB, s files.Store, text string) *os.File {
	t.Helper()
	file, err := os.CreateTemp(s.Spool(), "*.part")
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(s.Spool(), 0o700); err == nil {
			file, err = os.CreateTemp(s.Spool(), "*.part")
		}
	}
	if err != nil {
		t.Error(err)
		return nil
	}
	t.Cleanup(func() {
		file.Close()
		os.Remove(file.Name())
	})
	if _, err = file.WriteString(text); err != nil {
		t.Error(err)
	}
	return file
}

// Read reads a part of the key's content.
func Read(t testing.TB, s files.Store, key string, offset, length int64) string {
	t.Helper()
	content, err := s.Open(t.Context(), key, offset, length)
	if err != nil {
		t.Errorf("Open(%s, %d, %d): %v", key, offset, length, err)
		return ""
	}
	defer content.Close()
	text, err := io.ReadAll(content)
	if err != nil {
		t.Errorf("read %s: %v", key, err)
	}
	return string(text)
}

// Keys are the keys in a folder.
func Keys(t testing.TB, s files.Store, folder string) (keys []string) {
	t.Helper()
	err := s.Each(t.Context(), folder, func(o files.Object) error {
		keys = append(keys, o.Key)
		return nil
	})
	if err != nil {
		t.Errorf("Each(%s): %v", folder, err)
	}
	return keys
}
