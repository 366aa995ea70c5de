package rest_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/internal/reporting"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

// newWork accepts jobs, none of which is done before [world.doJob].
func newWork(t testing.TB, db *store.DB, log *slog.Logger) *jobs.Client {
	transport := jobs.Embed()
	t.Cleanup(func() { _ = transport.Close() })
	return &jobs.Client{DB: db, Bell: jobs.NewBell(transport), Bus: new(pubsub.Memory), Log: log, Rules: entity.Job.Rules}
}

// doJob does a job as a worker would.
func (w *world) doJob(id int64) {
	w.t.Helper()
	r := jobs.NewRunner(w.db, w.work.Bus, w.work.Log,
		jobs.Handle(jobs.HandlerFunc[mailing.Letter](func(_ context.Context, j *jobs.Job[mailing.Letter]) error {
			w.letters = append(w.letters, j.Args)
			return nil
		})),
		jobs.Handle(jobs.HandlerFunc[reporting.Report](func(ctx context.Context, j *jobs.Job[reporting.Report]) error {
			out, err := j.Output(ctx, j.Args.MediaType(), j.Args.FileName())
			if err != nil {
				return err
			}
			if err := (&reporting.Reporter{DB: w.db}).Write(ctx, out, j.Args, j.Progress); err != nil {
				return err
			}
			return out.Complete(ctx, nil)
		})))
	r.Caller, r.Files = w.accounts.Verifier.Caller, w.files
	defer r.Stop(w.system)
	if err := r.Run(w.system, id); err != nil {
		w.t.Fatal(err)
	}
}

// endJob ends a job behind the API's back.
func (w *world) endJob(id int64, status job.Status) {
	w.t.Helper()
	for _, s := range []job.Status{job.StatusRunning, status} {
		if err := w.ent.Job.UpdateOneID(typedid.JobID(id)).SetStatus(s).SetFinishedAt(store.Time(time.Now())).Exec(w.system); err != nil {
			w.t.Fatal(err)
		}
	}
}

// report has a report generated and returns its job.
func (w *world) report(v *viewer.Viewer, format string) int64 {
	w.t.Helper()
	a := w.do(v, "POST", "/api/v1/reports/generate", `{"type":"users","format":"`+format+`"}`).want(202)
	id, ok := a.at("jobId").(float64)
	url := fmt.Sprintf("/api/v1/jobs/%v", id)
	if !ok || a.at("statusUrl") != url || a.Header.Get("Location") != url || a.Header.Get("Retry-After") == "" || a.at("message") == "" {
		w.t.Fatalf("accepted: %v %s", a.Header, a.Raw)
	}
	return int64(id)
}

func TestAReportIsMadeAndDownloaded(t *testing.T) {
	each(t, func(w *world) {
		for format, c := range map[string]struct{ media, begins string }{
			"csv":  {"text/csv; charset=utf-8", "id,name,email"},
			"json": {"application/json", "[\n{\"id\":1"},
			"xlsx": {"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "PK"},
		} {
			id := w.report(w.admin, format)
			path := fmt.Sprintf("/api/v1/jobs/%d", id)
			if a := w.do(w.admin, "GET", path+"/result", "").want(409); a.Header.Get("Retry-After") == "" {
				t.Error("an answer that may come later has no Retry-After")
			}
			w.doJob(id)
			row := w.do(w.admin, "GET", path, "").want(200).data()
			if row["status"] != "succeeded" || row["progress"] != 1.0 || row["result_url"] != path+"/result" {
				t.Errorf("the job is %v", row)
			}
			a := w.do(w.admin, "GET", row["result_url"].(string), "").want(200)
			if a.Header.Get("Content-Type") != c.media || !strings.HasPrefix(a.Raw, c.begins) ||
				a.Header.Get("Content-Length") != fmt.Sprint(len(a.Raw)) || a.Header.Get("Cache-Control") != "private, no-cache" ||
				a.Header.Get("Content-Disposition") != "attachment; filename=users."+format {
				t.Errorf("%s: %v\n%.200s", format, a.Header, a.Raw)
			}
			for _, version := range []string{"v2", "v3"} {
				own := strings.Replace(path, "v1", version, 1)
				if version == "v2" {
					own = "/api/v2/jobs/" + gid.Encode("Job", id)
				}
				if b := w.do(w.admin, "GET", own, "").want(200); !strings.Contains(b.Raw, `"`+own+`/result"`) {
					t.Errorf("%s: its result is elsewhere: %s", own, b.Raw)
				}
				w.do(w.admin, "GET", own+"/result", "").want(200)
			}
			w.do(w.admin, "GET", path+"/result", "", "If-None-Match", a.Header.Get("Etag")).want(304)
			if h := w.do(w.admin, "HEAD", path+"/result", "").want(200); h.Raw != "" || h.Header.Get("Content-Length") != fmt.Sprint(len(a.Raw)) {
				t.Errorf("HEAD: %v %q", h.Header, h.Raw)
			}
			w.parts(path+"/result", a)
			w.do(w.admin, "GET", path+"/result", "", "Accept", "application/pdf, image/*").want(406)
			w.do(w.admin, "GET", path+"/result", "", "Accept", "*/*, "+c.media+";q=0").want(406)
			w.do(w.admin, "GET", path+"/result", "", "Accept", "image/png, "+c.media).want(200)
		}
	})
}

// The readers of a job see those of its arguments that its kind shows; a letter shows none.
func TestTheArgumentsOfAJob(t *testing.T) {
	each(t, func(w *world) {
		id := int64(w.do(w.admin, "POST", "/api/v1/reports/generate", `{"type":"sales","format":"csv","from":"2026-01-01"}`).want(202).at("jobId").(float64))
		shown := make(map[string]any)
		all, _ := w.do(w.admin, "GET", fmt.Sprintf("/api/v1/jobs/%d", id), "").want(200).data()["arguments"].([]any)
		for _, one := range all {
			one, _ := one.(map[string]any)
			shown[one["name"].(string)] = one["value"]
		}
		if shown["type"] != "sales" || shown["format"] != "csv" || shown["from"] != "2026-01-01T00:00:00Z" || shown["to"] != nil || len(all) != 3 {
			t.Errorf("a report is shown as %v", all)
		}
		letter := int64(w.do(w.admin, "POST", "/api/v1/emails/send", `{"to":"ada@example.com","subject":"hush","text":"hush"}`).want(202).at("jobId").(float64))
		a := w.do(w.admin, "GET", fmt.Sprintf("/api/v1/jobs/%d", letter), "").want(200)
		if hidden, ok := a.data()["arguments"].([]any); !ok || len(hidden) != 0 || strings.Contains(a.Raw, "hush") {
			t.Errorf("a letter is shown as %s", a.Raw)
		}
		for _, one := range w.do(w.admin, "GET", "/api/v1/jobs?sort=id&fields=kind,arguments", "").want(200).list() {
			if args, _ := one["arguments"].([]any); (len(args) > 0) != (one["kind"] == "report") {
				t.Errorf("a list has %v", one)
			}
		}
	})
}

// The result of a job is a file of its row, and in parts for the release before.
func TestTheResultOfAJobIsAFile(t *testing.T) {
	each(t, func(w *world) {
		id := w.report(w.admin, "csv")
		path := fmt.Sprintf("/api/v1/jobs/%d", id)
		w.doJob(id)
		a := w.do(w.admin, "GET", path+"/result", "").want(200)
		address, _ := w.do(w.admin, "GET", path, "").want(200).data()["result_file"].(string)
		if file := w.send(w.admin, "GET", address, "").want(200); file.Raw != a.Raw || file.Header.Get("Content-Disposition") != a.Header.Get("Content-Disposition") {
			t.Errorf("the file %s: %v\n%.200s", address, file.Header, file.Raw)
		}
		of := "/api/v1/files/" + address[len("/api/files/"):]
		link, _ := w.send(w.admin, "GET", of+"/link", "").want(200).data()["url"].(string)
		w.send(w.nobody, "GET", link, "").want(200)
		for _, v := range []*viewer.Viewer{w.ada, w.moderator, w.nobody} {
			w.send(v, "GET", address, "").want(404)
		}
		w.do(w.admin, "DELETE", of, "").want(403)
		w.send(w.admin, "POST", "/api/v1/files?for=job.result_file", "id,name", "Content-Type", "text/csv").want(400)
		if r, err := w.files.Check(w.system, true); err != nil || r.Files != 1 || !r.Sound() {
			t.Errorf("%+v, %v", r, err)
		}

		// The release before reads parts, and what it made has no file.
		before, err := (&jobs.Client{DB: w.db}).Result(w.system, id)
		var parts strings.Builder
		if err == nil {
			err = before.Copy(w.system, &parts)
		}
		if err != nil || parts.String() != a.Raw {
			t.Errorf("the release before reads %q (%v)", parts.String(), err)
		}
		w.ent.Job.UpdateOneID(typedid.JobID(id)).ClearResultFile().ExecX(w.system)
		if b := w.do(w.admin, "GET", path+"/result", "").want(200); b.Raw != a.Raw || b.Header.Get("Etag") != a.Header.Get("Etag") {
			t.Errorf("without its file: %v\n%.200s", b.Header, b.Raw)
		}
		w.parts(path+"/result", a)
		w.send(w.admin, "GET", address, "").want(404)
	})
}

// parts asks for parts of a file, of which whole is the whole.
func (w *world) parts(path string, whole *answer) {
	w.t.Helper()
	size, tag := len(whole.Raw), whole.Header.Get("Etag")
	if whole.Header.Get("Accept-Ranges") != "bytes" {
		w.t.Errorf("%s: %v", path, whole.Header)
	}
	for _, c := range []struct {
		asked       string
		from, until int
		headers     []string
	}{
		{"bytes=0-9", 0, 10, nil},
		{"bytes=5-", 5, size, nil},
		{"bytes=-7", size - 7, size, nil},
		{fmt.Sprintf("bytes=%d-%d", size-1, size+100), size - 1, size, nil},
		{fmt.Sprintf("bytes=-%d", size+100), 0, size, nil},
		{"bytes=0-9223372036854775807", 0, size, nil},
		{"bytes=1-2", 1, 3, []string{"If-Range", tag}},
	} {
		a := w.do(w.admin, "GET", path, "", append([]string{"Range", c.asked}, c.headers...)...).want(206)
		if a.Raw != whole.Raw[c.from:c.until] || a.Header.Get("Content-Range") != fmt.Sprintf("bytes %d-%d/%d", c.from, c.until-1, size) ||
			a.Header.Get("Etag") != tag || a.Header.Get("Content-Length") != fmt.Sprint(len(a.Raw)) || a.Header.Get("Content-Type") != whole.Header.Get("Content-Type") {
			w.t.Errorf("%s: %v %.80q", c.asked, a.Header, a.Raw)
		}
	}
	for _, headers := range [][]string{
		{"Range", "bytes=0-1,4-5"}, {"Range", "items=0-1"}, {"Range", "bytes=5-1"}, {"Range", "bytes=x"},
		{"Range", "bytes=0-1", "If-Range", `"other"`}, {"Range", "bytes=0-1", "If-Range", "W/" + tag}, {"Range", "bytes=0-1", "If-Range", "Mon, 02 Jan 2006 15:04:05 GMT"},
	} {
		if a := w.do(w.admin, "GET", path, "", headers...).want(200); a.Raw != whole.Raw {
			w.t.Errorf("%q: not the whole", headers)
		}
	}
	beyond := w.do(w.admin, "GET", path, "", "Range", fmt.Sprintf("bytes=%d-", size)).want(416)
	if beyond.at("error", "code") != "RANGE_NOT_SATISFIABLE" || beyond.Header.Get("Content-Range") != fmt.Sprintf("bytes */%d", size) {
		w.t.Errorf("beyond the end: %v %s", beyond.Header, beyond.Raw)
	}
	w.do(w.admin, "GET", path, "", "Range", "bytes=-0").want(416)
	w.do(w.admin, "GET", path, "", "Range", "bytes=0-1", "If-None-Match", tag).want(304)
	if head := w.do(w.admin, "HEAD", path, "", "Range", "bytes=0-1").want(200); head.Header.Get("Content-Length") != fmt.Sprint(size) {
		w.t.Errorf("HEAD: %v", head.Header)
	}
}

func TestResultsThatAreNotThere(t *testing.T) {
	each(t, func(w *world) {
		gone := w.report(w.admin, "csv")
		w.doJob(gone)
		if err := w.ent.Job.UpdateOneID(typedid.JobID(gone)).SetResultUntil(time.Now().Add(-time.Minute)).Exec(w.system); err != nil {
			t.Fatal(err)
		}
		mail := int64(w.do(w.admin, "POST", "/api/v1/emails/send", `{"to":"ada@example.com","subject":"Hi","text":"!"}`).want(202).at("jobId").(float64))
		w.doJob(mail)
		failed := w.report(w.admin, "csv")
		w.endJob(failed, job.StatusFailed)
		for id, status := range map[int64]int{gone: 404, mail: 404, failed: 409, 99999: 404} {
			a := w.do(w.admin, "GET", fmt.Sprintf("/api/v1/jobs/%d/result", id), "").want(status)
			if a.Header.Get("Retry-After") != "" {
				t.Errorf("%s will never come, but has Retry-After", a.asked)
			}
		}
	})
}

func TestJobsAreCancelledAndRetried(t *testing.T) {
	each(t, func(w *world) {
		id := w.report(w.admin, "csv")
		path := fmt.Sprintf("/api/v1/jobs/%d", id)
		w.do(w.admin, "POST", path+"/retry", "").want(409)
		w.do(w.admin, "POST", path+"/cancel?fields=nothing", "").want(400) // and it goes on
		if row := w.do(w.admin, "POST", path+"/cancel?fields=status,finished_at", "").want(200).data(); row["status"] != "cancelled" || row["finished_at"] == nil || len(row) != 2 {
			t.Errorf("cancelled: %v", row)
		}
		if a := w.do(w.admin, "POST", path+"/cancel", "").want(409); a.at("error", "code") != "CONFLICT" || !strings.Contains(a.Raw, "the job is cancelled: it can't be cancelled; allowed: retry") {
			t.Errorf("cancelled twice: %s", a.Raw)
		}
		w.doJob(id) // no worker has it any more
		w.do(w.admin, "POST", path+"/retry?expand=nothing", "").want(400)
		if row := w.do(w.admin, "POST", path+"/retry", "").want(200).data(); row["status"] != "queued" || row["finished_at"] != nil || row["attempts"] != 0.0 {
			t.Errorf("retried: %v", row)
		}
		w.doJob(id)
		w.do(w.admin, "POST", path+"/cancel", "").want(409)
		w.do(w.admin, "POST", path+"/retry", "").want(409)
	})
}

// A job can be read by the user who started it, and by admins.
func TestJobsAreTheirOwners(t *testing.T) {
	each(t, func(w *world) {
		key := w.key("robot", viewer.Write)
		other := w.key("another", viewer.Read, viewer.Write)
		keys := int64(w.do(key, "POST", "/api/v1/emails/send", `{"to":"ada@example.com","subject":"Hi","text":"!"}`).want(202).at("jobId").(float64))
		adas := w.jobOf(w.ada)
		for _, c := range []struct {
			who    string
			viewer *viewer.Viewer
			sees   []int64
		}{
			{"the user", w.ada, []int64{adas}}, {"another user", w.bob, nil}, {"a moderator", w.moderator, nil},
			{"the key", key, []int64{keys}}, {"another key", other, nil}, {"an admin", w.admin, []int64{adas, keys}},
		} {
			var ids []int64
			for _, id := range w.do(c.viewer, "GET", "/api/v1/jobs?sort=-id", "").want(200).all("id") {
				ids = append(ids, int64(id.(float64)))
			}
			if fmt.Sprint(ids) != fmt.Sprint(c.sees) {
				t.Errorf("%s sees jobs %v, want %v", c.who, ids, c.sees)
			}
			for _, id := range []int64{adas, keys} {
				status := 404
				if strings.Contains(fmt.Sprint(c.sees), fmt.Sprint(id)) {
					status = 409 // the job is waiting: it has no result, and can't be retried
				}
				path := fmt.Sprintf("/api/v1/jobs/%d", id)
				w.do(c.viewer, "GET", path+"/result", "").want(status)
				w.do(c.viewer, "POST", path+"/retry", "").want(status)
				if status == 404 {
					w.do(c.viewer, "GET", path, "").want(404)
					w.do(c.viewer, "POST", path+"/cancel", "").want(404)
				}
			}
		}
		for _, path := range []string{"", "/1", "/1/result"} {
			w.do(w.nobody, "GET", "/api/v1/jobs"+path, "").want(401)
		}
		w.do(w.nobody, "POST", "/api/v1/jobs/1/cancel", "").want(401)
		w.do(w.ada, "POST", fmt.Sprintf("/api/v1/jobs/%d/cancel", adas), "").want(200)
		w.do(w.admin, "POST", fmt.Sprintf("/api/v1/jobs/%d/cancel", keys), "").want(200)
	})
}

// jobOf has a job accepted on behalf of the viewer.
func (w *world) jobOf(v *viewer.Viewer) int64 {
	w.t.Helper()
	id, err := w.work.Enqueue(viewer.With(w.t.Context(), v), mailing.Letter{To: "x@example.com", Subject: "Hi", Text: "!"}, jobs.Options{})
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

// key makes an API key and returns it as a viewer.
func (w *world) key(name string, permissions ...viewer.Permission) *viewer.Viewer {
	w.t.Helper()
	var names []string
	for _, p := range permissions {
		names = append(names, string(p))
	}
	k, err := w.ent.APIKey.Create().SetClientName(name).SetPermissions(names).SetPrefix(name).SetSecretHash([]byte(name)).Save(w.system)
	if err != nil {
		w.t.Fatal(err)
	}
	return &viewer.Viewer{KeyID: int64(k.ID), Client: name, Permissions: permissions}
}
