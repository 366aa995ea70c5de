package notes_test

import (
	"regexp"
	"testing"

	"github.com/entwine-go/entwine/kit/internal/notes/rest/oas/spec"
)

// The document of a service made with the kit has the name of another in settings alone.
func TestTheDocumentNamesNoOtherService(t *testing.T) {
	t.Parallel()
	others := regexp.MustCompile(`(?i).{0,40}entwine[^_].{0,20}`)
	if found := others.FindAllString(string(spec.Document()), -1); len(found) > 0 {
		t.Errorf("it names another service: %q", found)
	}
}
