package kit_test

import (
	"os/exec"
	"strings"
	"testing"
)

const module = "github.com/entwine-go/entwine/"

// A service's generated code leans on the kit, so what the kit leans on must
// compile where nothing is generated. Its tests keep to that too.
func TestTheKitReachesNothingOfAService(t *testing.T) {
	t.Parallel()
	list := exec.Command("go", "list", "-deps", "-test", "./...")
	out, err := list.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	for line := range strings.Lines(string(out)) {
		path, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		if rest, ours := strings.CutPrefix(path, module); ours && rest != "kit" && !strings.HasPrefix(rest, "kit/") && !strings.HasPrefix(rest, "kit.test") && !strings.HasPrefix(rest, "kit_test") {
			t.Errorf("the kit reaches %s", path)
		}
	}
}
