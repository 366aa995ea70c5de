package codegen

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// A developer who waits for a generation sees what it is at.
func TestAGenerationSaysWhatItIsAt(t *testing.T) {
	t.Parallel()
	at, ticks, said, broken := &stage{}, make(chan time.Time), make(lines), errors.New("it does not compile")
	err := Telling(said, ticks, at.says, func() error {
		for _, one := range []struct{ done, want string }{{"", "5 s: compiles and reads"}, {"read", "5 s: asks"}, {"judge", "5 s: writes"}, {"write", "5 s: checks"}} {
			at.done(one.done)
			ticks <- time.Now().Add(often)
			if line := <-said; !strings.Contains(line, one.want) {
				t.Errorf("after %q it says %q, want %q", one.done, line, one.want)
			}
		}
		return broken
	})
	if !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
}

// lines is a writer that keeps each line.
type lines chan string

// Write implements io.Writer.
func (l lines) Write(text []byte) (int, error) {
	l <- string(text)
	return len(text), nil
}
