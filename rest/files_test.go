package rest_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"maps"
	"mime/multipart"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// filesIn keeps files in a folder of the test's own, as package app does in the program.
func filesIn(t testing.TB, engine *write.Engine) *files.Keeper {
	t.Helper()
	k := &files.Keeper{
		Log: quiet(t), DB: engine.DB, Store: &files.Folder{Path: filepath.Join(t.TempDir(), "files")},
		Reader: engine.Reader, Engine: engine, Targets: files.Targets(generated.Entities),
		Secrets: [][]byte{[]byte("of the test")},
	}
	around := k.Around()
	for name, own := range engine.Around {
		around[name] = write.Both(own, around[name])
	}
	maps.Copy(engine.Around, around)
	return k
}

// picture is a PNG of one pixel, different for each number.
func picture(n int) string {
	var b bytes.Buffer
	m := image.NewGray(image.Rect(0, 0, 1+n, 1))
	if err := png.Encode(&b, m); err != nil {
		panic(err)
	}
	return b.String()
}

// form has a part for each file, between the boundaries x.
func form(contents ...string) string {
	var b strings.Builder
	for _, content := range contents {
		b.WriteString("--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a.png\"\r\n\r\n" + content + "\r\n")
	}
	return b.String() + "--x--\r\n"
}

// upload stores a file for the field, and returns its address.
func (w *world) upload(v *viewer.Viewer, content string) string {
	w.t.Helper()
	a := w.send(v, "POST", "/api/v1/files?for=profile.avatar&name=ada.png", content, "Content-Type", "image/png").want(201)
	return a.data()["url"].(string)
}

// avatar sets the avatar of the user's profile.
func (w *world) avatar(v, of *viewer.Viewer, address string) *answer {
	w.t.Helper()
	body := `{"avatar":null}`
	if address != "" {
		body = fmt.Sprintf(`{"avatar":%q}`, address)
	}
	a := w.send(v, "PATCH", fmt.Sprintf("/api/v1/users/%d/profile", of.UserID), body)
	if a.Status == 201 { // the profile is made by the first one
		a.Status = 200
	}
	return a
}

// stored is how many blobs there are on the disk.
func (w *world) stored() (n int) {
	w.t.Helper()
	err := w.files.Store.Each(w.t.Context(), "", func(o files.Object) error {
		if !strings.HasPrefix(o.Key, "drafts/") {
			n++
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return n
}

func TestAFileIsUploadedShownAndRemoved(t *testing.T) {
	each(t, func(w *world) {
		content := picture(1)
		a := w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", content, "Content-Type", "application/octet-stream", "Content-Disposition", `attachment; filename="../../ada lovelace.png"`).want(201)
		a.keepsContract("POST", "/api/v1/files")
		address := a.data()["url"].(string)
		if a.data()["name"] != "ada lovelace.png" || a.data()["media_type"] != "image/png" || fmt.Sprint(a.data()["size"]) != fmt.Sprint(len(content)) || a.Header.Get("Location") != "/api/v1"+strings.TrimPrefix(address, "/api") {
			w.t.Errorf("the answer is %s", a.Raw)
		}

		// Its uploader alone reads it until a row has it.
		w.send(w.ada, "GET", address, "").want(200)
		for _, v := range []*viewer.Viewer{w.bob, w.admin, w.nobody} {
			w.send(v, "GET", address, "").want(404)
		}
		w.avatar(w.ada, w.ada, address).want(200)
		got := w.do(w.bob, "GET", fmt.Sprintf("/api/v1/users/%d/profile", w.ada.UserID), "").want(200)
		if got.data()["avatar"] != address {
			w.t.Errorf("the profile is %s", got.Raw)
		}
		got = w.send(w.bob, "GET", address, "").want(200)
		if got.Raw != content {
			w.t.Errorf("%d bytes are downloaded, want the %d that were uploaded", len(got.Raw), len(content))
		}
		for name, want := range map[string]string{
			"Content-Type": "image/png", "Content-Disposition": `inline; filename="ada lovelace.png"`, "Accept-Ranges": "bytes",
			"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox", "Cache-Control": "private, no-cache",
		} {
			if got.Header.Get(name) != want {
				w.t.Errorf("%s: %q, want %q", name, got.Header.Get(name), want)
			}
		}
		w.send(w.nobody, "GET", address, "").want(404)

		// Another picture takes its place, and then none.
		second := w.upload(w.ada, picture(2))
		w.avatar(w.ada, w.ada, second).want(200)
		w.send(w.ada, "GET", address, "").want(404)
		w.send(w.ada, "GET", second, "").want(200)
		if w.stored() != 2 {
			w.t.Errorf("%d are stored before the sweep, want 2", w.stored())
		}
		w.swept(1)
		if w.stored() != 1 {
			w.t.Errorf("%d are stored after the sweep, want 1", w.stored())
		}
		w.send(w.bob, "DELETE", second, "").want(403)
		w.send(w.ada, "DELETE", second, "").want(204)
		if got := w.do(w.ada, "GET", fmt.Sprintf("/api/v1/users/%d/profile", w.ada.UserID), "").want(200); got.data()["avatar"] != nil {
			w.t.Errorf("after the removal the profile is %s", got.Raw)
		}
		w.swept(1)
		if w.stored() != 0 {
			w.t.Errorf("%d are stored after all are removed", w.stored())
		}
	})
}

// swept fails unless a sweep removes so many files.
func (w *world) swept(want int) {
	w.t.Helper()
	if n, err := w.files.Sweep(context.Background()); n != want || err != nil {
		w.t.Fatalf("the sweep removes %d files (%v), want %d", n, err, want)
	}
}

func TestEachPartOfAFileIsServed(t *testing.T) {
	each(t, func(w *world) {
		content := picture(3)
		address := w.upload(w.ada, content)
		part := w.send(w.ada, "GET", address, "", "Range", "bytes=10-19").want(206)
		if part.Raw != content[10:20] || part.Header.Get("Content-Range") != fmt.Sprintf("bytes 10-19/%d", len(content)) {
			w.t.Errorf("%q with %v", part.Raw, part.Header)
		}
		tag := part.Header.Get("Etag")
		w.send(w.ada, "GET", address, "", "If-None-Match", tag).want(304)
		if got := w.send(w.ada, "GET", address, "", "Range", "bytes=-5", "If-Range", tag).want(206); got.Raw != content[len(content)-5:] {
			w.t.Errorf("the last five are %q", got.Raw)
		}
		w.send(w.ada, "GET", address, "", "Range", fmt.Sprintf("bytes=%d-", len(content))).want(416)
		w.send(w.ada, "GET", address, "", "Range", "bytes=99999999999999999999-").want(416)
		if got := w.send(w.ada, "GET", address, "", "Range", "bytes=1-99999999999999999999").want(206); got.Raw != content[1:] {
			w.t.Errorf("a range that ends beyond any number is %q", got.Raw)
		}
		if got := w.send(w.ada, "HEAD", address, "").want(200); got.Raw != "" || got.Header.Get("Content-Length") != fmt.Sprint(len(content)) {
			w.t.Errorf("HEAD: %v", got.Header)
		}
	})
}

// Of a file of 10 GB, which is sparse here, a range is read alone.
func TestARangeOfALargeFileIsServed(t *testing.T) {
	each(t, func(w *world) {
		const size, end = 10_000_000_000, "the end"
		address := w.upload(w.ada, picture(1))
		folder := w.files.Store.(*files.Folder)
		var key string
		err := folder.Each(w.t.Context(), "", func(o files.Object) error {
			if !strings.HasPrefix(o.Key, "drafts/") {
				key = o.Key
			}
			return nil
		})
		if err != nil {
			w.t.Fatal(err)
		}
		stored, err := os.OpenFile(filepath.Join(folder.Path, key), os.O_WRONLY, 0)
		if err != nil {
			w.t.Fatal(err)
		}
		_, err = stored.WriteAt([]byte(end), size-int64(len(end)))
		if err := errors.Join(err, stored.Close()); err != nil {
			w.t.Fatal(err)
		}
		if _, err := w.db.ExecContext(w.system, "UPDATE blobs SET size = $1", int64(size)); err != nil {
			w.t.Fatal(err)
		}
		part := w.send(w.ada, "GET", address, "", "Range", "bytes=-7").want(206)
		if part.Raw != end || part.Header.Get("Content-Range") != fmt.Sprintf("bytes %d-%d/%d", size-len(end), size-1, size) {
			w.t.Errorf("%q with %v", part.Raw, part.Header)
		}
	})
}

func TestUploadsThatAreRefused(t *testing.T) {
	each(t, func(w *world) {
		content := picture(1)
		sum := func(content string) string {
			sum := sha256.Sum256([]byte(content))
			return "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
		}
		for name, c := range map[string]struct {
			v       *viewer.Viewer
			query   string
			content string
			headers []string
			status  int
		}{
			"it is sent by nobody":                {w.nobody, "for=profile.avatar", content, nil, 401},
			"no field has the name":               {w.ada, "for=profile.bio", content, nil, 400},
			"no field is named":                   {w.ada, "", content, nil, 400},
			"it is empty":                         {w.ada, "for=profile.avatar", "", nil, 400},
			"it is HTML that calls itself a PNG":  {w.ada, "for=profile.avatar&name=a.png", "<html><script>alert(1)</script>", []string{"Content-Type", "image/png"}, 415},
			"it is SVG":                           {w.ada, "for=profile.avatar", `<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, []string{"Content-Type", "image/png"}, 415},
			"it is text":                          {w.ada, "for=profile.avatar", "text", nil, 415},
			"it is too large":                     {w.ada, "for=profile.avatar", content + strings.Repeat("x", 5<<20), nil, 413},
			"its digest is another":               {w.ada, "for=profile.avatar", content, []string{"Content-Digest", sum("other")}, 422},
			"its representation's is another":     {w.ada, "for=profile.avatar", content, []string{"Repr-Digest", sum("other")}, 422},
			"its digest is malformed":             {w.ada, "for=profile.avatar", content, []string{"Content-Digest", "sha-256=:AA:"}, 400},
			"its digest is none":                  {w.ada, "for=profile.avatar", content, []string{"Content-Digest", "garbage"}, 400},
			"it is a form without the part":       {w.ada, "for=profile.avatar", "--x\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--x--\r\n", []string{"Content-Type", "multipart/form-data; boundary=x"}, 400},
			"it is a form that ends early":        {w.ada, "for=profile.avatar", "--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n" + content, []string{"Content-Type", "multipart/form-data; boundary=x"}, 400},
			"it is a form of two files":           {w.ada, "for=profile.avatar", form(content, picture(2)), []string{"Content-Type", "multipart/form-data; boundary=x"}, 400},
			"it is a form of a file and its like": {w.ada, "for=profile.avatar", form(content, content), []string{"Content-Type", "multipart/form-data; boundary=x"}, 400},
			"it is a form without its end":        {w.ada, "for=profile.avatar", strings.TrimSuffix(form(content), "--x--\r\n") + "--x\r\nContent-Dis", []string{"Content-Type", "multipart/form-data; boundary=x"}, 400},
			"it is a form of another kind":        {w.ada, "for=profile.avatar", "--x--", []string{"Content-Type", "multipart/mixed; boundary=x"}, 415},
			"its digest is right":                 {w.ada, "for=profile.avatar", content, []string{"Content-Digest", sum(content), "Repr-Digest", sum(content)}, 201},
			"its digest is of an algorithm apart": {w.ada, "for=profile.avatar", content, []string{"Content-Digest", "md5=:AA==:"}, 201},
		} {
			headers := append([]string{"Content-Type", "application/octet-stream"}, c.headers...)
			if a := w.send(c.v, "POST", "/api/v1/files?"+c.query, c.content, headers...); a.Status != c.status {
				w.t.Errorf("where %s: %d, want %d: %s", name, a.Status, c.status, a.Raw)
			}
		}
		for _, kind := range []string{"application/octet-stream", "multipart/form-data; boundary=x"} {
			for _, begins := range []string{"", content, "--x\r\nContent-Disposition: form-data; name=\"file\"\r\n\r\n" + content} {
				body := io.MultiReader(strings.NewReader(begins), iotest.ErrReader(errors.New("invalid byte in chunk length")))
				if a := w.sendBody(w.ada, "POST", "/api/v1/files?for=profile.avatar", body, "Content-Type", kind); a.Status != 400 && a.Status != 415 {
					w.t.Errorf("where the chunks of a body of %s are malformed: %d %s", kind, a.Status, a.Raw)
				}
			}
		}
		if w.stored() != 1 {
			w.t.Errorf("%d are stored, want the one that was taken twice", w.stored())
		}
		if left, _ := filepath.Glob(filepath.Join(w.files.Store.String(), "drafts", "*")); len(left) > 0 {
			w.t.Errorf("refused uploads leave %v", left)
		}
	})
}

func TestAFormUploadsAFile(t *testing.T) {
	each(t, func(w *world) {
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		_ = form.WriteField("before", "passed over")
		part, _ := form.CreateFormFile("file", "Grüße.png")
		_, _ = part.Write([]byte(picture(1)))
		_ = form.Close()
		a := w.send(w.ada, "POST", "/api/v2/files?for=profile.avatar", body.String(), "Content-Type", form.FormDataContentType()).want(201)
		file, _ := a.data()["file"].(map[string]any)
		address, _ := file["url"].(string)
		if address == "" {
			w.t.Fatalf("v2 answers %s", a.Raw)
		}
		got := w.send(w.ada, "GET", strings.Replace(address, "/api/", "/api/v2/", 1), "").want(200)
		if disposition := got.Header.Get("Content-Disposition"); disposition != `inline; filename="Gr__e.png"; filename*=UTF-8''Gr%C3%BC%C3%9Fe.png` {
			w.t.Errorf("Content-Disposition: %s", disposition)
		}
		escaped := "--x\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a%22b%41.png\"\r\n\r\n" + picture(1) + "\r\n--x--\r\n"
		if name := w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", escaped, "Content-Type", "multipart/form-data; boundary=x").want(201).data()["name"]; name != `a"b%41.png` {
			w.t.Errorf("a browser's file a\"b%%41.png is stored as %v", name)
		}
	})
}

// A file of another user is neither read, taken nor removed, by any address.
func TestFilesOfOthers(t *testing.T) {
	each(t, func(w *world) {
		ours, theirs := w.upload(w.ada, picture(1)), w.upload(w.bob, picture(1))
		if w.stored() != 2 {
			w.t.Errorf("%d are stored: bytes of two users are not shared", w.stored())
		}
		if again := w.upload(w.ada, picture(1)); again == ours || w.stored() != 2 {
			w.t.Errorf("%d are stored: those of one user are shared, at an address of their own", w.stored())
		}
		w.avatar(w.bob, w.bob, theirs).want(200)
		for name, address := range map[string]string{
			"that another has uploaded": ours, "that another row has": theirs, "of none": "/api/files/" + strings.Repeat("a", 26),
		} {
			if name == "that another has uploaded" {
				w.avatar(w.bob, w.bob, address).want(422)
				continue
			}
			w.avatar(w.ada, w.ada, address).want(422)
		}
		w.avatar(w.ada, w.ada, "/api/files/../secret").want(422)
		own := w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", picture(9), "Content-Type", "image/png").want(201).data()["url"].(string)
		for _, base := range []string{"http://127.0.0.1:8080", "https://example.com/api/v1"} { // else it would be removed: no row has it
			w.avatar(w.ada, w.ada, strings.Replace(base+own, "/api/v1/api/", "/api/v1/", 1)).want(422).has("must be " + own)
		}
		w.avatar(w.ada, w.ada, "https://example.com/ada.png").want(200)
		w.avatar(w.bob, w.bob, theirs).want(200) // unchanged
		w.avatar(w.admin, w.bob, theirs).want(200)
		w.send(w.bob, "DELETE", ours, "").want(404)
		w.send(w.nobody, "DELETE", ours, "").want(401)
		w.send(w.ada, "DELETE", theirs, "").want(403)
		w.send(w.ada, "DELETE", ours, "").want(204)
		w.send(w.ada, "GET", ours, "").want(404)
	})
}

func TestAFileGoesWithItsRow(t *testing.T) {
	each(t, func(w *world) {
		address := w.upload(w.bob, picture(1))
		w.avatar(w.bob, w.bob, address).want(200)
		user := fmt.Sprintf("/api/v1/users/%d", w.bob.UserID)
		w.send(w.admin, "DELETE", user, "").want(204)
		w.send(w.ada, "GET", address, "").want(404)
		w.swept(0)
		w.send(w.admin, "POST", user+"/restore", "").want(200)
		w.send(w.ada, "GET", address, "").want(200)
		w.send(w.admin, "DELETE", user+"?hard=true", "").want(204)
		w.send(w.ada, "GET", address, "").want(404)
		w.swept(1)
		if w.stored() != 0 {
			w.t.Errorf("%d are stored after the row is gone", w.stored())
		}
	})
}

func TestALinkToAFileNeedsNoCredentials(t *testing.T) {
	each(t, func(w *world) {
		address := w.upload(w.ada, picture(1))
		w.avatar(w.ada, w.ada, address).want(200)
		a := w.send(w.bob, "GET", address+"/link?seconds=60", "").want(200)
		link := a.data()["url"].(string)
		w.send(w.nobody, "GET", link, "").want(200)
		w.send(w.nobody, "GET", address+"/link", "").want(401)
		w.send(w.nobody, "GET", link[:len(link)-2]+"AA", "").want(403)
		other := w.upload(w.bob, picture(2))
		_, token, _ := strings.Cut(link, "?")
		w.send(w.nobody, "GET", other+"?"+token, "").want(403)

		// It is worth what its maker may read when it is followed.
		key := strings.TrimPrefix(address, "/api/files/")
		token = strings.TrimPrefix(token, "token=")
		if _, err := w.files.Follow(w.t.Context(), key, "", token, time.Now().Add(61*time.Second)); err == nil {
			w.t.Error("a link is good after its time")
		}
		w.files.Links.Caller = func(context.Context, int64, int64) (*viewer.Viewer, error) { return nil, nil }
		w.send(w.nobody, "GET", link, "").want(403)
	})
}

// The id of an upload with a key is made with a secret, and is found again once there is another.
func TestTheIDOfAnUploadCannotBeComputed(t *testing.T) {
	eachStore(t, func(w *world) {
		upload := func(key string) string {
			return w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", picture(1), "Idempotency-Key", key).want(201).data()["id"].(string)
		}
		begin := func(key string) string {
			return w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", "", "Upload-Complete", "?0", "Upload-Length", "9", "Idempotency-Key", key).want(201).Header.Get("Location")
		}
		before, after := []byte("before"), []byte("after")
		w.files.Secrets = [][]byte{before, after}
		first, begun := upload("one"), begin("two")
		w.files.Secrets = [][]byte{after, before}
		if again, up := upload("one"), begin("two"); again != first || up != begun {
			w.t.Errorf("after a rotation %s is repeated as %s, and %s as %s", first, again, begun, up)
		}
		second := upload("three")
		w.files.Secrets = [][]byte{after}
		if again := upload("three"); again != second {
			w.t.Errorf("what was made after a rotation is %s, and its repetition %s", second, again)
		}
		if other := upload("one"); other == first {
			w.t.Errorf("with another secret the id is the same: %s", other)
		}
	})
}

func TestALinkLeadsToTheOriginOfFiles(t *testing.T) {
	each(t, func(w *world) {
		const origin = "https://files.example.com"
		w.files.Links.Origin, w.files.Frames = origin, []string{"'self'", "https://app.example.com"}
		id := strings.TrimPrefix(w.upload(w.ada, picture(1)), "/api/files/")
		link := w.send(w.ada, "GET", "/api/v1/files/"+id+"/link?seconds=60", "").want(200)
		link.keepsContract("GET", "/api/v1/files/{id}/link")
		path, begins := strings.CutPrefix(link.data()["url"].(string), origin)
		if !begins || !strings.HasPrefix(path, "/api/files/"+id+"?token=") {
			w.t.Fatalf("the link is %s", link.Raw)
		}
		const want = "default-src 'none'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'self' https://app.example.com"
		if got := w.send(w.nobody, "GET", path, "").want(200).Header.Get("Content-Security-Policy"); got != want {
			w.t.Errorf("the policy of the file is %q, want %q", got, want)
		}
	})
}

// Caches keep a file as the row that has it, and ask each time for what a link leads to, whose
// content they need not have sent again.
func TestCachesKeepFiles(t *testing.T) {
	each(t, func(w *world) {
		product := w.do(w.admin, "POST", "/api/v1/products", `{"name":"Slide rule","price":1}`).want(201).data()["id"]
		shown := w.send(w.admin, "POST", "/api/v1/files?for=product_picture.image", snapshot(300, 200)).want(201).data()["url"].(string)
		w.send(w.admin, "GET", shown, "").want(200)
		w.do(w.admin, "POST", "/api/v1/product-pictures", fmt.Sprintf(`{"product_id":%v,"image":%q}`, product, shown)).want(201)
		own := w.upload(w.ada, picture(1))
		w.avatar(w.ada, w.ada, own).want(200)
		link := w.send(w.ada, "GET", own+"/link", "").want(200).data()["url"].(string)
		for name, c := range map[string]struct {
			v    *viewer.Viewer
			path string
			want string
		}{
			"a picture of a product":             {w.nobody, shown, "public, max-age=60"},
			"its variant":                        {w.nobody, shown + "?variant=small", "public, max-age=60"},
			"a picture of a product, for a user": {w.bob, shown, "private, no-cache"},
			"an avatar":                          {w.bob, own, "private, no-cache"},
			"a link":                             {w.nobody, link, "public, no-cache"},
		} {
			got := w.send(c.v, "GET", c.path, "").want(200)
			if cache := got.Header.Get("Cache-Control"); cache != c.want {
				w.t.Errorf("%s: Cache-Control is %q, want %q", name, cache, c.want)
			}
			w.send(c.v, "GET", c.path, "", "If-None-Match", got.Header.Get("Etag")).want(304)
		}
		w.avatar(w.ada, w.ada, "").want(200)
		w.send(w.nobody, "GET", link, "", "If-None-Match", `"any"`).want(404)
	})
}

func TestALinkIsFollowedAfterARotation(t *testing.T) {
	each(t, func(w *world) {
		before, after := []byte("before"), []byte("after")
		w.files.Links.Keys = [][]byte{before}
		id := strings.TrimPrefix(w.upload(w.ada, picture(1)), "/api/files/")
		link := w.send(w.ada, "GET", "/api/v1/files/"+id+"/link", "").want(200).data()["url"].(string)
		w.files.Links.Keys = [][]byte{after, before}
		w.send(w.nobody, "GET", link, "").want(200)
		w.files.Links.Keys = [][]byte{after}
		w.send(w.nobody, "GET", link, "").want(403)
	})
}

func TestAnUploadIsRepeatedWithoutDoubling(t *testing.T) {
	each(t, func(w *world) {
		upload := func(v *viewer.Viewer, content, key string) *answer {
			return w.send(v, "POST", "/api/v1/files?for=profile.avatar&name=ada.png", content, "Content-Type", "image/png", "Idempotency-Key", key)
		}
		made := upload(w.ada, picture(1), "one").want(201)
		first := made.data()
		if got, want := made.Header.Get("Location"), "/api/v1/files/"+first["id"].(string); got != want {
			w.t.Errorf("Location is %s, want %s", got, want)
		}
		repeated := upload(w.ada, picture(1), "one").want(201)
		again := repeated.data()
		if repeated.Header.Get("Idempotency-Replayed") != "true" {
			w.t.Errorf("the repetition has the headers %v", repeated.Header)
		}
		if first["id"] != again["id"] || first["created_at"] != again["created_at"] || w.fileRows() != 1 || w.stored() != 1 {
			w.t.Errorf("the repetition of %v is answered %v: there are %d files and %d blobs", first, again, w.fileRows(), w.stored())
		}
		if quoted := upload(w.ada, picture(1), `"one"`).want(201).data(); quoted["id"] != first["id"] {
			w.t.Errorf("a quoted key makes %v, want the file of the bare one, %v", quoted, first)
		}
		for _, key := range []string{"", strings.Repeat("k", 256), "a\tb"} {
			upload(w.ada, picture(1), key).want(400)
			w.send(w.ada, "POST", "/api/v1/files?for=profile.avatar", "", "Upload-Complete", "?0", "Idempotency-Key", key).want(400)
		}
		upload(w.ada, picture(2), "one").want(422)
		if w.stored() != 1 {
			w.t.Errorf("%d are stored after a key was used for another file", w.stored())
		}
		if other := upload(w.bob, picture(1), "one").want(201).data(); other["id"] == first["id"] {
			w.t.Error("two users have the same file")
		}
		for _, query := range []string{"for=profile.avatar&name=eve.png", "for=profile.avatar", "for=comment_attachment.file&name=ada.png"} {
			a := w.send(w.ada, "POST", "/api/v1/files?"+query, picture(1), "Idempotency-Key", "one").want(422)
			a.has("IDEMPOTENCY_KEY_REUSED")
			w.send(w.ada, "POST", "/api/v1/files?"+query, "", "Upload-Complete", "?0", "Idempotency-Key", "begun "+query).want(201)
			w.send(w.ada, "POST", "/api/v1/files?for=comment_attachment.file&name=eve.png", "", "Upload-Complete", "?0", "Idempotency-Key", "begun "+query).want(422).has("IDEMPOTENCY_KEY_REUSED")
		}
		address := first["url"].(string)
		w.avatar(w.ada, w.ada, address).want(200)
		if again := upload(w.ada, picture(1), "one").want(201).data(); again["url"] != address {
			w.t.Errorf("once a row has it the repetition is answered %v", again)
		}
		w.send(w.ada, "DELETE", "/api/v1/files/"+first["id"].(string), "").want(204)
		upload(w.ada, picture(1), "one").want(404)
	})
}
