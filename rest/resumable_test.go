package rest_test

import (
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/files/s3/s3test"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// begun begins an upload for an avatar, by the draft, and returns its path.
func (w *world) begun(v *viewer.Viewer, length int, headers ...string) string {
	w.t.Helper()
	headers = append([]string{"Upload-Complete", "?0", "Upload-Length", fmt.Sprint(length)}, headers...)
	a := w.send(v, "POST", "/api/v1/files?for=profile.avatar&name=ada.png", "", headers...).want(201)
	if a.Raw != "" || a.Header.Get("Upload-Offset") != "0" || !strings.HasPrefix(a.Header.Get("Upload-Limit"), "max-size=5242880, max-age=86") {
		w.t.Errorf("a begun upload is answered with %v: %q", a.Header, a.Raw)
	}
	return a.Header.Get("Location")
}

// piece sends a part of an upload, by the draft.
func (w *world) piece(v *viewer.Viewer, path string, offset int, body io.Reader, last bool) *answer {
	w.t.Helper()
	complete := "?0"
	if last {
		complete = "?1"
	}
	return w.sendBody(v, "PATCH", path, unprinted{body}, "Content-Type", "application/partial-upload", "Upload-Offset", fmt.Sprint(offset), "Upload-Complete", complete)
}

// keyIn is the id of an upload and of its file.
func keyIn(path string) string {
	return strings.TrimSuffix(strings.TrimPrefix(path, "/api/v1/files/"), "/upload")
}

// unprinted is a body that messages do not show.
type unprinted struct{ io.Reader }

// String implements fmt.Stringer.
func (unprinted) String() string { return "a part" }

// at fails unless so much of an upload has arrived.
func (w *world) at(v *viewer.Viewer, path string, offset int, complete string) {
	w.t.Helper()
	a := w.send(v, "HEAD", path, "")
	if a.Header.Get("Upload-Offset") != fmt.Sprint(offset) || a.Header.Get("Upload-Complete") != complete || complete == "?0" && a.Header.Get("Cache-Control") != "no-store" {
		w.t.Errorf("HEAD is answered %d with %v, want %d bytes, complete %s", a.Status, a.Header, offset, complete)
	}
}

// cut is a body that breaks off after so much of the content.
func cut(content string) io.Reader {
	return io.MultiReader(strings.NewReader(content), iotest.ErrReader(errors.New("connection reset")))
}

// eachStore runs the test on both databases, with files in a folder and in a bucket.
func eachStore(t *testing.T, test func(w *world)) {
	each(t, func(w *world) {
		test(w)
	})
	t.Run("bucket", func(t *testing.T) {
		each(t, func(w *world) {
			w.files.Store = s3test.Start(w.t).Open(w.t, "files")
			test(w)
		})
	})
}

func TestAnUploadGoesOnWhereItBrokeOff(t *testing.T) {
	eachStore(t, func(w *world) {
		content := largePicture()
		sum := sha256.Sum256([]byte(content))
		path := w.begun(w.ada, len(content), "Repr-Digest", "sha-256=:"+base64.StdEncoding.EncodeToString(sum[:])+":", "Content-Disposition", `inline; filename="of the disposition.png"`)
		if a := w.piece(w.ada, path, 0, cut(content[:50_000]), true); a.Status != 400 || a.Header.Get("Upload-Offset") != "50000" {
			w.t.Fatalf("a body that breaks off is answered %d with %v: %s", a.Status, a.Header, a.Raw)
		}
		w.at(w.ada, path, 50_000, "?0")
		address := "/api/files/" + keyIn(path)
		w.send(w.ada, "GET", address, "").want(404)

		// Another process goes on, over the same database and store.
		stored := w.files.Store
		w.handler = serve(w.t, w.config())
		w.files.Store = stored
		a := w.piece(w.ada, path, 50_000, strings.NewReader(content[50_000:60_000]), false).want(204)
		if a.Header.Get("Upload-Complete") != "?0" || a.Header.Get("Upload-Offset") != "60000" {
			w.t.Errorf("a part is answered with %v", a.Header)
		}
		if a := w.piece(w.ada, path, 50_000, strings.NewReader("x"), false).want(409); a.Header.Get("Upload-Offset") != "60000" {
			w.t.Errorf("a part of before is answered with %v", a.Header)
		}

		done := w.piece(w.ada, path, 60_000, strings.NewReader(content[60_000:]), true).want(201)
		done.keepsContract("PATCH", "/api/v1/files/{id}/upload")
		if done.data()["url"] != address || done.data()["name"] != "ada.png" || done.Header.Get("Upload-Complete") != "?1" {
			w.t.Errorf("the last part is answered with %v: %s", done.Header, done.Raw)
		}
		w.at(w.ada, path, len(content), "?1")
		if again := w.send(w.ada, "GET", path, "").want(200); again.data()["url"] != address {
			w.t.Errorf("a complete upload is answered %s", again.Raw)
		}
		w.piece(w.ada, path, len(content), strings.NewReader("x"), true).want(409)
		w.avatar(w.ada, w.ada, address).want(200)
		if got := w.send(w.bob, "GET", address, "").want(200); got.Raw != content {
			w.t.Errorf("%d bytes are downloaded, want the %d that were uploaded", len(got.Raw), len(content))
		}
		w.swept(0)
		w.noParts()
		w.sound()
	})
}

var partsText = statement.Of(`SELECT COUNT(*) FROM file_parts`)

// noParts fails where something of an upload is stored.
func (w *world) noParts() {
	w.t.Helper()
	n := 0
	if _, err := partsText.Row(w.system, w.db, []any{&n}); n > 0 || err != nil {
		w.t.Errorf("%d parts have rows (%v), want none", n, err)
	}
	err := w.files.Store.Each(w.t.Context(), "up", func(o files.Object) error {
		w.t.Errorf("%s is left", o.Key)
		return nil
	})
	if err != nil {
		w.t.Error(err)
	}
}

func TestUploadsOfTus(t *testing.T) {
	eachStore(t, func(w *world) {
		content := largePicture()
		encode := func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) }
		tus := func(v *viewer.Viewer, method, path, body string, headers ...string) *answer {
			a := w.send(v, method, path, body, append([]string{"Tus-Resumable", "1.0.0"}, headers...)...)
			if a.Header.Get("Tus-Resumable") != "1.0.0" {
				w.t.Errorf("%s %s is answered %d with %v", method, path, a.Status, a.Header)
			}
			return a
		}
		says := w.send(w.nobody, "OPTIONS", "/api/v1/files", "")
		if says.Status != 204 || says.Header.Get("Tus-Version") != "1.0.0" || !strings.Contains(says.Header.Get("Tus-Extension"), "creation-with-upload") ||
			says.Header.Get("Accept-Patch") != "application/partial-upload, application/offset+octet-stream" || says.Header.Get("Tus-Max-Size") == "" {
			w.t.Errorf("OPTIONS is answered %d with %v", says.Status, says.Header)
		}
		const part = "application/offset+octet-stream"
		a := tus(w.ada, "POST", "/api/v1/files?for=profile.avatar", content[:10_000], "Upload-Length", fmt.Sprint(len(content)), "Content-Type", part,
			"Upload-Metadata", "filetype "+encode("image/png")+",filename "+encode("Ä da.png")).want(201)
		path := a.Header.Get("Location")
		if expires, err := http.ParseTime(a.Header.Get("Upload-Expires")); err != nil || time.Until(expires) < 23*time.Hour || a.Header.Get("Upload-Offset") != "10000" {
			w.t.Errorf("the creation is answered with %v", a.Header)
		}
		if a := tus(w.ada, "HEAD", path, ""); a.Header.Get("Upload-Offset") != "10000" || a.Header.Get("Upload-Length") != fmt.Sprint(len(content)) {
			w.t.Errorf("HEAD is answered %d with %v", a.Status, a.Header)
		}
		tus(w.ada, "PATCH", path, content[10_000:20_000], "Upload-Offset", "10000", "Content-Type", part).want(204)
		done := tus(w.ada, "PATCH", path, content[20_000:], "Upload-Offset", "20000", "Content-Type", part).want(204)
		if done.Header.Get("Upload-Offset") != fmt.Sprint(len(content)) {
			w.t.Errorf("the last part is answered with %v", done.Header)
		}
		address := strings.Replace(done.Header.Get("Location"), "/api/v1/", "/api/", 1)
		if got := w.send(w.ada, "GET", address, "").want(200); got.Raw != content || !strings.Contains(got.Header.Get("Content-Disposition"), "%C3%84%20da.png") {
			w.t.Errorf("%d bytes are downloaded with %v, want the %d that were uploaded", len(got.Raw), got.Header, len(content))
		}

		// A part is compared with its checksum: of one that has another, nothing is kept.
		summed := tus(w.ada, "POST", "/api/v1/files?for=profile.avatar", "", "Upload-Length", fmt.Sprint(len(content))).want(201).Header.Get("Location")
		short, long := sha1.Sum([]byte(content[:10_000])), sha512.Sum512([]byte(content[10_000:]))
		for sum, status := range map[string]int{
			"sha1 " + base64.StdEncoding.EncodeToString(long[:20]): 460, "sha1 AAAA": 400, "md5 1B2M2Y8AsgTpgAmY7PhCfg==": 400, "sha256": 400,
		} {
			refused := tus(w.ada, "PATCH", summed, content[:10_000], "Upload-Offset", "0", "Content-Type", part, "Upload-Checksum", sum).want(status)
			if refused.Header.Get("Upload-Offset") != "0" {
				w.t.Errorf("%s is answered with %v", sum, refused.Header)
			}
		}
		tus(w.ada, "PATCH", summed, content[:10_000], "Upload-Offset", "0", "Content-Type", part, "Upload-Checksum", "sha1 "+base64.StdEncoding.EncodeToString(short[:])).want(204)
		tus(w.ada, "PATCH", summed, content[10_000:], "Upload-Offset", "10000", "Content-Type", part, "Upload-Checksum", "sha512 "+base64.StdEncoding.EncodeToString(long[:])).want(204).header("Location")
		if got := says.Header.Get("Tus-Checksum-Algorithm"); got != "sha1,sha256,sha512" {
			w.t.Errorf("OPTIONS says the algorithms %s", got)
		}

		// The length may come later, and an upload may be ended.
		late := tus(w.ada, "POST", "/api/v1/files?for=profile.avatar", "", "Upload-Defer-Length", "1").want(201).Header.Get("Location")
		tus(w.ada, "PATCH", late, content[:5000], "Upload-Offset", "0", "Content-Type", part).want(204)
		tus(w.ada, "PATCH", late, content[5000:], "Upload-Offset", "5000", "Upload-Length", fmt.Sprint(len(content)), "Content-Type", part).want(204).header("Location")
		ended := tus(w.ada, "POST", "/api/v1/files?for=profile.avatar", content[:5000], "Upload-Length", "9000", "Content-Type", part).want(201).Header.Get("Location")
		tus(w.bob, "DELETE", ended, "").want(404)
		tus(w.ada, "DELETE", ended, "").want(204)
		tus(w.ada, "HEAD", ended, "").want(404)
		w.swept(0)
		w.noParts()

		for says, c := range map[string]struct {
			method, path string
			status       int
			headers      []string
		}{
			"another version":        {"POST", "/api/v1/files?for=profile.avatar", 412, []string{"Tus-Resumable", "0.2.2", "Upload-Length", "9"}},
			"no length":              {"POST", "/api/v1/files?for=profile.avatar", 400, []string{"Tus-Resumable", "1.0.0"}},
			"a name without base64":  {"POST", "/api/v1/files?for=profile.avatar", 400, []string{"Tus-Resumable", "1.0.0", "Upload-Length", "9", "Upload-Metadata", "filename ?"}},
			"more than is taken":     {"POST", "/api/v1/files?for=profile.avatar", 413, []string{"Tus-Resumable", "1.0.0", "Upload-Length", "5242881"}},
			"nothing":                {"POST", "/api/v1/files?for=profile.avatar", 400, []string{"Tus-Resumable", "1.0.0", "Upload-Length", "0"}},
			"a part of another":      {"POST", "/api/v1/files?for=profile.avatar", 400, []string{"Tus-Resumable", "1.0.0", "Upload-Length", "9", "Upload-Concat", "partial"}},
			"a part of another kind": {"PATCH", path, 415, []string{"Tus-Resumable", "1.0.0", "Upload-Offset", "0", "Content-Type", "application/json"}},
			"a part without offset":  {"PATCH", path, 400, []string{"Tus-Resumable", "1.0.0", "Content-Type", part}},
		} {
			if a := w.send(w.ada, c.method, c.path, "", c.headers...); a.Status != c.status {
				w.t.Errorf("%s is answered %d, want %d: %s", says, a.Status, c.status, a.Raw)
			}
		}
	})
}

// header fails where the answer lacks it.
func (a *answer) header(name string) {
	if a.Header.Get(name) == "" {
		a.t.Errorf("%s lacks the header %s: %v", a.asked, name, a.Header)
	}
}

// The file of a resumable upload is validated as any other: at once by its beginning and
// its length, otherwise when it is whole. Then it is gone.
func TestResumableUploadsThatAreRefused(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		content := largePicture()
		other := sha256.Sum256([]byte("other"))
		for name, c := range map[string]struct {
			length int
			digest string
			parts  []string
			status int
			stays  bool
		}{
			"its type is not taken":         {9000, "", []string{strings.Repeat("text ", 1000)}, 415, false},
			"its type is known at its end":  {30, "", []string{"some ", "text ", strings.Repeat("x", 20)}, 415, false},
			"it is longer than was said":    {9000, "", []string{content[:9001]}, 400, true},
			"it is no picture":              {5000, "", []string{content[:5000]}, 422, false},
			"its digest is another":         {len(content), "sha-256=:" + base64.StdEncoding.EncodeToString(other[:]) + ":", []string{content}, 422, false},
			"its last part is not the last": {9000, "", []string{content[:100]}, 400, true},
		} {
			path := w.begun(w.ada, c.length, "Repr-Digest", c.digest)
			var a *answer
			sent := 0
			for i, part := range c.parts {
				// Without a length the header Upload-Complete is believed.
				a = w.piece(w.ada, path, sent, io.MultiReader(strings.NewReader(part)), i == len(c.parts)-1)
				sent += len(part)
			}
			if a.Status != c.status {
				w.t.Errorf("where %s: %d, want %d: %s", name, a.Status, c.status, a.Raw)
			}
			if gone := w.send(w.ada, "HEAD", path, "").Status == 404; gone == c.stays {
				w.t.Errorf("where %s: the upload is gone: %v", name, gone)
			}
			w.send(w.ada, "DELETE", path, "")
		}
		path := w.begun(w.ada, 9000)
		for _, headers := range [][]string{
			{"Content-Type", "application/partial-upload", "Upload-Offset", "0"},
			{"Content-Type", "application/partial-upload", "Upload-Offset", "0", "Upload-Complete", "yes"},
			{"Content-Type", "application/partial-upload", "Upload-Offset", "-1", "Upload-Complete", "?0"},
			{"Content-Type", "application/partial-upload", "Upload-Offset", "0", "Upload-Complete", "?1", "Upload-Length", "77"},
			{"Content-Type", "application/partial-upload", "Upload-Complete", "?1"},
		} {
			w.send(w.ada, "PATCH", path, "x", headers...).want(400)
		}
		media := w.send(w.ada, "PATCH", path, "{}", "Content-Type", "application/json", "Upload-Offset", "0", "Upload-Complete", "?0").want(415)
		media.header("Accept-Patch")
		if h := media.Header; h.Get("Tus-Version")+h.Get("Tus-Resumable")+h.Get("Tus-Max-Size") != "" || !strings.HasPrefix(h.Get("Upload-Limit"), "max-size=5242880,") {
			w.t.Errorf("a part of another kind is answered with %v", h)
		}
		says := w.send(w.nobody, "OPTIONS", "/api/v1/files?for=profile.avatar", "").Header
		if says.Get("Tus-Max-Size") != "5242880" || says.Get("Upload-Limit") != "max-size=5242880" {
			w.t.Errorf("OPTIONS for a field is answered with %v", says)
		}
		for _, headers := range [][]string{nil, {"Upload-Complete", "?1"}} {
			large := w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", strings.Repeat("x", 18_000_000), headers...).want(413)
			if !strings.Contains(large.Raw, "5242880") {
				w.t.Errorf("a body of 18 MB is answered %s", large.Raw)
			}
		}
		w.at(w.ada, path, 0, "?0")
		w.swept(0)
		w.noParts()
		if n := w.fileRows() + w.stored(); n != 0 {
			w.t.Errorf("%d files or blobs are left of what was refused", n)
		}
	})
}

// A part that is refused leaves its upload as it was, and the answer says where that is,
// in both protocols. The offset is judged first.
func TestPartsThatAreRefusedChangeNothing(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		content := largePicture()
		sum := func(s string) string {
			b := sha256.Sum256([]byte(s))
			return "sha-256=:" + base64.StdEncoding.EncodeToString(b[:]) + ":"
		}
		long := func(s string) string {
			b := sha512.Sum512([]byte(s))
			return "sha-512=:" + base64.StdEncoding.EncodeToString(b[:]) + ":"
		}
		rest := content[9000:]
		for protocol, always := range map[string][]string{
			"IETF": {"Content-Type", "application/partial-upload"},
			"tus":  {"Content-Type", "application/offset+octet-stream", "Tus-Resumable", "1.0.0"},
		} {
			path := w.begun(w.ada, len(content), "Repr-Digest", sum(content))
			// send sends a part with its length, or in chunks.
			send := func(body, offset, complete string, chunked bool, headers ...string) *answer {
				headers = append(append(headers, always...), "Upload-Offset", offset)
				if protocol == "IETF" {
					headers = append(headers, "Upload-Complete", complete)
				}
				var from io.Reader = strings.NewReader(body)
				if chunked {
					from = io.MultiReader(from)
				}
				return w.sendBody(w.ada, "PATCH", path, unprinted{from}, headers...)
			}
			send(content[:9000], "0", "?0", false, "Content-Digest", sum(content[:9000])).want(204)
			beyond := fmt.Sprint(len(content) + 5)
			for name, c := range map[string]struct {
				body, offset, complete string
				status                 int
				headers                []string
			}{
				"it begins beyond what has arrived, and is the last": {"abc", "9001", "?1", 409, nil},
				"it begins beyond the end":                           {"abc", beyond, "?1", 409, nil},
				"it begins beyond the end, and is not the last":      {"abc", beyond, "?0", 409, nil},
				"it begins elsewhere, with a malformed digest":       {"abc", "0", "?0", 409, []string{"Content-Digest", "garbage"}},
				"it is too long":                                  {rest + "abc", "9000", "?0", 400, nil},
				"it is too long, and the last":                    {rest + "abc", "9000", "?1", 400, nil},
				"its digest is malformed":                         {content[9000:9100], "9000", "?0", 400, []string{"Content-Digest", "sha-256=:AAAA:"}},
				"its digest is another":                           {content[9000:9100], "9000", "?0", 422, []string{"Content-Digest", sum("other")}},
				"its longer digest is another":                    {content[9000:9100], "9000", "?0", 422, []string{"Content-Digest", long("other")}},
				"it is the last, and its digest another":          {rest, "9000", "?1", 422, []string{"Content-Digest", sum(content)}},
				"the digest of the file is malformed":             {rest, "9000", "?1", 400, []string{"Repr-Digest", "sha-256=:AAAA:"}},
				"the digest of the file is not that of its begin": {rest, "9000", "?1", 400, []string{"Repr-Digest", sum(rest)}},
			} {
				for _, chunked := range []bool{false, true} {
					a := send(c.body, c.offset, c.complete, chunked, c.headers...)
					if a.Status != c.status || a.Header.Get("Upload-Offset") != "9000" || a.Header.Get("Upload-Length") != fmt.Sprint(len(content)) {
						w.t.Errorf("%s, where %s (in chunks: %v): %d with %v, want %d: %s", protocol, name, chunked, a.Status, a.Header, c.status, a.Raw)
					}
					w.at(w.ada, path, 9000, "?0")
				}
			}
			done := send(rest, "9000", "?1", true, "Content-Digest", sum(rest)+", "+long(rest), "Repr-Digest", long(content))
			if done.Status >= 300 {
				w.t.Errorf("%s: the rest is answered %d: %s", protocol, done.Status, done.Raw)
			}
			w.at(w.ada, path, len(content), "?1")
		}

		// A broken body can't be compared, and a length counts with the part that says it.
		path := w.begun(w.ada, len(content))
		part := []string{"Content-Type", "application/partial-upload", "Upload-Offset", "0", "Upload-Complete", "?0"}
		w.sendBody(w.ada, "PATCH", path, unprinted{cut(content[:5000])}, append(part, "Content-Digest", sum(content[:5000]))...).want(400)
		w.at(w.ada, path, 0, "?0")
		w.piece(w.ada, path, 0, strings.NewReader(content[:9000]), false).want(204)
		last := []string{"Content-Type", "application/partial-upload", "Upload-Offset", "9000", "Upload-Complete", "?1"}
		a := w.sendBody(w.ada, "PATCH", path, unprinted{strings.NewReader(rest)}, append(last, "Repr-Digest", long(rest))...).want(422)
		if a.Header.Get("Upload-Offset") != "" || a.Header.Get("Upload-Expires") != "" || w.send(w.ada, "HEAD", path, "").Status != 404 {
			w.t.Errorf("a file with another digest is answered with %v", a.Header)
		}
		late := w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", "", "Upload-Complete", "?0").want(201).Header.Get("Location")
		if a := w.send(w.ada, "PATCH", late, content[:5000], append(part, "Upload-Length", "7000", "Content-Digest", sum("other"))...).want(422); a.Header.Get("Upload-Length") != "" {
			w.t.Errorf("a part that is refused says how long the file is: %v", a.Header)
		}
		w.piece(w.ada, late, 0, strings.NewReader(content), true).want(201)
		w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", content, "Upload-Complete", "?1", "Content-Digest", "garbage").want(400)
		w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", content, "Upload-Complete", "?1", "Content-Digest", sum("other")).want(422)
	})
}

func TestResumableUploadsOfOthers(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		content := largePicture()
		path := w.begun(w.ada, len(content))
		w.piece(w.ada, path, 0, strings.NewReader(content[:9000]), false).want(204)
		none := "/api/v1/files/" + strings.Repeat("a", 26) + "/upload"
		for _, v := range []*viewer.Viewer{w.bob, w.admin, w.moderator} {
			for _, at := range []string{path, none} {
				w.send(v, "HEAD", at, "").want(404)
				w.send(v, "GET", at, "").want(404)
				w.piece(v, at, 9000, strings.NewReader(content[9000:]), true).want(404)
				w.send(v, "DELETE", at, "").want(404)
			}
		}
		w.send(w.nobody, "GET", path, "").want(401)
		w.piece(w.nobody, path, 9000, strings.NewReader("x"), true).want(401)
		w.at(w.ada, path, 9000, "?0")
		w.send(w.nobody, "POST", "/api/v1/files?for=profile.avatar", "", "Upload-Complete", "?0").want(401)
	})
}

// The parts of an upload become its file without a second copy: in a folder they are the same
// bytes of the disk, and in a bucket the store copies them.
func TestPartsOfAnUploadBecomeItsFile(t *testing.T) {
	content := strings.Repeat("a note ", 6<<20/7)
	const first = 5 << 20
	upload := func(w *world) string {
		up := w.send(w.ada, "POST", "/api/v1/files?for=comment_attachment.file", "", "Upload-Complete", "?0", "Upload-Length", fmt.Sprint(len(content))).want(201).Header.Get("Location")
		w.piece(w.ada, up, 0, strings.NewReader(content[:first]), false).want(204)
		return w.piece(w.ada, up, first, strings.NewReader(content[first:]), true).want(201).data()["url"].(string)
	}
	read := func(w *world, address string) {
		sum := sha256.Sum256([]byte(content))
		if got := w.send(w.ada, "GET", address, "").want(200); sha256.Sum256([]byte(got.Raw)) != sum {
			w.t.Errorf("%d other bytes are downloaded, want the %d that were sent", len(got.Raw), len(content))
		}
		if got := w.send(w.ada, "GET", address, "", "Range", fmt.Sprintf("bytes=%d-%d", first-10, first+9)).want(206); got.Raw != content[first-10:first+10] {
			w.t.Errorf("the range over the end of a part is %q", got.Raw)
		}
		if report, err := w.files.Check(w.t.Context(), true); err != nil || !report.Sound() || report.Bytes != int64(len(content)) {
			w.t.Errorf("the check of it is %+v (%v)", report, err)
		}
	}
	t.Run("folder", func(t *testing.T) {
		each(t, func(w *world) {
			address := upload(w)
			var bytes int64
			var seen []os.FileInfo
			err := filepath.Walk(w.files.Store.String(), func(_ string, info os.FileInfo, err error) error {
				if err == nil && info.Mode().IsRegular() && !slices.ContainsFunc(seen, func(other os.FileInfo) bool { return os.SameFile(info, other) }) {
					seen, bytes = append(seen, info), bytes+info.Size()
				}
				return err
			})
			if err != nil || bytes != int64(len(content)) {
				w.t.Errorf("%d bytes are on the disk for a file of %d (%v)", bytes, len(content), err)
			}
			read(w, address)
			w.swept(0)
			read(w, address)
			w.send(w.ada, "DELETE", address, "").want(204)
			w.swept(1)
			if w.stored() != 0 {
				w.t.Errorf("%d are stored after the removal", w.stored())
			}
		})
	})
	t.Run("bucket", func(t *testing.T) {
		each(t, func(w *world) {
			server := s3test.Start(w.t)
			w.files.Store = server.Open(w.t, "files")
			read(w, upload(w))
			if n := server.Copies.Load(); n != 1 {
				w.t.Errorf("the store has copied %d parts, want 1", n)
			}
		})
		each(t, func(w *world) { // of a store that can't
			server := s3test.Start(w.t)
			server.Refuse(501)
			w.files.Store = server.Open(w.t, "files")
			read(w, upload(w))
		})
	})
}

func TestABegunUploadIsRepeatedWithItsKey(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		content := largePicture()
		path := w.begun(w.ada, len(content), "Idempotency-Key", "one")
		if again := w.begun(w.ada, len(content), "Idempotency-Key", "one"); again != path {
			w.t.Errorf("the repetition is %s, want %s", again, path)
		}
		if other := w.begun(w.bob, len(content), "Idempotency-Key", "one"); other == path {
			w.t.Error("two users have one upload")
		}
		w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", "", "Upload-Complete", "?0", "Upload-Length", "7", "Idempotency-Key", "one").want(422)
		w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", content, "Upload-Complete", "?1", "Idempotency-Key", "one").want(422)
		made := w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar&name=ada.png", content, "Upload-Complete", "?1", "Idempotency-Key", "one").want(201)
		if made.data()["url"] != "/api/files/"+keyIn(path) {
			w.t.Errorf("the upload that was begun becomes %s", made.Raw)
		}
		for range mostBegun {
			w.begun(w.moderator, len(content))
		}
		w.send(w.moderator, "POST", "/api/v1/files?for=profile.avatar", "", "Upload-Complete", "?0").want(409)
	})
}

// mostBegun is how many uploads of one caller are under way.
const mostBegun = 100

var (
	laterText   = statement.Of(`UPDATE file_uploads SET expires_at = later(-1)`)
	uploadsText = statement.Of(`SELECT COUNT(*) FROM file_uploads`)
)

func TestUploadsExpire(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		content := largePicture()
		var paths []string
		for range 12 { // more than one batch
			path := w.begun(w.ada, len(content))
			w.piece(w.ada, path, 0, strings.NewReader(content[:9000]), false).want(204)
			paths = append(paths, path)
		}
		w.swept(0)
		w.at(w.ada, paths[0], 9000, "?0")
		if _, err := laterText.Exec(w.system, w.db); err != nil {
			w.t.Fatal(err)
		}
		w.send(w.ada, "HEAD", paths[0], "").want(404)
		w.piece(w.ada, paths[0], 9000, strings.NewReader(content[9000:]), true).want(404)
		w.swept(0)
		w.noParts()
		n := 0
		if _, err := uploadsText.Row(w.system, w.db, []any{&n}); n > 0 || err != nil {
			w.t.Errorf("%d uploads are left (%v)", n, err)
		}
	})
}

// A file that the store lacks, as after a restore of the database, is not found.
func TestAnUploadWhosePartsAreGoneIsRefused(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		content := largePicture()
		path := w.begun(w.ada, len(content))
		w.piece(w.ada, path, 0, strings.NewReader(content[:9000]), false).want(204)
		server := s3test.Start(w.t)
		folder := w.files.Store
		w.files.Store = server.Open(w.t, "files")
		server.Fail(server.Faults()["answers 500"])
		w.piece(w.ada, path, 9000, strings.NewReader(content[9000:]), true).want(503)
		w.at(w.ada, path, 9000, "?0")
		server.Fail(nil)
		w.piece(w.ada, path, 9000, strings.NewReader(content[9000:]), true).want(404)
		w.send(w.ada, "HEAD", path, "").want(404)

		// Objects without a row are collected.
		w.files.Store = folder
		filesLeft, err := w.files.Collect(w.t.Context(), time.Now().Add(time.Minute))
		if len(filesLeft) != 0 || err != nil {
			w.t.Errorf("%v are collected (%v), although the sweep removes them", filesLeft, err)
		}
		w.swept(0)
		w.noParts()
	})
}
