package main

import (
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/app"
)

func TestANoteIsWrittenAndRead(t *testing.T) {
	p := &app.Process{Stdout: t.Output(), Stderr: t.Output(), Environ: []string{"ENTWINE_DATA_DIR=" + t.TempDir()}}
	server, end, err := notes().Embed(t.Context(), p, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer end()
	for _, step := range []struct{ path, body, want string }{
		{"/api/v1/users", `{"name":"Ada Lovelace"}`, `"id":1`},
		{"/api/v1/notes", `{"title":"Engines","text":"They weave.","user_id":1}`, `"done":false`},
		{"/api/v1/notes", `{"title":"Nothing","text":"They weave.","user_id":1}`, "must say something"},
		{"/api/v1/notes/1/finish", `{}`, `"done":true`},
		{"/graphql", `{"query":"{ notesConnection { edges { node { title done user { name } } } } }"}`, `{"title":"Engines","done":true,"user":{"name":"Ada Lovelace"}}`},
	} {
		r := httptest.NewRequest("POST", step.path, strings.NewReader(step.body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		server.Handler.ServeHTTP(w, r)
		if !strings.Contains(w.Body.String(), step.want) {
			t.Errorf("POST %s: %d %s, want %s", step.path, w.Code, w.Body, step.want)
		}
	}
}
