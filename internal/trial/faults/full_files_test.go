//go:build linux

package faults_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

const (
	uploadTo = "/api/v1/files?for=comment_attachment.file"
	mebibyte = 1 << 20
)

// uploaded are the address of a file that is taken, and its content.
func (s *trouble) uploaded(content string) (address string) {
	s.Helper()
	a := s.Ask(s.T, "POST", uploadTo, content, s.auth...).Want(s.T, 201)
	return a.Body["data"].(map[string]any)["url"].(string)
}

// A file for which the disk has no room is refused, whole and in parts. Files stored before are
// served, nothing is left of the refused one, and an upload in parts goes on once there is room.
func TestAFullDiskOfFiles(t *testing.T) {
	t.Parallel()
	if os.Getuid() != 0 {
		t.Skip("only root can mount a file system of its own")
	}
	disk := t.TempDir()
	if err := syscall.Mount("tmpfs", disk, "tmpfs", 0, "size=24m"); err != nil {
		t.Skipf("no file system can be mounted here: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(disk, syscall.MNT_DETACH) })
	s := newTrouble(t, "ENTWINE_FILES_DIR="+disk)
	kept := strings.Repeat("kept", mebibyte)
	address := s.uploaded(kept)

	const size = 9 * mebibyte
	late := strings.Repeat("l", size)
	upload := s.Ask(t, "POST", uploadTo, "", append([]string{"Upload-Complete", "?0", "Upload-Length", strconv.Itoa(size)}, s.auth...)...).Want(t, 201).Header.Get("Location")
	offset := func() string { return s.Ask(t, "HEAD", upload, "", s.auth...).Want(t, 204).Header.Get("Upload-Offset") }
	patched := func(status int) {
		t.Helper()
		last := []string{"Content-Type", "application/partial-upload", "Upload-Offset", "0", "Upload-Complete", "?1"}
		// The document has one answer for all refusals, without the header Upload-Offset of these.
		res, err := http.DefaultTransport.RoundTrip(trial.NewRequest(t, "PATCH", s.URL+upload, late, append(last, s.auth...)...))
		s.must(err)
		defer res.Body.Close()
		if res.StatusCode != status {
			t.Errorf("the part is answered with %d, want %d", res.StatusCode, status)
		}
	}

	ballast, err := os.Create(filepath.Join(disk, "ballast"))
	s.must(err)
	defer ballast.Close()
	for range 14 {
		_, err = ballast.Write(make([]byte, mebibyte))
		s.must(err)
	}
	refused := s.Ask(t, "POST", uploadTo, strings.Repeat("r", size), s.auth...).Want(t, 503, "there is no room for more files")
	if refused.Header.Get("Retry-After") == "" {
		t.Error("the refusal has no Retry-After")
	}
	patched(503)
	if at := offset(); at != "0" {
		t.Errorf("the upload goes on at %s, want 0", at)
	}
	if left, err := filepath.Glob(filepath.Join(disk, "drafts", "*")); len(left) > 0 || err != nil {
		t.Errorf("%v are left of what was refused (%v)", left, err)
	}
	if got := s.Ask(t, "GET", address, "", s.auth...).Want(t, 200); got.Text != kept {
		t.Errorf("the stored file has %d bytes, want %d", len(got.Text), len(kept))
	}
	s.Ask(t, "GET", "/api/v1/files/usage", "", s.auth...).Want(t, 200, `"used":`+strconv.Itoa(len(kept)))

	s.must(ballast.Truncate(0))
	patched(201)
	whole := s.Ask(t, "GET", strings.TrimSuffix(upload, "/upload"), "", s.auth...).Want(t, 200)
	if whole.Text != late {
		t.Errorf("the upload in parts has %d bytes, want %d", len(whole.Text), size)
	}
	trial.MustRun(t, s.Dir, "files", "check", "--verify", "--files-dir", disk)
}
