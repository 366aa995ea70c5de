// Command entwine is the service of this repository: the code that is generated
// from schema/, with its own Go code. Without a single setting, entwine serve is a
// service to try.
//
// Package app of the kit is the program of any service, and internal/program what this
// one hands to it.
package main

import (
	"github.com/entwine-go/entwine/internal/program"
	"github.com/entwine-go/entwine/kit/app"
)

// version and revision are set by the linker: make build does so.
var version, revision string

func main() { app.Main(program.Service(version, revision)) }
