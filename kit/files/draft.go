package files

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"os"
	"regexp"
	"strings"
)

// drafts is the folder of marks, and in a [Folder] of what is under way.
const drafts = "drafts"

// storedName is the form of a blob's name: 64 digits, which are its SHA-256 sum unless the store
// has joined it, and a part that no other upload has. The name of a part of an upload begins
// with partBegin.
var storedName = regexp.MustCompile(`^([0-9a-f]{64}|up)\.[a-z2-7]{26}$`)

// blobKey is the key of the blob with the name in a store: "3a/3a7bd3….k2…".
func blobKey(name string) string { return name[:2] + "/" + name }

// Draft is a file that is under way, on the disk of this process. Its bytes become a blob
// by [Draft.Keep].
type Draft struct {
	store Store
	// joined is the name of the blob that it is already, of parts which the store has joined, and
	// kept is set once it is no longer the draft's to drop.
	joined string
	kept   bool
	file   *os.File
	sum    hash.Hash
	size   int64
	// flushed is how much the kernel was asked to write, and flushing has an element while it is asked.
	flushed  int64
	flushing chan struct{}
}

// Draft begins a file. The caller calls [Draft.Discard] in the end.
func (k *Keeper) Draft() (*Draft, error) { return newDraft(k.Store) }

func newDraft(s Store) (*Draft, error) {
	if err := os.MkdirAll(s.Spool(), 0o700); err != nil {
		return nil, unavailable(fmt.Errorf("make the folder of files that are under way: %w", err))
	}
	file, err := os.CreateTemp(s.Spool(), "*.part") // mode 0600
	if err != nil {
		return nil, unavailable(fmt.Errorf("begin a file: %w", err))
	}
	return &Draft{store: s, file: file, sum: sha256.New(), flushing: make(chan struct{}, 1)}, nil
}

// Write implements io.Writer.
func (d *Draft) Write(p []byte) (int, error) {
	n, err := counted{d}.Write(p)
	d.sum.Write(p[:n])
	return n, err
}

// counted writes to a draft what is summed elsewhere.
type counted struct{ *Draft }

// Write implements io.Writer.
func (c counted) Write(p []byte) (int, error) {
	n, err := c.file.Write(p)
	c.size += int64(n)
	c.flush()
	return n, unavailable(err)
}

// flushSize is how much is written to a draft before the disk begins to write it.
const flushSize = 8 << 20

// flush has the disk write while more arrives, so that the fsync at the end of a large file has little
// left. That is in a goroutine, because the system call blocks while the disk's queue is full.
func (d *Draft) flush() {
	from, n := d.flushed, d.size-d.flushed
	if n < flushSize {
		return
	}
	select {
	case d.flushing <- struct{}{}:
	default:
		return // the disk is behind: the next call has these bytes, too
	}
	d.flushed = d.size
	go func() {
		startWriting(d.file, from, n)
		<-d.flushing
	}()
}

// Size is how many bytes were written.
func (d *Draft) Size() int64 { return d.size }

// Sum is the SHA-256 sum of the written bytes.
func (d *Draft) Sum() []byte { return d.sum.Sum(nil) }

// Keep makes a blob of the written bytes and returns its name. It is stored then, and has
// a mark, until its row is written or it is dropped.
func (d *Draft) Keep(ctx context.Context) (name string, err error) {
	if d.kept = true; d.joined != "" {
		return d.joined, nil
	}
	name = hex.EncodeToString(d.Sum()) + "." + newKey()
	if err := mark(ctx, d.store, name); err != nil {
		return "", err
	}
	if err := d.store.Put(ctx, blobKey(name), d.file); err != nil {
		return "", unavailable(err)
	}
	return name, nil
}

// Discard removes what did not become a blob.
func (d *Draft) Discard() {
	d.file.Close()
	os.Remove(d.file.Name()) // it may have its other name
}

// newKey is a text that cannot be guessed: 26 small letters and digits.
func newKey() string { return strings.ToLower(rand.Text()) }
