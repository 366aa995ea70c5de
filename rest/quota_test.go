package rest_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/viewer"
)

// used is how many bytes the API says are stored for the viewer.
func (w *world) used(v *viewer.Viewer) int64 {
	w.t.Helper()
	a := w.send(v, "GET", "/api/v1/files/usage", "").want(200)
	a.keepsContract("GET", "/api/v1/files/usage")
	return int64(a.data()["own"].(map[string]any)["used"].(float64))
}

// announced sends a body that is said to have so many bytes, and must not be read.
func (w *world) announced(v *viewer.Viewer, path string, length int64) *httptest.ResponseRecorder {
	w.t.Helper()
	r := httptest.NewRequest("POST", path, unreadable{w.t})
	r.ContentLength = length
	recorder := httptest.NewRecorder()
	w.handler.ServeHTTP(recorder, r.WithContext(viewer.With(w.t.Context(), v)))
	return recorder
}

type unreadable struct{ t testing.TB }

// Read implements io.Reader.
func (u unreadable) Read([]byte) (int, error) {
	u.t.Error("a body is read that can't be taken")
	return 0, io.ErrUnexpectedEOF
}

func TestAQuotaBoundsWhatIsStored(t *testing.T) {
	eachStore(t, func(w *world) {
		const path = "/api/v1/files?for=comment_attachment.file"
		w.files.Quotas = files.Quotas{Owner: 1000}
		w.send(w.nobody, "GET", "/api/v1/files/usage", "").want(401)
		if got := w.send(w.ada, "GET", "/api/v1/files/usage", "").want(200).Raw; got != `{"status":"success","data":{"own":{"used":0,"quota":1000},"tenant":null}}` {
			w.t.Errorf("nothing is stored, and the usage is %s", got)
		}
		if n := storetest.Count(w.t, w.db, "file_usages"); n != 0 {
			w.t.Errorf("to read the usage has made %d rows, which a replica can't", n)
		}
		first := w.send(w.ada, "POST", path, strings.Repeat("a", 600), "Idempotency-Key", "k").want(201).data()["url"].(string)
		w.send(w.ada, "POST", path, strings.Repeat("a", 600)[:300]).want(201)
		if got := w.used(w.ada); got != 900 {
			w.t.Errorf("%d bytes are used, want 900", got)
		}

		// More is refused: before the body is read where its length is known, and else while it is.
		const says = "900 of 1000 bytes are used by your files: 100 more are allowed, and 101 are needed"
		if refused := w.announced(w.ada, path, 101); refused.Code != 413 || !strings.Contains(refused.Body.String(), says) {
			w.t.Errorf("101 bytes more are answered %d: %s", refused.Code, refused.Body)
		}
		const details = `[{"field":"limit","message":"1000 bytes are allowed for your files","value":1000},{"field":"used","message":"900 bytes are used","value":900},{"field":"asked","message":"101 bytes are needed","value":101}]`
		for _, accepted := range []string{"application/json", "application/problem+json"} {
			w.send(w.ada, "POST", path, strings.Repeat("b", 101), "Accept", accepted).want(413).has(details)
		}
		w.send(w.ada, "POST", strings.Replace(path, "v1", "v2", 1), strings.Repeat("b", 101)).want(413).
			has(`"errors":{"asked":"101 bytes are needed","limit":"1000 bytes are allowed for your files","used":"900 bytes are used"}`)
		w.sendBody(w.ada, "POST", path, unprinted{strings.NewReader(strings.Repeat("b", 101))}).want(413).has("900 of 1000")
		if got := w.used(w.ada); got != 900 {
			w.t.Errorf("%d bytes are used after two were refused, want 900", got)
		}
		w.send(w.bob, "POST", path, strings.Repeat("b", 101)).want(201) // whose quota is another

		// A content of the caller's own files is used again where they send its hash, and one of
		// others is not.
		digest := func(content string) string {
			sum := sha256.Sum256([]byte(content))
			return "sha-256=:" + base64.StdEncoding.EncodeToString(sum[:]) + ":"
		}
		twice := w.send(w.ada, "POST", path, strings.Repeat("a", 600), "Repr-Digest", digest(strings.Repeat("a", 600))).want(201).data()["url"].(string)
		w.send(w.ada, "POST", path, strings.Repeat("c", 600), "Repr-Digest", digest(strings.Repeat("a", 600))).want(422)
		w.send(w.ada, "POST", path, strings.Repeat("a", 600)).want(413)
		w.send(w.ada, "POST", path, strings.Repeat("b", 101), "Repr-Digest", digest(strings.Repeat("b", 101))).want(413)
		if got := w.used(w.ada); got != 900 {
			w.t.Errorf("%d bytes are used after the same content was uploaded again, want 900", got)
		}

		// A repetition is answered, and the rest can be used.
		w.send(w.ada, "POST", path, strings.Repeat("c", 100)).want(201)
		w.send(w.ada, "POST", path, "d").want(413)
		w.send(w.ada, "POST", path, strings.Repeat("a", 600), "Idempotency-Key", "k").want(201)

		// The room of a removed file is free again.
		w.send(w.ada, "DELETE", first, "").want(204)
		w.send(w.ada, "DELETE", twice, "").want(204)
		w.swept(2)
		if got := w.used(w.ada); got != 400 {
			w.t.Errorf("%d bytes are used after the removal, want 400", got)
		}

		// Uploads in several requests count as they arrive, and not twice once they are whole.
		w.send(w.ada, "POST", path, "", "Upload-Complete", "?0", "Upload-Length", "601").want(413)
		begun := func(length string) string {
			return w.send(w.ada, "POST", path, "", "Upload-Complete", "?0", "Upload-Length", length).want(201).Header.Get("Location")
		}
		up, other := begun("500"), begun("500")
		w.piece(w.ada, up, 0, strings.NewReader(strings.Repeat("e", 300)), false).want(204)
		w.piece(w.ada, other, 0, strings.NewReader(strings.Repeat("f", 200)), false).want(204)
		if got := w.used(w.ada); got != 900 {
			w.t.Errorf("%d bytes are used, want 900 with 500 of two uploads", got)
		}
		w.piece(w.ada, up, 300, strings.NewReader(strings.Repeat("e", 200)), true).want(413)
		w.send(w.ada, "DELETE", other, "").want(204)
		w.piece(w.ada, up, 300, strings.NewReader(strings.Repeat("e", 200)), true).want(201)
		if got := w.used(w.ada); got != 900 {
			w.t.Errorf("%d bytes are used, want 900 with the file", got)
		}

		// One that fills the quota is completed by an empty part, and one of unknown size is refused part by part.
		full := begun("100")
		w.piece(w.ada, full, 0, strings.NewReader(strings.Repeat("g", 100)), false).want(204)
		w.piece(w.ada, full, 100, strings.NewReader(""), true).want(201)
		w.send(w.ada, "DELETE", strings.TrimSuffix(full, "/upload"), "").want(204)
		w.swept(1)
		unknown := w.send(w.ada, "POST", path, "", "Upload-Complete", "?0").want(201).Header.Get("Location")
		w.piece(w.ada, unknown, 0, unprinted{strings.NewReader(strings.Repeat("h", 101))}, false).want(413)
		w.at(w.ada, unknown, 0, "?0")
		w.recounted()
	})
}

// recounted fails unless what is counted is what there is.
func (w *world) recounted() {
	w.t.Helper()
	if n, err := w.files.Recount(w.t.Context()); n != 0 || err != nil {
		w.t.Errorf("%d counts differ from what is stored (%v)", n, err)
	}
}

func TestManyUploadersShareAQuota(t *testing.T) {
	each(t, func(w *world) {
		const size, writers, quota = 100, 64, 1050
		w.files.Quotas = files.Quotas{Owner: quota}
		var taken, refused atomic.Int64
		var all sync.WaitGroup
		for i := range writers {
			all.Go(func() {
				content := fmt.Sprintf("%0*d", size, i)
				switch a := w.send(w.ada, "POST", "/api/v1/files?for=comment_attachment.file", content); a.Status {
				case 201:
					taken.Add(1)
				case 413:
					refused.Add(1)
				default:
					w.t.Errorf("an upload is answered %d: %s", a.Status, a.Raw)
				}
			})
		}
		all.Wait()
		if taken.Load() != quota/size || taken.Load()+refused.Load() != writers {
			w.t.Errorf("%d of %d uploads are taken, want %d", taken.Load(), writers, quota/size)
		}
		if got := w.used(w.ada); got != taken.Load()*size || w.stored() != int(taken.Load()) {
			w.t.Errorf("%d bytes are used by %d stored files, want those of %d", got, w.stored(), taken.Load())
		}
		w.recounted()
	})
}

func TestAQuotaOfAnOrganisation(t *testing.T) {
	each(t, func(w *world) {
		w.files.Quotas = files.Quotas{Tenant: 1000}
		in := func(v *viewer.Viewer) *viewer.Viewer { c := *v; c.Tenant = 7; return &c }
		ada, bob := in(w.ada), in(w.bob)
		const path = "/api/v1/files?for=comment_attachment.file"
		made := w.send(ada, "POST", path, strings.Repeat("a", 600)).want(201).data()["url"].(string)
		w.send(bob, "POST", path, strings.Repeat("a", 401)).want(413).has("600 of 1000 bytes are used by the files of your organisation: 400 more are allowed, and 401 are needed")
		w.send(bob, "POST", path, strings.Repeat("a", 400)).want(201)
		w.send(w.moderator, "POST", path, strings.Repeat("a", 5000)).want(201) // of none
		if got := w.send(bob, "GET", "/api/v1/files/usage", "").want(200).Raw; got != `{"status":"success","data":{"own":{"used":400,"quota":null},"tenant":{"used":1000,"quota":1000}}}` {
			w.t.Errorf("the usage is %s", got)
		}
		w.send(ada, "DELETE", made, "").want(204)
		w.swept(1)
		w.send(bob, "POST", path, strings.Repeat("b", 600)).want(201)
		w.recounted()
	})
}
