package app_test

import (
	"bytes"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/web"
	"github.com/entwine-go/entwine/kit/write"
)

// A service without entities and without parts of its own is one, too.
func TestTheLeastService(t *testing.T) {
	t.Parallel()
	site := embedded(t, nil)
	for path, want := range map[string]struct {
		header string
		code   int
		said   string
	}{
		"/healthz":                 {"", 200, "ok"},
		"/readyz":                  {"", 200, `"database":"ok"`},
		"/":                        {"", 200, "<title>"},
		"/api/v1/notes":            {"", 404, "there is nothing at this path"},
		"/graphql":                 {"", 404, "there is nothing at this path"},
		web.KeySetPath:             {"", 404, "there is nothing at this path"},
		"/wrong":                   {"", 404, "there is nothing at this path"},
		"/api/v1/notes?with=token": {"Bearer x.y.z", 401, "takes no credentials"},
	} {
		code, said := ask(site, path, want.header)
		if code != want.code || !strings.Contains(said, want.said) {
			t.Errorf("GET %s: %d %s, want %d and %q", path, code, said, want.code, want.said)
		}
	}
}

func TestHandlersGoBeforeREST(t *testing.T) {
	t.Parallel()
	says := func(text string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(text)) })
	}
	site := embedded(t, func(h *app.Host) (*app.Parts, error) {
		return &app.Parts{
			Handlers: map[string]http.Handler{
				"/feed": says("feed"), "/files/": says("files"), "/files/own/": says("own"),
				"/fails":  h.Handler(func(http.ResponseWriter, *http.Request) error { return problem.New(problem.Conflict, "as it is") }),
				"/broken": h.Handler(func(http.ResponseWriter, *http.Request) error { return http.ErrNoCookie }),
			},
		}, nil
	})
	for path, want := range map[string]string{
		"/feed": "feed", "/feed/": "nothing at this path", "/files": "nothing at this path", "/files/": "files", "/files/a/b": "files", "/files/own/a": "own",
		"/fails": "as it is", "/broken": "internal error", "/other": "nothing at this path",
	} {
		if _, said := ask(site, path, ""); !strings.Contains(said, want) {
			t.Errorf("GET %s: %s, want %s", path, said, want)
		}
	}
}

func TestTheProgramIsCalledByItsName(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]struct {
		code int
		said string
	}{
		"":                     {0, "notes keeps what people write down.\n\nTry it:\n  notes serve\n"},
		"help backup":          {0, "notes backup FILE"},
		"help worker":          {0, "Beside notes serve"},
		"version":              {0, "notes v1.2.3 ("},
		"sreve":                {2, `notes: wrong usage: there is no command "sreve": notes help lists them`},
		"user list":            {2, `there is no command "user list"`}, // it has no accounts
		"jobs show x":          {2, "notes jobs list shows them"},
		"migrate status":       {1, "run notes migrate up, or set"},
		"serve --wrker=no":     {2, "notes help serve"},
		"serve --worker=false": {1, "a Redis that notes worker shares"},
	} {
		p, remove := process()
		defer remove()
		var said bytes.Buffer
		p.Stdout, p.Stderr = &said, &said
		code := service(nil).Run(context.Background(), p, strings.Fields(args))
		if code != want.code || !strings.Contains(said.String(), want.said) || strings.Contains(said.String(), "$0") {
			t.Errorf("notes %s: %d\n%s\nwant %d and %q", args, code, &said, want.code, want.said)
		}
	}
}

// An action without its method is not served: it would be answered with 500.
func TestActionsWithoutTheirMethodsAreNotServed(t *testing.T) {
	t.Parallel()
	announce := &write.Action{
		Action: expose.Action{Verb: "announce", Run: expose.InTx},
		Run: func(context.Context, any, gid.ID, write.Values) (write.Result, error) {
			return write.Result{}, nil
		},
	}
	start := &write.Action{Action: expose.Action{Verb: "start"}}
	for name, methods := range map[string]any{"none": nil, "some": struct{}{}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			notes := service(func(*app.Host) (*app.Parts, error) { return &app.Parts{Methods: methods}, nil })
			notes.Engine = func(db *store.DB) *write.Engine {
				return &write.Engine{DB: db, Entities: []*write.Entity{{Entity: &entity.Entity{Name: "Task"}, Actions: []*write.Action{start, announce}}}}
			}
			p, remove := process()
			t.Cleanup(remove)
			_, end, err := notes.Embed(t.Context(), p, nil)
			if err == nil {
				err = end()
			}
			if want := "Task.announce: done by methods, and there are none"; (methods == nil) != (err != nil) || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("methods %v: %v, want %q where there are none", methods, err, want)
			}
		})
	}
}

// handled is a job that a topic enqueues.
type handled struct {
	ID        int64  `json:"id"`
	ProjectID int64  `json:"project_id" was:"project"`
	Note      string `json:"note,omitempty"`
	Count     int64  `json:"count,omitempty"`
	inner
}

type inner struct{ Title string }

func (handled) Kind() string  { return "task_done" }
func (handled) Was() []string { return []string{"task_finished"} }

// The database enqueues what a topic says: without its handler every attempt would fail.
func TestTopicsWithoutTheHandlersOfTheirJobsAreNotServed(t *testing.T) {
	t.Parallel()
	kind := jobs.Handle(jobs.HandlerFunc[handled](func(context.Context, *jobs.Job[handled]) error { return nil }))
	for name, test := range map[string]struct {
		job   string
		sent  string
		kinds []jobs.Kind
		want  string
	}{
		"no job":             {"", "", nil, ""},
		"no handler":         {"task_done", "", nil, `Task: topic "task.done" enqueues jobs of the kind "task_done", which no handler is registered for`},
		"another handler":    {"task_made", "", []jobs.Kind{kind}, `Task: topic "task.done" enqueues jobs of the kind "task_made", which no handler is registered for`},
		"its handler":        {"task_done", "project_id title", []jobs.Kind{kind}, ""},
		"by its former name": {"task_finished", "title project", []jobs.Kind{kind}, ""},
		"more than it reads": {"task_done", "project_id title done", []jobs.Kind{kind}, ""},
		"another name": {
			"task_done", "projectid title", []jobs.Kind{kind},
			`Task: topic "task.done" enqueues jobs of the kind "task_done" with id, projectid, title, and its arguments have project_id: a tag`,
		},
		"less than it reads": {"task_done", "project_id", []jobs.Kind{kind}, `with id, project_id, and its arguments have Title: a tag`},
		"a number for a text": {
			"task_done", "project_id title note", []jobs.Kind{kind},
			`enqueues jobs of the kind "task_done" with note, a whole number, and its arguments have it as string: every attempt would fail`,
		},
		"a text for a number": {
			"task_done", "project_id title count", []jobs.Kind{kind},
			`enqueues jobs of the kind "task_done" with count, a text, and its arguments have it as int64: every attempt would fail`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			notes := service(func(*app.Host) (*app.Parts, error) { return &app.Parts{Kinds: test.kinds}, nil })
			notes.Engine = func(db *store.DB) *write.Engine {
				return &write.Engine{DB: db, Entities: []*write.Entity{{
					Entity: &entity.Entity{Name: "Task", Fields: []*entity.Field{
						{Column: "id", Kind: entity.ID}, {Column: "project_id", Kind: entity.Ref}, {Column: "title", Kind: entity.String},
						{Column: "note", Kind: entity.Int}, {Column: "project", Kind: entity.Ref}, {Column: "count", Kind: entity.Enum},
					}}, Topics: []expose.Topic{{Name: "task.done", On: "update", Job: test.job, Payload: strings.Fields(test.sent)}},
				}}}
			}
			p, remove := process()
			t.Cleanup(remove)
			_, end, err := notes.Embed(t.Context(), p, nil)
			if err == nil {
				err = end()
			}
			if (test.want == "") != (err == nil) || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}

func embedded(t *testing.T, open func(h *app.Host) (*app.Parts, error)) http.Handler {
	t.Helper()
	p, remove := process()
	server, end, err := service(open).Embed(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := end(); err != nil {
			t.Error(err)
		}
		remove()
	})
	p.Stderr = t.Output()
	return server.Handler
}

// ask returns what a path is answered with.
func ask(site http.Handler, path, authorization string) (code int, said string) {
	r := httptest.NewRequest("GET", path, nil)
	if authorization != "" {
		r.Header.Set("Authorization", authorization)
	}
	w := httptest.NewRecorder()
	site.ServeHTTP(w, r)
	return w.Code, w.Body.String()
}
