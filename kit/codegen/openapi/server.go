package openapi

import "slices"

// serverDocument is what the server is made from: the operations by hand. What
// follows from the schema is answered by package crud, and what the kit brings
// along by packages signin and provided. All errors take one way, so none are
// mentioned. An operation by hand with a raw response has typed
// parameters, and writes its answer itself.
func (r *contract) serverDocument() *node {
	d := clone(r.document)
	d.at("components", "responses").set("Answer", obj("description", "Written by the handler.",
		"content", obj("application/json", obj("schema", obj(), rawResponse, true))))
	for _, c := range slices.Concat(r.calls, r.declared) {
		dropOperation(d.at("paths"), c.Path, c.Method)
	}
	for _, o := range r.provided {
		dropOperation(d.at("paths"), o.path, o.method)
	}
	eachOperation(d.at("paths"), func(_, _ string, op *node) {
		plainRequest(op)
		if answersEntity(op) {
			op.set("responses", obj("200", ref("responses", "Answer")))
			op.set("parameters", own(op.get("parameters")))
			return
		}
		if answersRaw(op) {
			op.set("responses", obj("200", ref("responses", "Answer")))
			return
		}
		op.set("responses", onlySuccess(op.at("responses")))
	})
	dropHeads(d)
	walk(d, dropItemEnum)
	keepSecurity(d)
	prune(d)
	return d
}
