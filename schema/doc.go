// Package schema is the source of truth of entwine.
package schema
