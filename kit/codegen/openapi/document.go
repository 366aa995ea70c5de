package openapi

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/source"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
)

// handWritten are the documents of the operations that are not plain reads
// and writes: one for each activity, beside the file of its handlers.
const handWritten = "rest/*.yaml"

// contract is the contract of REST.
type contract struct {
	service  expose.Service
	document *node
	// calls are those that follow from the schema.
	calls []*model.Call
	// handled are the operations that handlers answer, by path and method: see [handled].
	handled *node
}

// newContract makes the OpenAPI document, of the operations that follow from the
// schema and those by hand.
func newContract(tree *source.Tree, m *model.Model) (*contract, error) {
	if err := Check(m); err != nil {
		return nil, err
	}
	r := &contract{service: m.Service, handled: obj()}
	of := kindsOf(m)
	components := sharedComponents(of)
	if hasOtherIDs(m) {
		components.at("schemas").at("Pagination").at("properties").at("next").at("properties").
			set("after_id", obj("description", "The `after_id` of the next page: an integer, or a string where ids are strings."))
	}
	for _, f := range failures {
		components.at("responses").set(f.name, f.in(m).response(of))
	}
	tags, paths := []any{}, obj()
	addSearch(m, components.at("schemas"))
	addChanges(m, components.at("schemas"))
	addPresence(m, components.at("schemas"))
	addFiles(m, components.at("schemas"))
	for _, e := range m.Entities {
		calls := m.Calls(e)
		addSchemas(e, components.at("schemas"), calls)
		addParameters(e, components.at("parameters"))
		for _, c := range m.Declared(e) {
			addDeclaredSchemas(c, components.at("schemas"))
			r.calls = append(r.calls, c)
		}
		if len(calls) > 0 {
			tags = append(tags, obj("name", e.Plural(), "description", e.Comment))
		}
		r.calls = slices.Concat(r.calls, calls, m.EdgeCalls(e))
	}
	for _, e := range m.Entities {
		addPaths(paths, components, m.Calls(e))
		r.addDeclared(paths, components, m, m.Declared(e))
		addEdgePaths(paths, components, m.EdgeCalls(e))
	}
	r.document = obj(
		"openapi", "3.1.0",
		"info", info(m),
		"servers", arr(
			obj("url", m.Service.Base(), "description", "Version "+m.Service.Major()+"."),
			obj("url", expose.Prefix, "description", "The same: without a version it is version "+m.Service.Major()+"."),
		),
		"security", obj(),
		"tags", tags,
		"paths", paths,
		"components", components,
	)
	if err := r.mergeProvided(m); err != nil {
		return nil, err
	}
	if err := r.mergeByHand(tree); err != nil {
		return nil, err
	}
	if err := checkByHand(m, r.document); err != nil {
		return nil, err
	}
	if err := r.secure(m); err != nil {
		return nil, err
	}
	return r, r.finish()
}

// mergeByHand adds the operations by hand, file by file in the order of their
// names.
func (r *contract) mergeByHand(tree *source.Tree) error {
	files, err := filepath.Glob(tree.Path(handWritten))
	if err != nil {
		return err
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if err := r.merge(source, byHand); err != nil {
			return fmt.Errorf("rest/%s: %w", filepath.Base(file), err)
		}
	}
	return nil
}

// hasOtherIDs reports whether ids of an entity are no integers.
func hasOtherIDs(m *model.Model) bool {
	return slices.ContainsFunc(m.Entities, func(e *model.Entity) bool { return model.IDsOf(e.Type.ID) != gid.Numbers })
}

func info(m *model.Model) *node {
	service, ids := m.Service, "64-bit integers"
	if hasOtherIDs(m) {
		ids += ", texts or UUIDs"
	}
	about := obj(
		"title", service.Name,
		"version", service.Version,
		"summary", "The resource API.",
		"description", strings.Join([]string{
			"Bodies are JSON; by `Accept` an answer is XML, and a list is CSV, with the same members. A success has `status: \"success\"` and `data`, a listing `pagination` and `links` beside it; an error has `status: \"error\"` and `error`.",
			"Identifiers are " + ids + ", times are RFC 3339 in UTC with fractions of a second, amounts of money are decimal numbers.",
			"Names that are not described here (a query parameter, a sort field, a filter, a member of a body) are refused with 400, and the answer lists the allowed ones.",
			"HEAD works wherever GET does; OPTIONS answers 204 with `Allow`.",
		}, "\n\n"),
	)
	if service.License != "" {
		about.set("license", obj("name", service.License, "identifier", service.License))
	}
	return about
}

// finish completes the document: the order of paths, a HEAD for each GET,
// security.
func (r *contract) finish() error {
	paths := r.document.at("paths")
	sort.SliceStable(paths.members, func(i, j int) bool { return paths.members[i].name < paths.members[j].name })
	r.document.set("security", security(r.document.at("components", "securitySchemes")))
	if base := r.service.Base(); base != expose.LinkBase {
		based(r.document, base)
	}
	for _, path := range paths.members {
		if n := levels(path.name); n > 3 {
			return fmt.Errorf("path %s: has %d levels; at most 3 are allowed", path.name, n)
		}
		item := path.value.(*node)
		if get := item.at("get"); get != nil && item.get("head") == nil {
			item.set("head", head(get))
		}
	}
	return nil
}

// based moves the paths in examples below that of the document's version.
func based(value any, base string) any {
	switch v := value.(type) {
	case *node:
		for i, m := range v.members {
			v.members[i].value = based(m.value, base)
		}
	case []any:
		for i, one := range v {
			v[i] = based(one, base)
		}
	case []map[string]any: // the example of a schema's field
		moved := make([]any, len(v))
		for i, one := range v {
			moved[i] = based(one, base)
		}
		return moved
	case map[string]any:
		moved := make(map[string]any, len(v))
		for name, one := range v {
			moved[name] = based(one, base)
		}
		return moved
	case string:
		if below, ok := strings.CutPrefix(v, expose.LinkBase+"/"); ok {
			return base + "/" + below
		}
	}
	return value
}

// levels counts the segments of a path that are not ids.
func levels(path string) int {
	n := 0
	for segment := range strings.SplitSeq(strings.Trim(path, "/"), "/") {
		if !strings.HasPrefix(segment, "{") {
			n++
		}
	}
	return n
}

func idInPath(path string) bool { return strings.Contains(path, "{") }

// security lets a caller use any of the schemes, or none: of an operation that says
// nothing else ([contract.secure]).
func security(schemes *node) []any {
	alternatives := []any{obj()}
	if schemes != nil {
		for _, m := range schemes.members {
			alternatives = append(alternatives, obj(m.name, arr()))
		}
	}
	return alternatives
}

// head is the operation that answers like get without a body.
func head(get *node) *node {
	o := clone(get)
	id := o.text("operationId")
	o.set("operationId", "head"+strings.ToUpper(id[:1])+id[1:])
	o.set("summary", get.text("summary")+" (headers only)")
	responses := o.at("responses")
	for i, m := range responses.members {
		response := m.value.(*node)
		if name, shared := strings.CutPrefix(response.text("$ref"), "#/components/responses/"); shared && m.name >= "400" {
			responses.members[i].value = obj("description", asForGet+name+".")
			continue
		}
		response.drop("content")
	}
	return o
}

// published is the document as clients read it: with what JSON can be
// represented as, and without what is said to the generators. The marks are
// what it does not say of whose ids and fields it has.
func (r *contract) published() (document, marks *node) {
	published := clone(r.document)
	addNotAllowed(published)
	addGone(published)
	r.describeReads(published)
	r.represent(published)
	r.addKeys(published)
	r.addHeaders(published)
	describeEndings(published)
	r.publishHandled(published)
	prune(published) // at the end, for headers refer to others
	marks = marked(published)
	walk(published, func(o *node) {
		for _, m := range o.members {
			if strings.HasPrefix(m.name, "x-") && m.name != endSunset && m.name != endSince {
				o.drop(m.name)
			}
		}
	})
	return published, marks
}
