// Package kit is the root of what a service generated from a schema is made
// from. It knows no entity of any service, and imports nothing generated.
//
// Its packages stand on floors. One imports from its own floor or a lower one
// (doc/adr/0012-who-may-import-whom.md):
//
//	1  expose policy tables money date problem viewer what schemas are written in
//	   entity                                         what an entity, a field, an edge is
//	   manifest                                       the service as JSON, for programs
//	   fold gid lifecycle requestid sample            what needs no database and no HTTP
//	   livelist outbound                              clients of HTTP
//	2  store migration config ratelimit pubsub        a process and its database
//	3  read write mutation search idempotency         the engines: descriptions to SQL to rows
//	4  account documents events files idp jobs live   capabilities, used from Go and by the doors
//	   mail payments presence usage
//	5  rest graph web console                         the doors, which know HTTP and write no SQL
//	6  app kittest                                    the program of any service, and its tests
//
// Beside the floors, gen has what generated code alone imports, internal what
// neither services nor generated code name, codegen is the generator, and pgserver
// starts servers of PostgreSQL for it and for tests.
//
// The vocabulary, lifecycle, store/statement, the capabilities, app and kittest
// change as semantic versions allow. The other packages change with the generator,
// whose version they share.
package kit
