// Package generation keeps generated code and a run-time that do not fit each
// other from being compiled together, as package protoimpl does for Protocol
// Buffers. Generated code has the generation that it was written for, as constant
// expressions that are below zero where it does not fit.
package generation

// Enforce does not compile with a value below zero.
type Enforce uint

const (
	// Newest is the generation that the generator of this version writes. It is raised
	// with each change that has generated code from before no longer compile, or do
	// something else.
	Newest = 5
	// Oldest is the oldest that this version's run-time runs as it was meant.
	Oldest = 5
)
