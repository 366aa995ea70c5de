package backups_test

import (
	"bytes"
	"image"
	"image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
)

// uploadAvatar uploads a picture of so many pixels, and has the caller's profile have it.
func uploadAvatar(t *testing.T, s *trial.Service, token string, width int) (address string) {
	t.Helper()
	var content bytes.Buffer
	if err := png.Encode(&content, image.NewGray(image.Rect(0, 0, width, 1))); err != nil {
		t.Fatal(err)
	}
	bearer := "Bearer " + token
	file := s.Ask(t, "POST", "/api/v1/files?for=profile.avatar", content.String(), "Authorization", bearer, "Content-Type", "image/png").Want(t, 201)
	address = file.Body["data"].(map[string]any)["url"].(string)
	s.Ask(t, "PATCH", "/api/v1/users/1/profile", `{"avatar": "`+address+`"}`, "Authorization", bearer)
	downloads(t, s, token, address)
	return address
}

// downloads fails where the file is not there.
func downloads(t *testing.T, s *trial.Service, token, address string) {
	t.Helper()
	res, err := http.DefaultTransport.RoundTrip(trial.NewRequest(t, "GET", s.URL+address, "", "Authorization", "Bearer "+token))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if content, err := io.ReadAll(res.Body); err != nil || res.StatusCode != http.StatusOK || len(content) == 0 {
		t.Errorf("GET %s is answered %d with %d bytes (%v)", address, res.StatusCode, len(content), err)
	}
}

func TestABackupTakesFilesAlong(t *testing.T) {
	t.Parallel()
	s := trial.Start(t, "ENTWINE_ADMIN_PASSWORD="+trial.AdminPassword)
	token := s.SignIn(t)
	address := uploadAvatar(t, s, token, 1)
	s.Until(t, "succeeded", "jobs", "list", "--kind", "report") // that of the day before, which is a file, too
	if said := trial.MustRun(t, s.Dir, "backup", "copies/a.tar"); !strings.Contains(said, "copied 2 files") {
		t.Errorf("the first backup says\n%s", said)
	}
	later := uploadAvatar(t, s, token, 2)
	if said := trial.MustRun(t, s.Dir, "backup", "copies/b.tar"); !strings.Contains(said, "copied 1 files") {
		t.Errorf("the second backup says\n%s", said)
	}
	copies, err := filepath.Abs(filepath.Join(s.Dir, "copies"))
	if err != nil {
		t.Fatal(err)
	}
	for name, address := range map[string]string{"a.tar": address, "b.tar": later} {
		dir, file := t.TempDir(), filepath.Join(copies, name)
		if said := trial.MustRun(t, dir, "restore", "--verify", file); !strings.Contains(said, "are whole in "+filepath.Join(copies, "files")) {
			t.Errorf("the check of %s says\n%s", name, said)
		}
		trial.MustRun(t, dir, "restore", file)
		trial.MustRun(t, dir, "files", "check", "--verify")
		back := trial.StartIn(t, dir)
		downloads(t, back, token, address)
		list := back.Ask(t, "GET", "/api/v1/jobs?kind=report&fields=result_file", "", "Authorization", "Bearer "+token).Want(t, 200)
		downloads(t, back, token, list.Body["data"].([]any)[0].(map[string]any)["result_file"].(string))
		back.Stop(t)
	}

	// Another folder, and one in which something is damaged.
	elsewhere := filepath.Join(t.TempDir(), "elsewhere")
	trial.MustRun(t, s.Dir, "files", "copy", elsewhere)
	blobs, err := filepath.Glob(filepath.Join(elsewhere, "??", "*"))
	if err != nil || len(blobs) == 0 {
		t.Fatalf("the copies are %v (%v)", blobs, err)
	}
	if err := os.WriteFile(blobs[0], []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, t.TempDir(), "0 are missing and 1 damaged", "restore", "--verify", "--files", elsewhere, filepath.Join(copies, "b.tar"))
	refused(t, t.TempDir(), "files copy --back "+elsewhere, "restore", "--files", elsewhere, filepath.Join(copies, "b.tar"))
}
