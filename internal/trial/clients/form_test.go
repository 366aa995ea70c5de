package clients_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
)

// Clients of GraphQL send files in forms (graphql-multipart-request-spec): urql by itself, and
// Apollo Client by apollo-upload-client.
func TestClientsOfGraphQLSendFiles(t *testing.T) {
	t.Parallel()
	for folder, want := range map[string]string{
		"clients": `[true,200,"inline; filename=ada.png",5242880]` + "\n",
		"apollo":  "uploaded\n",
	} {
		t.Run(folder, func(t *testing.T) {
			t.Parallel()
			dir := nodetest.Folder(t, "testdata/"+folder)
			if out := nodetest.Run(t, dir, "node", "upload.mjs", trial.Start(t).URL); out != want {
				t.Errorf("the program says %s", out)
			}
		})
	}
}
