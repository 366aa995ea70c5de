package clients_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
)

// A client of GraphQL sends a file in a form (graphql-multipart-request-spec).
func TestAClientOfGraphQLSendsAFile(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/clients")
	if out := nodetest.Run(t, dir, "node", "upload.mjs", trial.Start(t).URL); out != `[true,200,"inline; filename=ada.png",5242880]`+"\n" {
		t.Errorf("the program says %s", out)
	}
}
