// Package docs serves the reference of a resource API: the OpenAPI document, as
// JSON and YAML, and a page that shows it and lets one try it. It owns the page,
// its Content-Security-Policy (it loads nothing from elsewhere, and runs no script
// but its own), and the compression and caching of files that are the same for
// every caller.
//
// The page is the list of operations. The description of an operation is a file of
// its own, with the components that it refers to. The page loads it when the
// operation is opened, so that a large document costs a reader nothing.
package docs

import (
	_ "embed"
	"html/template"
)

// The page.
var (
	//go:embed page.html
	pageText string
	//go:embed page.js
	script []byte
	//go:embed page.css
	style []byte
)

var page = template.Must(template.New("page").Parse(pageText))

// policy is the page's Content-Security-Policy. An operation's answer may be saved
// as a file, which is a blob.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
