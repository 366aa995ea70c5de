// Package writes has tests only: what writes of this service's entities answer,
// where the engine under both APIs answers it, and what they cost.
package writes
