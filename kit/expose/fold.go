package expose

import "slices"

// FoldSuffix ends the name of a column that holds the folded text of another.
const FoldSuffix = "_fold"

// Folded reports whether the text of the field is kept with its case folded too.
func (f Field) Folded() bool { return f.Unique || slices.Contains(f.By, Search) }
