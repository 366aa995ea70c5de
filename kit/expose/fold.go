package expose

import "slices"

// FoldSuffix ends the name of a column that holds the folded text of another.
const FoldSuffix = "_fold"

// Folded reports whether a column beside the field's holds the text with its case
// folded: for searches and [UniqueFold].
func (f Field) Folded() bool { return f.Unique || slices.Contains(f.By, Search) }
