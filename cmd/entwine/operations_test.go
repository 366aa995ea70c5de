package main_test

import (
	"os"
	"strings"
	"testing"
)

// The commands that doc/operations shows in shell blocks of these pages work, in
// order, beside a service that runs.
func TestTheCommandsOfOperators(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"keys", "upgrading"} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("../../doc/operations/" + page + ".md")
			if err != nil {
				t.Fatal(err)
			}
			var script strings.Builder
			for _, found := range block.FindAllStringSubmatch(string(text), -1) {
				if found[1] == "sh" {
					script.WriteString(found[2])
				}
			}
			if script.Len() == 0 {
				t.Fatal("it has no commands")
			}
			s := start(t)
			t.Log(shell(t, s.dir, script.String()))
		})
	}
}
