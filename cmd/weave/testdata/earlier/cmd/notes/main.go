// Command notes is the service.
package main

import (
	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/jobs"

	"example.com/acme/notes/internal/rows"
	"example.com/acme/notes/internal/service"
	"example.com/acme/notes/migrate"
)

func main() { app.Main(notes()) }

// notes is what the program serves.
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
	return &app.Parts{Methods: rows.NewMethods(jobs.Actions{Client: h.Jobs})}, nil
}
