package clients_test

import (
	"testing"

	"github.com/entwine-go/entwine/internal/trial"
	"github.com/entwine-go/entwine/kit/kittest/nodetest"
)

// The client that Uppy uses, and others that speak tus, upload to the service.
func TestTheClientOfTus(t *testing.T) {
	t.Parallel()
	dir := nodetest.Folder(t, "testdata/tus")
	if out := nodetest.Run(t, dir, "node", "upload.mjs", trial.Start(t).URL); out != "[401,true,404]\n" {
		t.Errorf("the program says %s", out)
	}
}
