// Package kit is the root of what a service generated from a schema is made
// from. It knows no entity of any service, and imports nothing generated.
//
//	expose policy viewer problem money    what schemas are written in
//	jobs events mail payments idp         what a service's Go code uses
//	kittest                               what a service's tests use
//	runtime                               what generated code leans on, and the wiring of a service
//	internal                              what only the kit uses
//	codegen                               the generator, and the planner of migrations
//
// The first three rows are for people to import and change as semantic
// versions allow. Packages below runtime change with the generator, whose
// version they share.
package kit
