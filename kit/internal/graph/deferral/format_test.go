package deferral_test

import (
	"testing"

	"github.com/entwine-go/entwine/kit/internal/graph/deferral"
)

func TestTheFormatThatAcceptNames(t *testing.T) {
	t.Parallel()
	for accept, want := range map[string]deferral.Format{
		"":                                    deferral.Whole,
		"*/*":                                 deferral.Whole,
		"multipart/mixed":                     deferral.Whole,
		"multipart/mixed;deferSpec=20991231":  deferral.Whole,
		"application/json;deferSpec=20220824": deferral.Whole,
		"multipart/mixed;deferSpec=20220824,application/graphql-response+json":             deferral.Paths,
		`application/json, Multipart/Mixed; DeferSpec="20220824"`:                          deferral.Paths,
		"multipart/mixed;incrementalSpec=v0.2,application/json;q=0.9":                      deferral.Pending,
		"multipart/mixed;incrementalSpec=v0.3":                                             deferral.Whole,
		"multipart/mixed;deferSpec=20220824, multipart/mixed;incrementalSpec=v0.2":         deferral.Paths,
		"multipart/mixed;deferSpec=20220824;q=0.1, multipart/mixed;incrementalSpec=v0.2":   deferral.Pending,
		"multipart/mixed;deferSpec=20220824;q=0, multipart/mixed;incrementalSpec=v0.2;q=0": deferral.Whole,
		"text/event-stream;incrementalSpec=v0.2":                                           deferral.Pending,
		"multipart/mixed;deferSpec=20220824;q=much":                                        deferral.Whole,
	} {
		if got := deferral.Accepted([]string{accept}, "multipart/mixed", "text/event-stream"); got != want {
			t.Errorf("%q: %v, want %v", accept, got, want)
		}
	}
}
