package schema

import "github.com/entwine-go/entwine/kit/tables"

// The mixins that several entities share.
type (
	// Record gives an entity whose rows never change its id and the time of its
	// creation.
	Record = tables.Record
	// Base gives an entity its id and the times of its creation and last change.
	Base = tables.Base
	// Listed gives an entity the index of the order that listings have by default.
	Listed = tables.Listed
	// Versioned counts the changes that a client can make, so that an update can
	// ask for the version it was made for (If-Match, expectedVersion).
	Versioned = tables.Versioned
	// SoftDelete keeps deleted rows, hidden, until they are restored or removed.
	SoftDelete = tables.SoftDelete
)
