package develop

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"sync"
	"time"

	"github.com/entwine-go/entwine/kit/codegen"
)

// compiling reads what go build -v writes: a line with the path of each package as it
// begins to compile it, and among them what does not compile.
type compiling struct {
	program string
	rest    bytes.Buffer // what is no path

	mu    sync.Mutex
	line  []byte // its beginning
	count int
	last  string
}

// packagePath is a line of go build -v. Those about mistakes have blanks or colons.
var packagePath = regexp.MustCompile(`^[\w.~/-]+$`)

// Write implements io.Writer.
func (c *compiling) Write(text []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.line = append(c.line, text...)
	for {
		end := bytes.IndexByte(c.line, '\n')
		if end < 0 {
			return len(text), nil
		}
		line := c.line[:end+1]
		c.line = c.line[end+1:]
		if path := bytes.TrimSpace(line); packagePath.Match(path) {
			c.count, c.last = c.count+1, string(path)
		} else {
			c.rest.Write(line)
		}
	}
}

// during calls build, and says at each tick what is compiled.
func (c *compiling) during(out io.Writer, ticks <-chan time.Time, build func() error) error {
	err := codegen.Telling(out, ticks, c.says, build)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.rest.Write(c.line)
	return err
}

// says is a line about what goes on.
func (c *compiling) says(since time.Duration) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	what := "finds out what has changed"
	if c.count > 0 {
		what = fmt.Sprintf("compiles %s, the package %d", c.last, c.count)
	}
	return fmt.Sprintf("%s: %.0f s: %s. The first time takes minutes, a save some seconds", c.program, since.Seconds(), what)
}
