package search

// Snippet is for tests.
func (q *Query) Snippet(texts []string) string { return q.snippet(texts) }
