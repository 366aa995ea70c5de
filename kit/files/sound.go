package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
)

// sound reports whether a blob has the bytes that its name says.
func sound(ctx context.Context, s Store, name string) (bool, error) {
	content, err := s.Open(ctx, blobKey(name), 0, -1)
	if err != nil {
		return false, err
	}
	defer content.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return false, err
	}
	return strings.HasPrefix(name, hex.EncodeToString(sum.Sum(nil))+"."), nil
}
