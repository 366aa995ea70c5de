package apptest_test

import (
	"fmt"
	"io"
	"net/http"
	"testing"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/internal/notes/migrate"
	"github.com/entwine-go/entwine/kit/kittest/apptest"
)

func TestAServiceAnswers(t *testing.T) {
	t.Parallel()
	echo := func(w http.ResponseWriter, r *http.Request) error {
		body, err := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s %s", r.Method, r.Header.Get("Accept-Language"), body)
		return err
	}
	s := apptest.Serve(t, &app.Service{Name: "notes", Generated: app.Generated{Migrations: migrate.Files}, Open: func(h *app.Host) (*app.Parts, error) {
		return &app.Parts{Handlers: map[string]http.Handler{"/echo": h.Handler(echo)}}, nil
	}}, "ENTWINE_LOG_LEVEL=error")
	s.Header.Set("Accept-Language", "nb")
	s.Ask("POST", "/echo", `{"a":1}`, `POST nb {"a":1}`)
	if got := s.Ask("GET", "/echo", "", "GET"); got != "GET nb " {
		t.Errorf("GET /echo: %q", got)
	}
}
