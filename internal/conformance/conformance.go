// Package conformance holds the kit's engines against this service's schema: every
// entity's listing gives every row once, nothing that a viewer may not read is
// found by any listing, filter, order, search or count, amounts of all currencies
// have one order, search finds what is written. It has tests only; the engines'
// own tests, on a schema of their own, stand beside them.
package conformance
