// Package docs serves the reference of a resource API: the OpenAPI document,
// as JSON and YAML, and a page that shows it and lets one try it. It owns the
// page, the viewer that it embeds (Swagger UI), what the browser may do with
// them (it loads nothing from elsewhere, and runs no script but its own), and
// how files that are the same for every caller are compressed and cached.
//
// The viewer is swagger-ui-dist of npm, compressed and else unchanged, under
// the Apache License 2.0 (LICENSE, NOTICE, and NOTICE-bundle for what it
// contains); make viewer brings another version.
package docs

import (
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"regexp"
)

// Version is that of the viewer.
const Version = "5.35.0"

// The page, and the parts of the viewer, compressed with gzip.
var (
	//go:embed index.html
	page []byte
	//go:embed swagger-ui.js.gz
	script []byte
	//go:embed swagger-ui.css.gz
	style []byte
)

// policy is the page's Content-Security-Policy.
var policy = func() string {
	inline := regexp.MustCompile(`(?s)<script>(.*)</script>`).FindSubmatch(page)[1]
	sum := sha256.Sum256(inline)
	return "default-src 'none'; script-src 'self' 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) +
		"'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
}()
