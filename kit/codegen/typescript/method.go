package typescript

import (
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/manifest"
)

// action is the method of an action, empty where it answers with a file.
func (e *entity) action(name string, a *manifest.Action) string {
	if a.Result == "file" {
		return ""
	}
	var parameters, more []string
	which := "undefined"
	if a.Scope == "row" {
		parameters, which = append(parameters, "row: "+e.Name+"Ref"), "row"
		if _, after, _ := strings.Cut(a.Path, "}"); after != "" {
			more = append(more, "after: "+quoted(after))
		}
	} else {
		more = append(more, "path: "+quoted(a.Path))
	}
	if len(a.Input) > 0 {
		member := "body: input"
		if a.Reads {
			member = "query: { ...input }"
		}
		more = append(more, member)
		input := "input: " + object(e.m, a.Input, true)
		if !a.InputRequired {
			input += " = {}"
		}
		parameters = append(parameters, input)
	}
	if a.Idempotent {
		more = append(more, "keyed: true")
	}
	if a.IfMatch {
		more = append(more, "match: true")
	}
	call, result, options := "told", e.answer(a), "CallOptions"
	if a.Result == "row" {
		call, options = "done", "Reading<"+e.Name+"Model, string, string>"
	}
	if a.Result == "none" {
		call = "done"
	}
	parameters = append(parameters, "options: "+options+" = {}")
	more = append(more, "options")
	return fmt.Sprintf("%s  %s(%s): Promise<%s> {\n    return this.%s(%s, %s, { %s });\n  }\n",
		doc("  ", strings.TrimSpace(a.Description)), name, strings.Join(parameters, ", "), result, call, quoted(a.Method), which, strings.Join(more, ", "))
}

// answer is the type of what an action answers with.
func (e *entity) answer(a *manifest.Action) string {
	switch a.Result {
	case "none":
		return "void"
	case "job":
		return "{ message: string; jobId: " + idOf(e.m) + "; statusUrl: string }"
	case "answer":
		return object(e.m, a.Answer, false)
	}
	row := "One<" + e.Name + "Model>"
	if len(a.Answer) > 0 {
		row += " & " + object(e.m, a.Answer, false)
	}
	return row
}

// sublist is the method of the list at the other end of an edge.
func (e *entity) sublist(g *manifest.Edge, to *manifest.Entity) string {
	_, after, _ := strings.Cut(g.List, "}")
	return fmt.Sprintf(`%s  %s<const F extends string = never, const E extends string = never>(row: %sRef, options?: Lists<%sModel, %sWhere, %sSort, F, E>): List<Row<%sModel, F, E>> {
    return this.listed(options, this.pathOf(row) + %s, %s);
  }
`, doc("  ", g.Description), key(g.Name), e.Name, to.Name, to.Name, to.Name, to.Name, quoted(after), quoted(to.Plural))
}
