// Command entwine is the service of this repository: the code that is generated
// from schema/, with its own Go code. Without a single setting, entwine serve is a
// service to try.
//
// Package app of the kit is the program. This package hands it the service's
// parts and the commands that are the service's own, one file for each group.
package main

import "github.com/entwine-go/entwine/kit/app"

func main() { app.Main(service()) }
