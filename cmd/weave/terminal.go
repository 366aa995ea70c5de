package main

import (
	"io"
	"os"
	"strconv"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/entwine-go/entwine/kit/codegen/change"
)

// narrow is the width of a report that goes to no terminal.
const narrow = 100

// style is how reports are written to w: in colors to a terminal that has them,
// unless NO_COLOR (https://no-color.org) is set, and as wide as COLUMNS or the
// terminal says.
func style(w io.Writer) change.Style {
	s := change.Style{Width: narrow, Ways: true, Day: time.Now().UTC()}
	file, ok := w.(*os.File)
	if ok && isatty.IsTerminal(file.Fd()) {
		s.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
		if width := columns(file); width > 0 {
			s.Width = width
		}
	}
	if width, err := strconv.Atoi(os.Getenv("COLUMNS")); err == nil && width > 0 {
		s.Width = width
	}
	return s
}
