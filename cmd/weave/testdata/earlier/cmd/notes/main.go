// Command notes is the service.
package main

import (
	"context"
	"strings"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/writing"

	"example.com/acme/notes/internal/rows"
	"example.com/acme/notes/internal/service"
	"example.com/acme/notes/migrate"
)

func main() { app.Main(notes()) }

// notes is the service of the program.
func notes() *app.Service {
	return &app.Service{
		Name:      "notes",
		About:     "notes keeps what people write down.",
		Generated: service.Generated(migrate.Files),
		Open:      open,
	}
}

// open puts together what is written in Go: see app.Parts for all that there is.
func open(h *app.Host) (*app.Parts, error) {
	return &app.Parts{
		Methods: rows.NewMethods(jobs.Actions{Client: h.Jobs}),
		Around:  map[string]*writing.Around{"Note": {Prepare: titled}},
		Judges:  map[string]writing.Judge{"Note.finish": judged},
	}, nil
}

// titled refuses a note about nothing.
func titled(_ context.Context, c *writing.Change) (any, error) {
	if title, ok := c.Values["title"].(string); ok && strings.EqualFold(title, "nothing") {
		return nil, problem.Inputs(problem.Rulef("title", title, "must say something"))
	}
	return nil, nil
}

// judged has nothing to say of a note that is finished.
func judged(writing.Values, func(...string) bool) []problem.Detail { return nil }
