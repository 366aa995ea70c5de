package mailing_test

import (
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/migrate/migratetest"

	"github.com/entwine-go/entwine/ent/job"
	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/mailing"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/pubsub"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"
)

func postman(t *testing.T, db *store.DB) *mailing.Postman {
	transport := jobs.Embed()
	t.Cleanup(func() { _ = transport.Close() })
	return &mailing.Postman{Jobs: &jobs.Client{DB: db, Bell: jobs.NewBell(transport), Bus: new(pubsub.Memory), Log: slog.New(slog.DiscardHandler)}}
}

var admin = &viewer.Viewer{Role: viewer.Admin, UserID: 1}

// receipt is data as it comes from JSON.
func receipt(t *testing.T) (data map[string]any) {
	t.Helper()
	err := json.Unmarshal([]byte(`{"name": "Ada <b>", "order": 7, "total": 41.98, "currency": "USD", "lines": [
		{"name": "Lamp & shade", "quantity": 2, "total": 39.98}, {"name": "Tea", "quantity": 1, "total": 2}]}`), &data)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestALetterBecomesAJob(t *testing.T) {
	t.Parallel()
	migratetest.Each(t, func(t *testing.T, db *store.DB) {
		system := viewer.With(t.Context(), viewer.System())
		if err := orm.Client(db).User.Create().SetName("Admin").SetEmail("admin@example.com").SetRole("admin").Exec(system); err != nil {
			t.Fatal(err)
		}
		id, err := postman(t, db).Send(viewer.With(t.Context(), admin), mailing.Order{To: "ada@example.com", Template: "receipt", Data: receipt(t)})
		if err != nil {
			t.Fatal(err)
		}
		j, err := orm.Client(db).Job.Query().Where(job.ID(typedid.JobID(id))).Only(system)
		if err != nil {
			t.Fatal(err)
		}
		var l mailing.Letter
		if err := json.Unmarshal(j.Args, &l); err != nil {
			t.Fatal(err)
		}
		if j.Kind != "email" || j.Queue != "urgent" || l.To != "ada@example.com" || l.Subject != "Your receipt for order 7" {
			t.Errorf("job %v with %+v", j, l)
		}
		for _, want := range []string{"Hello Ada <b>,", "2 x Lamp & shade: 39.98 USD\n1 x Tea: 2 USD\n", "Total: 41.98 USD"} {
			if !strings.Contains(l.Text, want) {
				t.Errorf("the text has no %q:\n%s", want, l.Text)
			}
		}
		if !strings.Contains(l.HTML, "Ada &lt;b&gt;") || !strings.Contains(l.HTML, "Lamp &amp; shade") {
			t.Errorf("the HTML is not escaped:\n%s", l.HTML)
		}
	})
}

func TestBadLettersAreRefusedWithEverythingThatIsWrong(t *testing.T) {
	t.Parallel()
	p := postman(t, migratetest.Schema(t).SQLite(t))
	for name, c := range map[string]struct {
		order  mailing.Order
		kind   problem.Kind
		fields []string
	}{
		"nothing at all":      {mailing.Order{}, problem.Invalid, []string{"to", "subject", "text"}},
		"nothing but blanks":  {mailing.Order{To: "ada@example.com", Subject: " ", Text: "\n"}, problem.Invalid, []string{"subject", "text"}},
		"no address":          {mailing.Order{To: "ada", Subject: "Hi", Text: "!"}, problem.Unprocessable, []string{"to"}},
		"two recipients":      {mailing.Order{To: "a@example.com, b@example.com", Subject: "Hi", Text: "!"}, problem.Unprocessable, []string{"to"}},
		"a header in it":      {mailing.Order{To: "a@example.com", Subject: "Hi\r\nBcc: b@example.com", Text: "!"}, problem.Unprocessable, []string{"subject"}},
		"an unknown template": {mailing.Order{To: "a@example.com", Template: "x", Subject: "Hi", Data: map[string]any{}}, problem.Unprocessable, []string{"template"}},
		"data that is short":  {mailing.Order{To: "a@example.com", Template: "reset", Subject: "Hi", Data: map[string]any{"name": "Ada"}}, problem.Invalid, []string{"data.url"}},
		"data that is none":   {mailing.Order{To: "a@example.com", Template: "receipt"}, problem.Invalid, []string{"data.name", "data.order", "data.lines", "data.total", "data.currency"}},
		"data with parts":     {mailing.Order{To: "a@example.com", Template: "notice", Data: map[string]any{"name": []any{}, "title": map[string]any{}, "text": "!\n!"}}, problem.Unprocessable, []string{"data.name", "data.title"}},
		"a title of lines":    {mailing.Order{To: "a@example.com", Template: "notice", Data: map[string]any{"name": "Ada", "title": "Hi\r\nBcc: b@example.com", "text": "!"}}, problem.Unprocessable, []string{"data.title"}},
		"an override in it":   {mailing.Order{To: "a@example.com", Subject: "Hi \u202eecilA", Text: "!"}, problem.Unprocessable, []string{"subject"}},
		"a line with lines":   {mailing.Order{To: "a@example.com", Template: "receipt", Data: map[string]any{"name": "Ada", "order": 1, "total": 1, "currency": "USD", "lines": []any{map[string]any{"name": "Tea\nDear customer"}}}}, problem.Unprocessable, []string{"data.lines"}},
		"a blank subject":     {mailing.Order{To: "a@example.com", Subject: " ", Text: "!"}, problem.Unprocessable, []string{"subject"}},
		"a bell in it":        {mailing.Order{To: "a@example.com", Subject: "Hi\a", Text: "!"}, problem.Unprocessable, []string{"subject"}},
		"lines that are none": {mailing.Order{To: "a@example.com", Template: "receipt", Subject: "Hi", Data: map[string]any{"name": "Ada", "order": 1, "total": 1, "currency": "USD", "lines": "two"}}, problem.Unprocessable, []string{"data"}},
		"text and template":   {mailing.Order{To: "a@example.com", Template: "notice", Text: "!", Data: map[string]any{"name": "Ada", "title": "Hi", "text": "!"}}, problem.Invalid, []string{"text"}},
		"data and text":       {mailing.Order{To: "a@example.com", Subject: "Hi", Text: "!", Data: map[string]any{}}, problem.Invalid, []string{"data"}},
	} {
		_, err := p.Send(viewer.With(t.Context(), admin), c.order)
		var fields []string
		if e := problem.As(err); e != nil {
			for _, d := range e.Details {
				fields = append(fields, d.Field)
			}
		}
		slices.Sort(fields)
		slices.Sort(c.fields)
		if problem.KindOf(err) != c.kind || !slices.Equal(fields, c.fields) {
			t.Errorf("%s: %v of %q, want kind %v of %q", name, err, fields, c.kind, c.fields)
		}
	}
}

func TestLettersAreSentByAdminsAndKeysThatWrite(t *testing.T) {
	t.Parallel()
	p := postman(t, migratetest.Schema(t).SQLite(t))
	for name, c := range map[string]struct {
		viewer *viewer.Viewer
		want   problem.Kind
	}{
		"nobody":       {viewer.Anonymous(), problem.Unauthenticated},
		"a user":       {&viewer.Viewer{UserID: 1, Role: "user"}, problem.Forbidden},
		"a key":        {&viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Read}}, problem.Forbidden},
		"a write key":  {&viewer.Viewer{KeyID: 1, Permissions: []viewer.Permission{viewer.Write}}, problem.Invalid},
		"an admin":     {admin, problem.Invalid},
		"an operation": {viewer.System(), problem.Invalid},
	} {
		if _, err := p.Send(viewer.With(t.Context(), c.viewer), mailing.Order{}); problem.KindOf(err) != c.want {
			t.Errorf("%s: %v, want kind %v", name, err, c.want)
		}
	}
}

// Mail of the service is valid for rows that are older than the rules, and for people
// without a name.
func TestATemplateMakesLinesOfOldTexts(t *testing.T) {
	t.Parallel()
	data := receipt(t)
	data["name"] = ""
	data["lines"] = []any{map[string]any{"name": "Tea\nDear customer", "quantity": 1, "total": "2.00"}}
	l, err := mailing.Write("ada@example.com", "receipt", data)
	if err != nil || !strings.HasPrefix(l.Text, "Hello,\n") || !strings.Contains(l.Text, "1 x Tea Dear customer: 2.00 USD\n") || !strings.Contains(l.HTML, "<p>Hello,</p>") {
		t.Errorf("%v: %+v", err, l)
	}
}

func TestEveryTemplateCanBeWritten(t *testing.T) {
	t.Parallel()
	data := receipt(t)
	data["url"], data["title"], data["text"] = "https://example.com/?token=x", "Hello", "How are you?"
	for _, name := range mailing.Templates() {
		l, err := mailing.Write("ada@example.com", name, data)
		if err != nil || l.Subject == "" || l.Text == "" || l.HTML == "" {
			t.Errorf("Write(%s): %+v, %v", name, l, err)
		}
	}
}
