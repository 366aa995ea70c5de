package rest_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/viewer"
)

// A mail is sent with files that its sender can read, and with no others.
func TestMailsAreSentWithFiles(t *testing.T) {
	each(t, func(w *world) {
		send := func(v *viewer.Viewer, attachments ...string) *answer {
			t.Helper()
			return w.do(v, "POST", "/api/v1/emails/send", `{"to":"ada@example.com","subject":"Hi","text":"!","attachments":["`+strings.Join(attachments, `","`)+`"]}`)
		}
		own, others := w.upload(w.admin, picture(1)), w.upload(w.bob, picture(2))
		id := int64(send(w.admin, own).want(202).at("jobId").(float64))
		if j := w.ent.Job.GetX(w.system, typedid.JobID(id)); j.Kind != "parcel" || !strings.Contains(string(j.Args), own[len("/api/files/"):]) {
			t.Errorf("the job is %v", j)
		}
		send(w.admin, own[len("/api/files/"):]).want(202) // by its id
		for _, bad := range []string{others, "/api/files/" + strings.Repeat("a", 26), "https://example.com/a.pdf", "../x"} {
			if a := send(w.admin, own, bad).want(422); !strings.Contains(a.Raw, "attachments[1]") || strings.Contains(a.Raw, "attachments[0]") {
				t.Errorf("with %s: %s", bad, a.Raw)
			}
		}
		many := make([]string, 11)
		for i := range many {
			many[i] = fmt.Sprint("/api/files/", i)
		}
		if a := send(w.admin, many...).want(422); !strings.Contains(a.Raw, "at most 10 items") {
			t.Errorf("eleven of them: %s", a.Raw)
		}
		large := make([]string, 3)
		for i := range large {
			large[i] = w.send(w.admin, "POST", "/api/v1/files?for=comment_attachment.file", fmt.Sprint(i, strings.Repeat("x", 4<<20)), "Content-Type", "text/plain").want(201).data()["url"].(string)
		}
		if a := send(w.admin, large...).want(422); !strings.Contains(a.Raw, "10485760 are allowed in all") {
			t.Errorf("twelve MiB: %s", a.Raw)
		}
		send(w.admin, large[:2]...).want(202)
		send(w.ada, own).want(403)
	})
}
