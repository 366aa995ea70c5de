package files_test

import (
	"path/filepath"
	"testing"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/files/filestest"
)

func TestAFolderIsAStore(t *testing.T) {
	t.Parallel()
	filestest.Suite(t, &files.Folder{Path: filepath.Join(t.TempDir(), "files")})
}
