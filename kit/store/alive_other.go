//go:build !unix

package store

// alive reports whether an idle connection can be used, as far as can be
// known without asking the server.
func (w *wire) alive() bool { return true }
