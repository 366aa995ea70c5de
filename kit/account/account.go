// Package account authenticates callers: signing up and in, issuing tokens and
// API keys, and verifying them on each request.
//
// It is one package because its operations share one set of tables and the rules over
// them: attempts that are counted, sign-ins that end together, tokens of which one use
// revokes others.
//
// A [Registrar] makes users with passwords, an [Authenticator] signs them in, an [Issuer] issues
// the access tokens that follow, [Addresses] looks after their e-mail addresses, a [Keyring] has
// the keys of programs, and a [Verifier] turns either into a viewer. Policies decide the rights of
// a viewer; package web carries credentials over HTTP.
//
// Its own tables (sessions, credentials, tokens, identities, failures) it writes in SQL. Users are the service's: of
// them it knows the columns name, email, role, is_active, version and deleted_at, and writes them by a [Table], as the service
// describes them.
//
// Nothing here is remembered for longer than two seconds: the database says
// whether a user is active and which role they have, not their token.
package account
