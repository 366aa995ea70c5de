package openapi

import (
	"slices"
	"strings"

	"github.com/entwine-go/entwine/kit/rest/negotiate"
)

// The answers of the layers around the handlers are the same for all operations.
// They are added to the published document at the end, and ogen does not see them.

// addNotAllowed has every operation refer to 405: that is what its path answers
// to methods that it does not have.
func addNotAllowed(published *node) {
	eachOperation(published.at("paths"), func(_, method string, op *node) {
		if method != "head" {
			op.at("responses").set("405", ref("responses", "MethodNotAllowed"))
		}
	})
}

// addGone has every operation refer to 410: that is what it answers once its
// version is retired.
func addGone(published *node) {
	eachOperation(published.at("paths"), func(_, method string, op *node) {
		gone := ref("responses", "Gone")
		if method == "head" {
			gone = obj("description", asForGet+"Gone.")
		}
		op.at("responses").set("410", gone)
	})
}

// describeReads adds what reads have in common that are not an entity's: they are
// tagged by their content, but for those that take or give credentials.
func (r *contract) describeReads(published *node) {
	eachOperation(published.at("paths"), func(path, method string, op *node) {
		if method != "get" && method != "head" || r.service.Credentials.Has(path) {
			return
		}
		responses := op.at("responses")
		ok := responses.at("200")
		if ok == nil {
			return
		}
		if ok.at("headers", "ETag") == nil {
			headersOf(ok).set("ETag", ref("headers", "ETag"))
		}
		if responses.get("304") == nil {
			responses.set("304", ref("responses", "NotModified"))
		}
		if list, _ := op.get("parameters").([]any); !refers(list, "IfNoneMatch") {
			op.set("parameters", append(append([]any{}, list...), ref("parameters", "IfNoneMatch")))
		}
	})
}

func refers(list []any, parameter string) bool {
	for _, p := range list {
		if asNode(p).text("$ref") == "#/components/parameters/"+parameter {
			return true
		}
	}
	return false
}

// headersOf are the headers of a response, which has some then.
func headersOf(response *node) *node {
	if response.at("headers") == nil {
		response.set("headers", obj())
	}
	return response.at("headers")
}

// commonHeaders are those of every answer, by the names of their components.
var commonHeaders = [][2]string{
	{"X-API-Version", "APIVersion"}, {"X-Request-Id", "RequestID"}, {"Cache-Control", "CacheControl"}, {"Vary", "Vary"},
	{"X-RateLimit-Limit", "RateLimitLimit"}, {"X-RateLimit-Remaining", "RateLimitRemaining"}, {"X-RateLimit-Reset", "RateLimitReset"},
	{"Consistency-Token", "ConsistencyToken"}, {"Deprecation", "Deprecation"}, {"Sunset", "Sunset"}, {"Warning", "Warning"}, {"X-API-Brownout", "APIBrownout"}, {"Link", "Link"},
}

// exampleToken is a token as package web makes them.
const exampleToken = "00000001000000001a2b3c4dffffffffffffffffXo3uB7yQ0aVJk9dT"

func (r *contract) addHeaders(published *node) {
	headers := published.at("components", "headers")
	text := func(name, description, example string) {
		headers.set(name, obj("description", description, "schema", obj("type", "string"), "example", example))
	}
	number := func(name, description string, example int) {
		headers.set(name, obj("description", description, "schema", obj("type", "integer"), "example", example))
	}
	text("APIVersion", "The version of the API, in full.", "1.0.0")
	text("RequestID", "The id of the request: the client's, or a new one.", exampleRequest)
	text("CacheControl", "Which caches may keep the answer, and for how long.", "private, no-cache")
	text("Vary", "The headers of the request that the answer depends on.", "Accept, Accept-Encoding")
	text("ConsistencyToken", "What the caller has seen of the database, where replicas answer reads: the next request has it as its header of that name. Of several answers the greatest in the order of texts counts.", exampleToken)
	text("ContentEncoding", "How the answer is compressed, for clients that take it (`Accept-Encoding`): it has an ETag of its own then.", "gzip")
	text("ContentDisposition", "The name of a list as CSV, or of a file.", "attachment; filename=items.csv")
	text("IdempotencyReplayed", "`true` where the answer is the first one's to this Idempotency-Key.", "true")
	text("PreferenceApplied", "The preference that was honoured (RFC 7240).", "return=representation")
	text("SetCookie", "A cookie with a credential, or the end of one that is no good.", "token=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax")
	text("Deprecation", "`true` where the version, the operation or something in the request is deprecated, or since when (RFC 9745).", "true")
	text("Sunset", "When the deprecated operation or version will be gone (RFC 8594).", "Thu, 01 Jul 2027 00:00:00 GMT")
	text("Warning", "The deprecated field, operation or version, and its successor: code 299.", `299 - "version 1 is deprecated and will be retired on 2027-07-01"`)
	text("APIBrownout", "The next interval (ISO 8601) in which the deprecated version answers as if it were gone.", "2027-06-07T12:00:00Z/2027-06-07T13:00:00Z")
	number("RateLimitLimit", "How many requests the caller may make in the window.", 100)
	number("RateLimitRemaining", "How many of them are left.", 99)
	number("RateLimitReset", "When the window is over, in seconds since 1970.", 1767323045)
	published.at("components", "parameters").set("ConsistencyToken", obj(
		"name", "Consistency-Token", "in", "header",
		"description", "The position of the caller's last read or write, from an earlier answer: this answer is no older. Services without replicas send no such header, and need none. Browsers with cookies need not send it.",
		"schema", obj("type", "string"),
		"example", exampleToken,
	))
	responses := published.at("components", "responses")
	for _, m := range responses.members {
		addCommon(asNode(m.value))
	}
	for _, name := range []string{"PaymentRequired", "NotFound", "Conflict", "Accepted"} { // what is kept for a key
		if response := responses.at(name); response != nil {
			headersOf(response).set("Idempotency-Replayed", ref("headers", "IdempotencyReplayed"))
		}
	}
	if response := responses.at("Unauthorized"); response != nil {
		headersOf(response).set("Set-Cookie", ref("headers", "SetCookie"))
	}
	if response := responses.at("NotModified"); response != nil {
		headersOf(response).set("Last-Modified", ref("headers", "LastModified")).set("Link", ref("headers", "Link")).
			set("Accept-Ranges", ref("headers", "AcceptRanges"))
	}
	eachOperation(published.at("paths"), func(path, method string, op *node) {
		keyed := method == "post" && !r.service.Credentials.Has(path)
		if list, _ := op.get("parameters").([]any); op.get("servers") == nil {
			op.set("parameters", append(slices.Clone(list), ref("parameters", "ConsistencyToken")))
		}
		for i, m := range op.at("responses").members {
			response := asNode(m.value)
			if response.text("$ref") != "" {
				continue
			}
			if method == "head" && m.name >= "400" {
				op.at("responses").members[i].value = ref("responses", headFailure(responses, response))
				continue
			}
			addCommon(response)
			h := headersOf(response)
			if keyed {
				h.set("Idempotency-Replayed", ref("headers", "IdempotencyReplayed"))
			}
			if tagged(op, response) {
				h.set("ETag", ref("headers", "ETag")).set("Last-Modified", ref("headers", "LastModified"))
			}
			r.addOwn(h, path, method, m.name, op, response)
		}
	})
}

// addOwn adds the headers that depend on the operation and the status.
func (r *contract) addOwn(h *node, path, method, status string, op, response *node) {
	add := func(name, component string) {
		if h.get(name) == nil {
			h.set(name, ref("headers", component))
		}
	}
	if r.service.Credentials.Has(path) {
		add("Set-Cookie", "SetCookie")
	}
	switch {
	case method == "delete" && status == "200":
		add("Preference-Applied", "PreferenceApplied")
	case method == "post" && status == "202":
		add("Retry-After", "RetryAfter")
	}
	if method == "post" && status < "300" && op.at("responses").get("201") != nil {
		add("Location", "Location")
	}
	content := response.at("content")
	if content == nil {
		return
	}
	for _, m := range content.members {
		switch m.name {
		case negotiate.JSON, negotiate.XML, negotiate.Events:
		case negotiate.CSV, negotiate.NDJSON:
			add("Content-Disposition", "ContentDisposition")
		default:
			add("Content-Disposition", "ContentDisposition")
			add("Accept-Ranges", "AcceptRanges")
		}
	}
}

// addCommon adds the headers of every answer.
func addCommon(response *node) {
	h := headersOf(response)
	for _, common := range commonHeaders {
		h.set(common[0], ref("headers", common[1]))
	}
	h.set("Content-Encoding", ref("headers", "ContentEncoding"))
}

// tagged reports whether the answer has a validator: package handler writes it.
func tagged(op, response *node) bool {
	content := response.at("content")
	if content == nil {
		return false
	}
	return answersEntity(op) || answersRaw(op) || op.get(generated) == true
}

// headFailure makes the component of a failure without its body, and returns
// its name.
func headFailure(responses, response *node) string {
	of := strings.TrimSuffix(strings.TrimPrefix(response.text("description"), asForGet), ".")
	name := of + "Head"
	if responses.get(name) == nil {
		plain := clone(responses.at(of))
		plain.drop("content")
		responses.set(name, plain.set("description", response.text("description")))
	}
	return name
}

// asForGet is how the description of a failure of HEAD begins.
const asForGet = "As for GET: "
