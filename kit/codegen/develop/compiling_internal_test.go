package develop

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// A developer who waits for a compiler sees that it works, and of what it refuses no
// more than that.
func TestWhatIsCompiledIsTold(t *testing.T) {
	t.Parallel()
	c, ticks, said := &compiling{program: "./cmd/notes"}, make(chan time.Time), make(lines)
	broken := errors.New("exit status 1")
	tick := func(after time.Duration, want string) {
		ticks <- time.Now().Add(after)
		if line := <-said; !strings.Contains(line, want) {
			t.Errorf("it says %q, want %q", line, want)
		}
	}
	err := c.during(said, ticks, func() error {
		tick(5*time.Second, "./cmd/notes: 5 s: finds out")
		for _, text := range []string{"encoding/json\nexample.com/acme/no", "tes/ent\n# example.com/acme/notes/cmd/notes\n", "cmd/notes/main.go:7:2: undefined: nothing"} {
			if _, err := c.Write([]byte(text)); err != nil {
				t.Error(err)
			}
		}
		tick(10*time.Second, "10 s: compiles example.com/acme/notes/ent, the package 2")
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	const want = "# example.com/acme/notes/cmd/notes\ncmd/notes/main.go:7:2: undefined: nothing"
	if got := c.rest.String(); got != want {
		t.Errorf("what is refused is\n%s\nwant\n%s", got, want)
	}
}

// lines is a writer that keeps each line.
type lines chan string

// Write implements io.Writer.
func (l lines) Write(text []byte) (int, error) {
	l <- string(text)
	return len(text), nil
}
