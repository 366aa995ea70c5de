package conformance_test

import (
	"os/exec"
	"strings"
	"testing"
)

// The service links neither the generator nor the planner of migrations, nor
// what tests stand on, nor the client of its own REST API; the developers' program
// links no service, and of the kit no door. It issues tokens for programs that it asks on
// trial, so that it links the kit's accounts and what these name.
func TestWhatTheProgramsLink(t *testing.T) {
	t.Parallel()
	const module = "github.com/entwine-go/entwine/"
	for program, refused := range map[string][]string{
		"./cmd/entwine": {"kit/codegen", "kit/kittest", "internal/trial", "kit/internal/notes", "kit/idp/idptest", "migrate/migratetest", "rest/oas$", "ent/migrate", "ent/enttest"},
		"./cmd/weave":   {"ent", "gql", "internal", "migrate", "rest", "schema", "worker", "kit/app", "kit/graph", "kit/rest/crud", "kit/live", "kit/web"},
	} {
		list := exec.Command("go", "list", "-deps", program)
		list.Dir = "../.."
		out, err := list.Output()
		if err != nil {
			t.Fatalf("go list %s: %v", program, err)
		}
		for line := range strings.Lines(string(out)) {
			path, ours := strings.CutPrefix(strings.TrimSpace(line), module)
			for _, folder := range refused {
				exact, whole := strings.CutSuffix(folder, "$")
				if ours && (path == exact || !whole && strings.HasPrefix(path, folder+"/")) {
					t.Errorf("%s links %s", program, path)
				}
			}
			if strings.TrimSpace(line) == "testing" && program == "./cmd/entwine" {
				t.Errorf("%s links testing", program)
			}
		}
	}
}
