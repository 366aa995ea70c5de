package rest_test

import (
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/files/clamd/clamdtest"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// dueText has files that wait for their scan be due at once.
var dueText = statement.Of(`UPDATE files SET scan_at = later(-1) WHERE scan_at IS NOT NULL`)

// noted uploads a file for an attachment of a comment.
func (w *world) noted(content string) *answer {
	w.t.Helper()
	return w.send(w.ada, "POST", "/api/v1/files?for=comment_attachment.file&name=note.txt", content)
}

func TestNoFileIsServedBeforeItsScan(t *testing.T) {
	eachStore(t, func(w *world) {
		before := w.noted("from before there was a scanner").want(201).data()["url"].(string)
		w.send(w.ada, "GET", before, "").want(200)
		scanner := clamdtest.Start(w.t, "tcp", "127.0.0.1:0")
		w.files.Scanner = scanner

		// A harmless file is served at once, and a harmful one is stored nowhere.
		w.send(w.ada, "GET", w.noted("harmless").want(201).data()["url"].(string), "").want(200)
		stored := w.stored()
		refused := w.noted("a note with " + clamdtest.EICAR).want(422)
		refused.has(clamdtest.Signature)
		if w.stored() != stored {
			w.t.Errorf("%d are stored, want %d as before the file that was refused", w.stored(), stored)
		}

		// Files stored before have to be scanned, too.
		early := w.send(w.ada, "GET", before, "").want(503)
		if early.Header.Get("Retry-After") == "" {
			w.t.Errorf("a file that waits has the headers %v", early.Header)
		}

		// While the scanner is away files wait, and are served in no way.
		scanner.Away.Store(true)
		waits := w.noted("waits").want(201)
		bad := w.noted("waits with " + clamdtest.EICAR).want(201)
		var waiting []string // the links to both
		for _, a := range []*answer{waits, bad} {
			if a.data()["waits_for_scan"] != true {
				w.t.Errorf("a file that waits is answered %s", a.Raw)
			}
			address := a.data()["url"].(string)
			w.send(w.ada, "GET", address, "").want(503)
			w.send(w.ada, "GET", address, "", "Range", "bytes=0-1").want(503)
			w.send(w.ada, "HEAD", address, "").want(503)
			w.send(w.ada, "GET", address, "", "If-None-Match", `"`+a.data()["sha256"].(string)+`"`).want(503)
			link := w.send(w.ada, "GET", address+"/link", "").want(200).data()["url"].(string)
			waiting = append(waiting, link)
			w.send(w.nobody, "GET", link, "").want(503)
			w.send(w.bob, "GET", address, "").want(404)
		}
		if n, err := w.files.Scan(w.t.Context()); n != 0 || err == nil {
			w.t.Errorf("without the scanner %d files are scanned (%v)", n, err)
		}

		// Once it is back each has its verdict.
		scanner.Away.Store(false)
		if _, err := dueText.Exec(w.t.Context(), w.db); err != nil {
			w.t.Fatal(err)
		}
		if n, err := w.files.Scan(w.t.Context()); n != 3 || err != nil {
			w.t.Errorf("%d files are scanned (%v), want 3", n, err)
		}
		w.send(w.ada, "GET", before, "").want(200)
		w.send(w.ada, "GET", waits.data()["url"].(string), "").want(200)
		address := bad.data()["url"].(string)
		link := waiting[1]
		w.send(w.ada, "GET", address, "").want(410).has(clamdtest.Signature).has(`"CONTENT_REFUSED"`)
		w.send(w.nobody, "GET", link, "").want(410).has(`"CONTENT_REFUSED"`)
		w.send(w.ada, "GET", address+"/link", "").want(410).has(`"CONTENT_REFUSED"`)
		w.send(w.bob, "GET", address, "").want(404)
		scans := scanner.Scans.Load()
		if n, err := w.files.Scan(w.t.Context()); n != 0 || err != nil || scanner.Scans.Load() != scans {
			w.t.Errorf("%d files are scanned again (%v)", n, err)
		}
		w.files.Scanner = nil // and it stays so where there is no scanner any more
		w.send(w.ada, "GET", address, "").want(410)
		w.send(w.ada, "DELETE", address, "").want(204)
		w.swept(1)
	})
}

func TestPicturesAndUploadsInPartsAreScanned(t *testing.T) {
	each(t, func(w *world) {
		scanner := clamdtest.Start(w.t, "tcp", "127.0.0.1:0")
		w.files.Scanner = scanner
		content := "in two parts: " + clamdtest.EICAR
		path := w.send(w.ada, "POST", "/api/v1/files?for=comment_attachment.file", "", "Upload-Complete", "?0").want(201).Header.Get("Location")
		w.piece(w.ada, path, 0, strings.NewReader(content[:20]), false).want(204)
		w.piece(w.ada, path, 20, strings.NewReader(content[20:]), true).want(422).has(clamdtest.Signature)
		w.send(w.ada, "GET", path, "").want(404)

		scanner.Away.Store(true)
		address := w.send(w.admin, "POST", "/api/v1/files?for=product_picture.image", snapshot(400, 300), "Content-Type", "image/jpeg").want(201).data()["url"].(string)
		w.send(w.admin, "GET", address+"?variant=small", "").want(503)
		scanner.Away.Store(false)
		if n, err := w.files.Scan(w.t.Context()); n != 1 || err != nil {
			w.t.Errorf("%d files are scanned (%v), want the picture", n, err)
		}
		w.send(w.admin, "GET", address+"?variant=small", "").want(200)
		w.send(w.admin, "GET", address+"?variant=small", "").want(200) // which was kept
	})
}
