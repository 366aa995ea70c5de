package openapi

import (
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/ogen-go/ogen/gen"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
)

// The groups of operations, of which ogen makes an interface each.
const (
	group      = "x-ogen-operation-group"
	ownGroup   = "Own" // of rest/*.yaml
	otherGroup = "Kit"
)

// serverDocument returns the document that the server is made from. All errors take
// one way, so none are mentioned. Operations by hand have typed parameters, bodies
// and results. The others have plain paths: their handlers read the request and
// write the answer themselves, because answers are written from the database's rows,
// and all findings about an input are reported at once.
func (r *contract) serverDocument() *node {
	d := clone(r.document)
	d.at("components", "responses").set("Answer", obj("description", "Written by the handler.",
		"content", obj("application/json", obj("schema", obj(), rawResponse, true))))
	dropHeads(d)
	formerPaths(d.at("paths"))
	eachOperation(d.at("paths"), func(path, _ string, op *node) {
		if op.text(answered) == byHand {
			typed(op.set(group, ownGroup))
			return
		}
		op.members = obj("operationId", op.text("operationId"), "summary", op.text("summary"), group, otherGroup,
			"parameters", plainPath(path), "responses", obj("200", ref("responses", "Answer"))).members
	})
	walk(d, dropItemEnum)
	keepSecurity(d)
	prune(d)
	return d
}

// typed leaves of an operation by hand what its handler has types for. With a raw
// response it writes its answer itself, and its parameters are those that are not
// shared: the others are parsed by package params.
func typed(op *node) {
	plainRequest(op)
	if answersEntity(op) {
		op.set("parameters", own(op.get("parameters")))
	}
	if answersEntity(op) || answersRaw(op) {
		op.set("responses", obj("200", ref("responses", "Answer")))
		return
	}
	op.set("responses", onlySuccess(op.at("responses")))
}

// formerPaths adds operations at paths that they had before, but where another
// operation is there now.
func formerPaths(paths *node) {
	for _, path := range slices.Clone(paths.members) {
		eachOperation(obj(path.name, path.value), func(_, method string, op *node) {
			old, _ := op.get(oldPaths).([]model.OldPath)
			for i, was := range old {
				if paths.get(was.Path) == nil {
					paths.set(was.Path, obj())
				}
				if paths.at(was.Path, method) == nil {
					paths.at(was.Path).set(method, clone(op).set("operationId", fmt.Sprintf("%sWas%d", op.text("operationId"), i+1)))
				}
			}
		})
	}
}

// plainPath are the parameters of a path, as texts: which ids there are is a
// question of the version of the API.
func plainPath(path string) []any {
	parameters := []any{}
	for segment := range strings.SplitSeq(path, "/") {
		if name, is := strings.CutPrefix(segment, "{"); is {
			parameters = append(parameters, obj("name", strings.TrimSuffix(name, "}"), "in", "path", "required", true, "schema", obj("type", "string")))
		}
	}
	return parameters
}

var kitFile = template.Must(template.New("kit").Parse(`{{ .Header }}

package server

import (
	"context"
	"net/http"
)

// Kit answers operations that are not by hand, by their operationId. Its answer is
// in the context.
type Kit func(ctx context.Context, w http.ResponseWriter, id string) error

var _ KitHandler = Kit(nil)
{{ range .Operations }}
func (k Kit) {{ .Name }}(ctx context.Context, {{ if .Path }}_ {{ .Name }}Params, {{ end }}w http.ResponseWriter) error {
	return k(ctx, w, "{{ .ID }}")
}
{{ end -}}
`))

// writeServer writes the package of the server, with what has the kit answer all
// operations that are not by hand: the two come from one document, and one that has
// no method does not compile.
func writeServer(folder *source.Folder, g *gen.Generator) error {
	type operation struct {
		Name, ID string
		Path     bool
	}
	var all []operation
	for _, o := range g.Operations() {
		if o.OperationGroup == otherGroup {
			all = append(all, operation{o.Name, o.Spec.OperationID, len(o.Params) > 0})
		}
	}
	if len(all) > 0 {
		if err := folder.WriteGo("kit.go", kitFile, source.Data{"Operations": all}); err != nil {
			return err
		}
	}
	return writeOgen(folder, "server", g)
}
