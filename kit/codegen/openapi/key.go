package openapi

import "slices"

// reads marks a hand-written POST that changes nothing: nothing is kept of it.
const reads = "x-reads"

// keyNames marks a POST whose result is named by the key. As of an upload, no outcome is kept.
const keyNames = "x-key-names"

// takesKey reports whether an operation takes an Idempotency-Key: every POST that
// writes does, but those that give or take credentials.
func (r *contract) takesKey(path, method string, op *node) bool {
	return method == "post" && !r.service.Credentials.Has(path) && op.get(reads) != true
}

// keyed reports whether package rest keeps the outcome of a request with a key. An upload's
// file is named by the key instead: a body of its size is not kept in memory to be compared.
func (r *contract) keyed(path, method string, op *node) bool {
	return r.takesKey(path, method, op) && fileTypes(op) == nil && op.get(keyNames) != true
}

// addKeys adds the header Idempotency-Key to the published document. The
// document that ogen reads is without it, because it is dealt with before any
// handler runs.
func (r *contract) addKeys(published *node) {
	const name = "IdempotencyKey"
	published.at("components", "parameters").set(name, obj(
		"name", "Idempotency-Key", "in", "header",
		"description", "Makes repeating the request safe: it takes effect once, and each repetition with the same key and body is answered with what became of the first one, as the caller may see it now. "+
			"409 while the first still runs, 422 where the request is another, 429 where too much is kept for the caller. It means nothing without credentials.",
		"schema", obj("type", "string", "minLength", 1, "maxLength", 255),
		"example", "8e03978e-40d5-43e8-bc93-6894a57f9324",
	))
	eachOperation(published.at("paths"), func(path, method string, op *node) {
		if !r.takesKey(path, method, op) {
			return
		}
		list, _ := op.get("parameters").([]any)
		op.set("parameters", append(slices.Clone(list), ref("parameters", name)))
	})
}
