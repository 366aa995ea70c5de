package contract_test

import (
	"fmt"
	"strings"
	"testing"

	"entgo.io/ent/entc/load"

	"github.com/entwine-go/entwine/kit/codegen/codegentest"
	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/orm"
)

// jobs are the kinds of jobs of a module with the files.
func jobs(t *testing.T, files map[string]string) string {
	t.Helper()
	tree := codegentest.Module(t, "example.com/acme", files)
	graph, err := orm.NewGraph(tree, &load.SchemaSpec{PkgPath: "example.com/acme/schema"})
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Of(t.Context(), tree, &model.Model{Graph: graph}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, j := range c.Jobs {
		fmt.Fprintf(&b, "%s %s", j.Kind, j.Type)
		for _, a := range j.Args {
			fmt.Fprintf(&b, " %s:%s", a.Name, a.Type)
			if a.Optional {
				b.WriteByte('?')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Arguments are called as encoding/json calls them, whatever they are made of.
func TestArgumentsOfJobsAreReadFromTheSource(t *testing.T) {
	t.Parallel()
	got := jobs(t, map[string]string{
		"worker/mail.go": "package worker\n\nimport \"time\"\n\ntype Mail struct {\n\tTo, Cc string\n\tAt *time.Time `json:\"at\"`\n\tNote string `json:\"note,omitempty\"`\n" +
			"\tinner int\n\tLeft string `json:\"-\"`\n\tPlace\n\tLines []Line `json:\"lines\"`\n}\n\nfunc (Mail) Kind() string { return \"mail\" }\n",
		"worker/line.go": "package worker\n\ntype Place struct{ City string `json:\"city\"` }\n\ntype Line struct {\n\tText string `json:\"text\"`\n\tMore []Line `json:\"more\"`\n}\n",
		// No kinds of jobs: another method, a constant of another kind, a test, generated code,
		// another module.
		"worker/other.go":      "package worker\n\ntype Shape int\n\nfunc (s Shape) Kind() string { return names[s] }\n\nvar names []string\n",
		"worker/mail_test.go":  "package worker\n\ntype T struct{}\n\nfunc (T) Kind() string { return \"test\" }\n",
		"ent/note.go":          "package ent\n\ntype Note struct{}\n\nfunc (Note) Kind() string { return \"generated\" }\n",
		"tools/go.mod":         "module example.com/tools\n",
		"tools/tool.go":        "package tools\n\ntype Tool struct{}\n\nfunc (Tool) Kind() string { return \"tool\" }\n",
		"internal/purge/go.go": "package purge\n\ntype Purge struct{}\n\nfunc (*Purge) Kind() string { return \"purge\" }\n",
	})
	const want = "mail worker.Mail To:string Cc:string at:*time.Time? note:string? city:string lines:[]Line lines[].text:string lines[].more:[]Line\npurge purge.Purge\n"
	if got != want {
		t.Errorf("the jobs are\n%swant\n%s", got, want)
	}
}
