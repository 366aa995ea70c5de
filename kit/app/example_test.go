package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"time"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/internal/notes/migrate"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/mail"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
)

// service is one with the tables of notes. That of a project has more of what is
// generated: see [app.Generated].
func service(open func(h *app.Host) (*app.Parts, error)) *app.Service {
	return &app.Service{
		Name:      "notes",
		About:     "notes keeps what people write down.",
		Version:   "v1.2.3",
		Generated: app.Generated{Migrations: migrate.Files},
		Open:      open,
	}
}

// process has its data in a folder that is removed in the end. A program's is
// what app.Main makes of the process that it runs in.
func process() (p *app.Process, remove func()) {
	dir, err := os.MkdirTemp("", "notes-")
	if err != nil {
		panic(err)
	}
	return &app.Process{
		Stdout: io.Discard, Stderr: os.Stderr,
		Environ: []string{"ENTWINE_DATA_DIR=" + dir, "ENTWINE_ADDR=127.0.0.1:0", "ENTWINE_LOG_LEVEL=error"},
	}, func() { _ = os.RemoveAll(dir) }
}

// greeting has the arguments of a job.
type greeting struct {
	Name string `json:"name"`
}

// Kind names the kind of work.
func (greeting) Kind() string { return "greeting" }

// A kind of job is a type of arguments and a handler of them.
func ExampleParts_kinds() {
	ctx, stop := context.WithCancel(context.Background())
	greet := jobs.HandlerFunc[greeting](func(_ context.Context, job *jobs.Job[greeting]) error {
		fmt.Println("Hello,", job.Args.Name)
		stop() // an example has an end
		return nil
	})
	s := service(func(h *app.Host) (*app.Parts, error) {
		return &app.Parts{
			Kinds: []jobs.Kind{jobs.Handle(greet)},
			Start: func(ctx context.Context) error {
				_, err := h.Jobs.Enqueue(ctx, greeting{Name: "Ada"}, jobs.Options{})
				return err
			},
		}, nil
	})
	p, remove := process()
	defer remove()
	fmt.Println("exit code", s.Run(ctx, p, []string{"serve"}))
	// Output:
	// Hello, Ada
	// exit code 0
}

// A schedule enqueues a job at times. A tick that was missed is caught up on.
func ExampleParts_schedule() {
	ctx, stop := context.WithCancel(context.Background())
	greet := jobs.HandlerFunc[greeting](func(_ context.Context, job *jobs.Job[greeting]) error {
		fmt.Println("Good morning,", job.Args.Name)
		stop() // an example has an end
		return nil
	})
	s := service(func(*app.Host) (*app.Parts, error) {
		return &app.Parts{
			Kinds: []jobs.Kind{jobs.Handle(greet)},
			Schedule: []jobs.Entry{
				{Spec: "0 8 * * *", Args: func(time.Time) jobs.Args { return greeting{Name: "Grace"} }},
			},
		}, nil
	})
	p, remove := process()
	defer remove()
	fmt.Println("exit code", s.Run(ctx, p, []string{"serve"}))
	// Output:
	// Good morning, Grace
	// exit code 0
}

// A handler answers a path of its own. An error that it returns is answered as REST does.
func ExampleHost_Handler() {
	s := service(func(h *app.Host) (*app.Parts, error) {
		hello := func(w http.ResponseWriter, r *http.Request) error {
			name := r.FormValue("name")
			if name == "" {
				return problem.New(problem.NotFound, "nobody is there")
			}
			_, err := fmt.Fprintln(w, "Hello,", name)
			return err
		}
		return &app.Parts{Handlers: map[string]http.Handler{"/hello": h.Handler(hello)}}, nil
	})
	p, remove := process()
	defer remove()
	server, end, err := s.Embed(context.Background(), p, nil)
	if err != nil {
		panic(err)
	}
	defer end()
	for _, path := range []string{"/hello?name=Ada", "/hello", "/goodbye"} {
		w := httptest.NewRecorder()
		server.Handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		fmt.Println(path, w.Code)
	}
	// Output:
	// /hello?name=Ada 200
	// /hello 404
	// /goodbye 404
}

// printer is a mailer that prints.
type printer struct{}

// Send implements mail.Sender.
func (printer) Send(_ context.Context, m mail.Message) error {
	fmt.Println("to", m.To, "on", m.Subject)
	return nil
}

// A mailer takes the place of what the settings say.
func ExampleService_mailer() {
	errEnough := errors.New("an example has an end")
	s := service(func(h *app.Host) (*app.Parts, error) {
		return &app.Parts{Start: func(ctx context.Context) error {
			return errors.Join(h.Mail.Send(ctx, mail.Message{To: "ada@example.com", Subject: "Notes"}), errEnough)
		}}, nil
	})
	s.Mailer = func(*app.Process, *store.DB) (mail.Sender, error) { return printer{}, nil }
	p, remove := process()
	defer remove()
	p.Stderr = io.Discard
	fmt.Println("exit code", s.Run(context.Background(), p, []string{"serve"}))
	// Output:
	// to ada@example.com on Notes
	// exit code 1
}

// Commands of the program's own have the database, up to date, and what every
// command has.
func ExampleCommand() {
	s := service(nil)
	s.Commands = []app.Command{{
		Name: "note count", Summary: "Count the notes.",
		Run: func(ctx context.Context, p *app.Process, args []string) error {
			if err := app.Wants(args); err != nil {
				return err
			}
			return p.WithDatabase(ctx, func(ctx context.Context, db *store.DB) error {
				rows, err := db.QueryContext(ctx, "SELECT COUNT(*) FROM notes")
				if err != nil {
					return err
				}
				defer rows.Close()
				var n int
				for rows.Next() {
					if err := rows.Scan(&n); err != nil {
						return err
					}
				}
				fmt.Fprintln(p.Stdout, n, "notes")
				return rows.Err()
			})
		},
	}}
	p, remove := process()
	defer remove()
	p.Stdout = os.Stdout
	s.Run(context.Background(), p, []string{"note", "count"})
	s.Run(context.Background(), p, []string{"help", "note"})
	// Output:
	// 0 notes
	//   notes note count                         Count the notes.
}
