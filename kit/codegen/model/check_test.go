package model_test

import (
	"strings"
	"testing"
)

func TestALibraryHasNoMistake(t *testing.T) {
	library()
	if err := judge(t); err != nil {
		t.Fatal(err)
	}
}

func TestMistakesAreToldAllAtOnce(t *testing.T) {
	library()
	shelf.resource.Path, book.resource.Limit = "Shelves", -1
	err := judge(t)
	if err == nil || strings.Count(err.Error(), "schema/") != 2 {
		t.Errorf("got %v, want two mistakes", err)
	}
}
