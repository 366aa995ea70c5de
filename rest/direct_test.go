package rest_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/files/s3/s3test"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

const (
	uploadsPath = "/api/v1/files/uploads"
	noted       = "?for=comment_attachment.file&name=note.txt"
)

// plan is the part of an answer about how to send a file.
func (a *answer) plan() (p files.Plan) {
	a.t.Helper()
	var body struct{ Data *files.Plan }
	body.Data = &p
	if err := json.Unmarshal([]byte(a.Raw), &body); err != nil {
		a.t.Fatalf("%s: %v", a.Raw, err)
	}
	return p
}

// sends does the requests of a plan, each with its part of the content.
func (w *world) sends(v *viewer.Viewer, parts []files.Send, content string) {
	w.t.Helper()
	for _, p := range parts {
		body := strings.NewReader(content[p.Offset : p.Offset+p.Size])
		if strings.HasPrefix(p.URL, "/") {
			var headers []string
			for _, h := range p.Headers {
				headers = append(headers, h.Name, h.Value)
			}
			w.sendBody(v, p.Method, p.URL, unprinted{body}, headers...).want(204)
			continue
		}
		r, err := http.NewRequestWithContext(w.t.Context(), p.Method, p.URL, body)
		if err != nil {
			w.t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			w.t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != http.StatusOK {
			w.t.Fatalf("%s %s is answered %s", p.Method, p.URL, answer.Status)
		}
	}
}

// eachWay runs the test on both databases, with files in a folder, and in a bucket to which clients
// send them.
func eachWay(t *testing.T, test func(w *world, direct bool)) {
	each(t, func(w *world) { test(w, false) })
	t.Run("bucket", func(t *testing.T) {
		each(t, func(w *world) {
			w.files.Store = s3test.Start(w.t).Direct(w.t, "files")
			test(w, true)
		})
	})
}

// Clients have one way, whichever store there is: they do the requests that they are answered with.
func TestAFileIsSentToTheAddressesOfItsParts(t *testing.T) {
	eachWay(t, func(w *world, direct bool) {
		content := strings.Repeat("0123456789abcdef", 12<<20/16/2) // of 6 MiB
		sum := sha256.Sum256([]byte(content))
		query := fmt.Sprintf("%s&size=%d&sha256=%x&part=%d&media_type=text/plain", noted, len(content), sum, 5<<20)
		begun := w.send(w.ada, "POST", uploadsPath+query, "", "Idempotency-Key", "k").want(201)
		begun.keepsContract("POST", uploadsPath)
		plan := begun.plan()
		if len(plan.Parts) != 2 || plan.Complete || *plan.Size != int64(len(content)) {
			w.t.Fatalf("the upload is %s", begun.Raw)
		}
		if direct == strings.HasPrefix(plan.Parts[0].URL, "/") {
			w.t.Errorf("a part is sent to %s", plan.Parts[0].URL)
		}
		if again := w.send(w.ada, "POST", uploadsPath+query, "", "Idempotency-Key", "k").want(201).plan(); again.ID != plan.ID || len(again.Parts) != 2 {
			w.t.Errorf("a repetition begins %+v", again)
		}
		upload, parts := "/api/v1/files/"+plan.ID+"/upload", "/api/v1/files/"+plan.ID+"/parts?part=5242880"
		w.sends(w.ada, plan.Parts[:1], content)
		w.send(w.ada, "PUT", upload, "").want(409)
		for _, who := range []*viewer.Viewer{w.bob, w.admin} { // it is its owner's alone
			w.send(who, "GET", parts, "").want(404)
			w.send(who, "PUT", upload, "").want(404)
		}
		w.send(w.nobody, "GET", parts, "").want(401)
		w.send(w.ada, "GET", plan.URL, "").want(404)

		left := w.send(w.ada, "GET", parts, "").want(200)
		left.keepsContract("GET", "/api/v1/files/{id}/parts")
		if rest := left.plan().Parts; len(rest) != 1 || rest[0].Offset != 5<<20 || left.Header.Get("Cache-Control") != "no-store" {
			w.t.Fatalf("%s is left", left.Raw)
		}
		w.sends(w.ada, left.plan().Parts, content)
		done := w.send(w.ada, "PUT", upload, "").want(201)
		done.keepsContract("PUT", "/api/v1/files/{id}/upload")
		if done.data()["sha256"] != hex.EncodeToString(sum[:]) || done.data()["media_type"] != "text/plain; charset=utf-8" || done.data()["url"] != plan.URL {
			w.t.Errorf("the file is %s", done.Raw)
		}
		w.send(w.ada, "PUT", upload, "").want(200)
		if over := w.send(w.ada, "GET", parts, "").want(200).plan(); !over.Complete || len(over.Parts) != 0 {
			w.t.Errorf("a complete upload is %+v", over)
		}
		if direct { // an address is good for an hour, and changes no file any more
			w.sends(w.ada, plan.Parts, strings.Repeat("x", len(content)))
		}
		if got := w.send(w.ada, "GET", plan.URL, "").want(200).Raw; got != content {
			w.t.Errorf("%d bytes are downloaded, want the %d that were sent", len(got), len(content))
		}
		if got := w.used(w.ada); got != int64(len(content)) {
			w.t.Errorf("%d bytes are used, want %d", got, len(content))
		}
		w.sound()
	})
}

// A client that is impatient completes an upload again and again. Its parts are joined once.
func TestAnUploadIsCompletedOnce(t *testing.T) {
	each(t, func(w *world) {
		server := s3test.Start(w.t)
		w.files.Store = server.Direct(w.t, "files")
		content := strings.Repeat("0123456789abcdef", 6<<20/16)
		plan := w.send(w.ada, "POST", fmt.Sprintf("%s%s&size=%d&part=%d", uploadsPath, noted, len(content), 5<<20), "").want(201).plan()
		w.sends(w.ada, plan.Parts, content)
		answers := make(chan *answer)
		for range 8 {
			go func() { answers <- w.send(w.ada, "PUT", "/api/v1/files/"+plan.ID+"/upload", "") }()
		}
		for range 8 {
			if a := <-answers; a.Status/100 != 2 || a.data()["url"] != plan.URL {
				w.t.Errorf("an answer is %d %s", a.Status, a.Raw)
			}
		}
		if n := server.Copies.Load(); n != 2 {
			w.t.Errorf("%d parts were joined, want 2", n)
		}
		w.sound()
	})
}

// The claims of a client are validated when it asks, and the file when it is complete.
func TestAFileThatIsNotTakenIsRefusedBeforeAndAfterItWasSent(t *testing.T) {
	eachWay(t, func(w *world, direct bool) {
		const avatar = "?for=profile.avatar&name=ada.png"
		w.files.Quotas = files.Quotas{Owner: 1000}
		for query, status := range map[string]int{
			avatar + "&size=6000000":                  413,
			avatar + "&size=100&media_type=text/html": 415,
			noted + "&size=1001":                      413,
			noted + "&size=0":                         400,
			noted:                                     400,
			"?for=user.name&size=1":                   400,
			noted + "&size=10&sha256=abc":             400,
			noted + "&size=10&part=0":                 400,
			noted + "&size=10&media_type=" + strings.Repeat("x", 300): 400,
		} {
			w.send(w.ada, "POST", uploadsPath+query, "").want(status)
		}
		w.send(w.nobody, "POST", uploadsPath+noted+"&size=1", "").want(401)
		if n := storetest.Count(w.t, w.db, "file_uploads"); n != 0 {
			w.t.Errorf("%d uploads are begun", n)
		}
		for _, c := range []struct {
			query, content string
			status         int
		}{
			{avatar + "&size=11&media_type=image/png", "<html></ht>", 415},
			{avatar + "&size=20", picture(1)[:20], 422},
			{noted + "&size=6&sha256=" + strings.Repeat("0", 64), "a note", 422},
		} {
			plan := w.send(w.ada, "POST", uploadsPath+c.query, "").want(201).plan()
			w.sends(w.ada, plan.Parts, c.content)
			upload := "/api/v1/files/" + plan.ID + "/upload"
			w.send(w.ada, "PUT", upload, "").want(c.status)
			w.send(w.ada, "PUT", upload, "").want(404)
			w.send(w.ada, "GET", plan.URL, "").want(404)
		}
		if got := w.used(w.ada); got != 0 {
			w.t.Errorf("%d bytes are used once all was refused", got)
		}

		// A picture is cleaned, as any other is.
		content := picture(5)
		plan := w.send(w.ada, "POST", fmt.Sprintf("%s%s&size=%d", uploadsPath, avatar, len(content)), "").want(201).plan()
		w.sends(w.ada, plan.Parts, content)
		if made := w.send(w.ada, "PUT", "/api/v1/files/"+plan.ID+"/upload", "").want(201).data(); made["width"] != 6.0 || made["blur_hash"] == "" {
			w.t.Errorf("the picture is %v", made)
		}
		w.avatar(w.ada, w.ada, plan.URL).want(200)
		w.send(w.bob, "GET", plan.URL, "").want(200)
	})
}

// An hour later.
var overText = statement.Of(`UPDATE file_parts SET released_at = later(-1) WHERE released_at IS NOT NULL`)

func (w *world) runs(text statement.Statement) {
	w.t.Helper()
	if _, err := text.Exec(w.system, w.db); err != nil {
		w.t.Fatal(err)
	}
}

// An upload counts against the quota before it is sent, and is removed once its addresses have
// expired.
func TestUploadsThatAreNotCompletedGo(t *testing.T) {
	eachWay(t, func(w *world, direct bool) {
		w.files.Quotas = files.Quotas{Owner: 1000}
		var plans []files.Plan
		for range 2 {
			plan := w.send(w.ada, "POST", uploadsPath+noted+"&size=400", "").want(201).plan()
			w.sends(w.ada, plan.Parts, strings.Repeat("a", 400))
			plans = append(plans, plan)
		}
		if got := w.used(w.ada); got != 800 || w.stored() != 2 {
			w.t.Errorf("%d bytes are used for %d objects, want 800 for 2", got, w.stored())
		}
		w.send(w.ada, "POST", uploadsPath+noted+"&size=201", "").want(413)
		w.send(w.ada, "DELETE", "/api/v1/files/"+plans[0].ID+"/upload", "").want(204)
		w.runs(laterText)
		w.swept(0)
		if got := w.used(w.ada); got != 0 {
			w.t.Errorf("%d bytes are used once no upload is left", got)
		}
		if direct { // addresses may still be used
			if w.stored() != 2 {
				w.t.Errorf("%d objects are left, want 2 until no address is good", w.stored())
			}
			w.runs(overText)
			w.swept(0)
		}
		if w.stored() != 0 {
			w.t.Errorf("%d objects are left", w.stored())
		}
		w.sound()
	})
}
