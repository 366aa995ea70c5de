//go:build !noconsole

package console

import "embed"

// Built is set in programs that have the console.
const Built = true

//go:embed page.html dist/*.gz
var files embed.FS
