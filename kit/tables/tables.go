// Package tables is the kit's own tables, as schemas that a project embeds, and
// the mixins that its entities share.
//
//	// Event is what was written.
//	type Event struct{ tables.Event }
//
// What a table is embedded as keeps its name. Methods of one's own go before those
// that are embedded: the Edges of a Job can have those of its user, its Annotations
// another path.
//
// Jobs, their results and the schedule need Job and JobChunk, subscriptions Event,
// requests with an Idempotency-Key IdempotencyRecord, trusted documents of GraphQL
// TrustedDocument. All of them can be there before they are needed.
package tables
