//go:build !linux

package app

// releasePages does nothing where it isn't known which pages are the program's.
func releasePages() {}
