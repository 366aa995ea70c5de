//go:build noconsole

package console

import "embed"

// Built is set in programs that have the console.
const Built = false

var files embed.FS
