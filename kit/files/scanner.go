package files

import (
	"context"
	"fmt"
	"io"
	"net/url"
	"strings"
)

// Scanner judges the content of files. The package kit/files/clamd has one. Others register
// themselves ([RegisterScanner]) in packages that a service imports.
//
// With a scanner no content is served before its verdict, and none with a threat:
//
//	upload    the scanner is asked before the row is written. A file with a threat is
//	          refused, and nothing of it is stored.
//	waiting   it did not answer in time: the file is stored, and [Keeper.Content] refuses to
//	          serve it until [Keeper.Scan] has its verdict.
//	scanned   the row has when that was, and the threat where there is one.
type Scanner interface {
	// Scan reads the content, and returns what the threat in it is called: empty for none.
	// An error means that there is no verdict.
	Scan(ctx context.Context, content io.Reader) (threat string, err error)
}

// ScannerReady returns an error while the scanner gives no verdicts. A scanner has a method
// Ready where there is a cheaper question than about an empty content.
func (k *Keeper) ScannerReady(ctx context.Context) error {
	if s, ok := k.Scanner.(interface {
		Ready(ctx context.Context) error
	}); ok {
		return s.Ready(ctx)
	}
	_, err := k.Scanner.Scan(ctx, strings.NewReader(""))
	return err
}

// ScannerOpener makes the scanner at an address. It asks it nothing yet.
type ScannerOpener func(address *url.URL) (Scanner, error)

var scanners = map[string]ScannerOpener{}

// RegisterScanner has addresses with the scheme opened. Packages of scanners call it in init.
func RegisterScanner(scheme string, open ScannerOpener) { scanners[scheme] = open }

// OpenScanner makes the scanner at an address.
func OpenScanner(address string) (Scanner, error) {
	u, err := url.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("the address of a scanner: %w", err)
	}
	open := scanners[u.Scheme]
	if open == nil {
		return nil, fmt.Errorf("scanners of %s:// are not linked into this program: import their package in the package main, and build it again", u.Scheme)
	}
	return open(u)
}
