package openapi

import (
	"slices"
	"strings"
)

// addKeys adds the header Idempotency-Key to the published document: every
// POST takes one, but those that give or take credentials. The document that
// ogen reads is without it, because it is dealt with before any handler runs.
func addKeys(published *node) {
	const name = "IdempotencyKey"
	published.at("components", "parameters").set(name, obj(
		"name", "Idempotency-Key", "in", "header",
		"description", "Makes repeating the request safe: it takes effect once, and each repetition with the same key and body gets the first answer again. "+
			"409 while the first still runs, 422 where the request is another. It means nothing without credentials.",
		"schema", obj("type", "string", "minLength", 1, "maxLength", 255),
		"example", "8e03978e-40d5-43e8-bc93-6894a57f9324",
	))
	eachOperation(published.at("paths"), func(path, method string, op *node) {
		if method != "post" || strings.HasPrefix(path, "/auth/") {
			return
		}
		list, _ := op.get("parameters").([]any)
		op.set("parameters", append(slices.Clone(list), ref("parameters", name)))
	})
}
