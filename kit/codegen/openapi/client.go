package openapi

// ogen makes Go code from two documents that are derived from the published
// one, because a document that is good to read is not good to generate from.

// clientDocument is what the typed client is made from: errors are one type,
// whatever the status, and every operation has one media type.
func (r *contract) clientDocument() *node {
	d := clone(r.document)
	d.at("components", "responses").set("Failure", obj(
		"description", "An error.",
		"content", obj("application/json", obj("schema", ref("schemas", "Error"))),
	))
	eachOperation(d.at("paths"), func(_, _ string, op *node) {
		op.set("responses", onlySuccess(op.at("responses")).set("default", ref("responses", "Failure")))
		plainRequest(op)
	})
	dropHeads(d)
	walk(d, dropItemEnum)
	walk(d, func(o *node) { o.drop(rawResponse) })
	keepSecurity(d, "bearerAuth", "apiKey")
	prune(d)
	return d
}
