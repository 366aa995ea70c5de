package conformance_test

import (
	"os/exec"
	"strings"
	"testing"
)

// These packages are large, and each was once linked for one function: planners of
// migrations with their language (they came with Ent's client and Atlas' drivers), and gRPC
// (with an exporter of traces over HTTP).
func TestTheProgramLinksNoPlannerAndNoGRPC(t *testing.T) {
	t.Parallel()
	list := exec.Command("go", "list", "-deps", "../../cmd/entwine")
	out, err := list.Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		path := strings.TrimSpace(line)
		for _, heavy := range []string{
			"ariga.io/atlas/sql/postgres", "ariga.io/atlas/sql/sqlite", "ariga.io/atlas/sql/mysql", "ariga.io/atlas/schemahcl",
			"github.com/hashicorp/hcl", "github.com/zclconf/go-cty", "google.golang.org/grpc", "golang.org/x/net/trace",
			"entgo.io/ent/dialect/sql/schema", "github.com/google/go-cmp", "github.com/jackc/pgx",
		} {
			if path == heavy || strings.HasPrefix(path, heavy+"/") {
				t.Errorf("the program links %s", path)
			}
		}
	}
}
