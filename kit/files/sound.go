package files

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
)

// sound reports whether a blob has the bytes that its row says, by their SHA-256 sum.
func sound(ctx context.Context, s Store, name, want string) (bool, error) {
	content, err := s.Open(ctx, blobKey(name), 0, -1)
	if err != nil {
		return false, err
	}
	defer content.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, content); err != nil {
		return false, err
	}
	return hex.EncodeToString(sum.Sum(nil)) == want, nil
}
