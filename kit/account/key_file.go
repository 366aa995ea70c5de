package account

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// openFile returns what read makes of the keys in a file, one on each line.
// A file that is absent is made, with a new key that only its owner can read.
func openFile[T any](file string, read func(keys []string) (T, error)) (T, error) {
	var none T
	content, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		if err := makeKeyFile(file); err != nil {
			return none, fmt.Errorf("make key: %w", err)
		}
		content, err = os.ReadFile(file)
	}
	if err != nil {
		return none, fmt.Errorf("read keys: %w", err)
	}
	keys, err := read(strings.Fields(string(content)))
	if err != nil {
		return none, fmt.Errorf("%s: %w", file, err)
	}
	return keys, nil
}

// makeKeyFile makes the file with one key. Of several processes that do so at
// once one wins, and none sees half a file.
func makeKeyFile(file string) error {
	key := make([]byte, keyLen)
	_, _ = rand.Read(key)                                     // never fails
	draft, err := os.CreateTemp(filepath.Dir(file), ".key-*") // mode 0600
	if err != nil {
		return err
	}
	defer os.Remove(draft.Name())
	_, err = fmt.Fprintln(draft, base64.StdEncoding.EncodeToString(key))
	if err := errors.Join(err, draft.Sync(), draft.Close()); err != nil {
		return err
	}
	if err := os.Link(draft.Name(), file); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}
