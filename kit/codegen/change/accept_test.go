package change_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/codegen/change"
)

var day = time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)

func gone(what string) change.Finding {
	return change.Finding{Kind: 10, Code: "field-dropped", What: what, Verdict: change.Breaks, Effects: change.Effects{REST: change.Breaks}}
}

// A code accepts what breaks now; written down it accepts that and nothing else,
// until the release has it.
func TestAcceptedIsWhatItIsAbout(t *testing.T) {
	t.Parallel()
	found := []change.Finding{gone("Post.a"), gone("Post.b"), {Kind: 18, Code: "default-changed", What: "Post.c", Verdict: change.Depends}}
	lines, unused := change.Mark(found, nil, []string{"field-dropped", "path-changed"}, day)
	if want := []string{"2026-11-22 field-dropped Post.a", "2026-11-22 field-dropped Post.b"}; !slices.Equal(lines, want) {
		t.Errorf("lines are %q, want %q", lines, want)
	}
	if !slices.Equal(unused, []string{"path-changed"}) || len(change.Refused(found)) != 0 {
		t.Errorf("unused %q, refused %v", unused, change.Refused(found))
	}
	path := filepath.Join(t.TempDir(), "accepted.txt")
	for range 2 { // the header is there once
		if err := lines.Append(path); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	written := change.ReadAccepted(string(text))
	if len(written) != 4 {
		t.Errorf("written are %q", written)
	}
	later := []change.Finding{gone("Post.a"), gone("Post.other")}
	if again, _ := change.Mark(later, written, nil, day); len(again) != 0 || !later[0].Accepted || later[1].Accepted {
		t.Errorf("%v are accepted, and %q written", later, again)
	}
	if left := written.Since(written); len(left) != 0 {
		t.Errorf("after the release %q still count", left)
	}
}
