package openapi

import (
	"strconv"
	"strings"
)

// failure is a status that operations fail with, and an example of its body.
type failure struct {
	status      int
	name        string
	code        string
	description string
	message     string
	details     []any
}

// failures are the document's error responses, the same for every operation.
var failures = []failure{
	{400, "BadRequest", "VALIDATION_ERROR", "Input is missing, unknown or of the wrong type (`VALIDATION_ERROR`), or the body is not JSON (`INVALID_JSON`).",
		"the input is not valid", arr(obj("field", "name", "message", "is required"))},
	{401, "Unauthorized", "AUTH_REQUIRED", "There are no credentials (`AUTH_REQUIRED`), or they are expired (`TOKEN_EXPIRED`) or bad (`TOKEN_INVALID`).", "token required", nil},
	{402, "PaymentRequired", "PAYMENT_DECLINED", "The gateway declined.", "The card was declined.", nil},
	{403, "Forbidden", "FORBIDDEN", "The caller may not do this.", "you are not allowed to do this", nil},
	{404, "NotFound", "RESOURCE_NOT_FOUND", "There is no such resource, or the caller cannot read it.", "user not found", nil},
	{405, "MethodNotAllowed", "METHOD_NOT_ALLOWED", "The path has no such method; `Allow` lists those it has.", "POST is not allowed here", nil},
	{406, "NotAcceptable", "NOT_ACCEPTABLE", "None of the media types in `Accept` can be answered with.", "application/json can be had", nil},
	{408, "RequestTimeout", "REQUEST_TIMEOUT", "The request arrived too slowly.", "the request took too long to arrive", nil},
	{409, "Conflict", "DUPLICATE_RESOURCE", "Another row has the value (`DUPLICATE_RESOURCE`), or the state does not allow it (`CONFLICT`).",
		"another user has this email", arr(obj("field", "email", "message", "is taken", "value", "ada@example.com"))},
	{410, "Gone", "VERSION_RETIRED", "This version of the API is retired.", "this version is retired", nil},
	{412, "PreconditionFailed", "PRECONDITION_FAILED", "The resource is not at the version that `If-Match` names.", "the resource has changed", nil},
	{413, "PayloadTooLarge", "PAYLOAD_TOO_LARGE", "The body is too large.", "the body is larger than 1 MiB", nil},
	{415, "UnsupportedMediaType", "UNSUPPORTED_MEDIA_TYPE", "The body is not of a media type that the operation takes.", "application/json is expected", nil},
	{422, "UnprocessableContent", "VALIDATION_ERROR", "The input is well-typed and breaks a rule. `details` lists every failing field.",
		"the input is not valid", arr(obj("field", "name", "message", "must be 2 to 100 characters, not 1", "value", "A"))},
	{429, "TooManyRequests", "RATE_LIMIT_EXCEEDED", "The caller has made too many requests; `Retry-After` says when to try again.", "too many requests", nil},
	{431, "HeadersTooLarge", "HEADERS_TOO_LARGE", "The headers of the request are too large.", "the headers are larger than 32768 bytes", nil},
	{500, "InternalError", "INTERNAL_ERROR", "Something went wrong that the caller cannot mend.", "an internal error occurred", nil},
	{502, "BadGateway", "BAD_GATEWAY", "Another service failed.", "another service failed", nil},
	{503, "ServiceUnavailable", "SERVICE_UNAVAILABLE", "The service is overloaded or shutting down; `Retry-After` says when to try again.", "the service is busy: try again", nil},
	{504, "GatewayTimeout", "GATEWAY_TIMEOUT", "Another service took too long.", "another service took too long", nil},
}

// failureNames maps a status to the name of its response.
var failureNames = func() map[int]string {
	names := map[int]string{}
	for _, f := range failures {
		names[f.status] = f.name
	}
	return names
}()

// codes are the codes of error answers, those of hand-written operations too.
var codes = []string{
	"VALIDATION_ERROR", "INVALID_JSON", "AUTH_REQUIRED", "TOKEN_EXPIRED", "TOKEN_INVALID", "INVALID_CREDENTIALS",
	"PAYMENT_DECLINED", "FORBIDDEN", "RESOURCE_NOT_FOUND", "METHOD_NOT_ALLOWED", "NOT_ACCEPTABLE", "REQUEST_TIMEOUT",
	"DUPLICATE_RESOURCE", "CONFLICT", "VERSION_RETIRED", "PRECONDITION_FAILED", "PAYLOAD_TOO_LARGE",
	"UNSUPPORTED_MEDIA_TYPE", "IDEMPOTENCY_KEY_REUSED", "RATE_LIMIT_EXCEEDED", "HEADERS_TOO_LARGE", "INTERNAL_ERROR",
	"BAD_GATEWAY", "SERVICE_UNAVAILABLE", "GATEWAY_TIMEOUT",
}

// sharedComponents are the components that do not depend on the schema.
func sharedComponents() *node {
	return obj(
		"schemas", obj(
			"Pagination", pagination(),
			"Links", links(),
			"Error", errorSchema(),
			"ErrorDetail", detailSchema(),
			"Problem", problemSchema(),
		),
		"parameters", sharedParameters(),
		"headers", sharedHeaders(),
		"responses", sharedResponses(),
	)
}

// pagination is one object for the three kinds of pagination: what belongs to
// another kind is absent.
func pagination() *node {
	integer := func(description string) *node { return obj("type", "integer", "description", description) }
	boolean := func(description string) *node { return obj("type", "boolean", "description", description) }
	return obj(
		"type", "object",
		"description", "Where the page is in the listing. Offset pagination has page, limit, total, total_pages, has_next and has_prev; "+
			"cursor pagination has limit, has_more and next_cursor; keyset pagination has limit, hasNextPage and next.",
		"required", arr("limit"),
		"properties", obj(
			"limit", integer("The size of the page."),
			"page", integer("The page, counted from 1."),
			"total", obj("type", "integer", "format", "int64", "description", "The number of all items."),
			"total_pages", obj("type", "integer", "format", "int64", "description", "The number of all pages."),
			"has_next", boolean("Whether there is a page after this one."),
			"has_prev", boolean("Whether there is a page before this one."),
			"has_more", boolean("Whether there is a page after this one."),
			"next_cursor", obj("type", arr("string", "null"), "description", "The `cursor` of the next page, null after the last one."),
			"hasNextPage", boolean("Whether there is a page after this one."),
			"next", obj(
				"type", arr("object", "null"),
				"description", "The parameters of the next page, null after the last one.",
				"required", arr("after", "after_id"),
				"properties", obj(
					"after", obj("description", "The `after` of the next page."),
					"after_id", obj("type", "integer", "format", "int64", "description", "The `after_id` of the next page."),
				),
			),
		),
	)
}

func links() *node {
	link := func(description string) *node {
		return obj("type", "string", "format", "uri-reference", "description", description)
	}
	return obj(
		"type", "object",
		"description", "The same facts as in the `Link` header (RFC 8288).",
		"required", arr("self", "first"),
		"properties", obj(
			"self", link("This page."), "first", link("The first page."), "last", link("The last page (offset pagination)."),
			"prev", link("The page before, if there is one."), "next", link("The page after, if there is one."),
		),
	)
}

func errorSchema() *node {
	return obj(
		"type", "object",
		"description", "An error. Internal errors carry only code, message and request_id.",
		"required", arr("status", "error"),
		"properties", obj(
			"status", obj("type", "string", "const", "error"),
			"error", obj(
				"type", "object",
				"required", arr("code", "message"),
				"properties", obj(
					"code", obj("type", "string", "enum", values(codes), "description", "The error for the machine."),
					"message", obj("type", "string", "description", "The error for people."),
					"details", obj("type", "array", "items", ref("schemas", "ErrorDetail"), "description", "Every failing input."),
					"timestamp", obj("type", "string", "format", "date-time", "x-ogen-time-format", timeFormat, "description", "When it happened."),
					"path", obj("type", "string", "description", "The path of the request."),
					"request_id", obj("type", "string", "description", "The request, for the people who run the service."),
				),
			),
		),
	)
}

func detailSchema() *node {
	return obj(
		"type", "object",
		"required", arr("field", "message"),
		"properties", obj(
			"field", obj("type", "string", "description", "The input: `email`, `users[1].email`."),
			"message", obj("type", "string", "description", "What is wrong, and what is allowed."),
			"value", obj("description", "What was sent, unless it is a secret."),
		),
	)
}

func problemSchema() *node {
	return obj(
		"type", "object",
		"description", "An error as RFC 9457 has it, for `Accept: application/problem+json`.",
		"required", arr("type", "title", "status", "code"),
		"properties", obj(
			"type", obj("type", "string", "format", "uri-reference"),
			"title", obj("type", "string"),
			"status", obj("type", "integer"),
			"detail", obj("type", "string"),
			"instance", obj("type", "string", "format", "uri-reference"),
			"code", obj("type", "string", "enum", values(codes)),
			"details", obj("type", "array", "items", ref("schemas", "ErrorDetail")),
			"timestamp", obj("type", "string", "format", "date-time", "x-ogen-time-format", timeFormat),
			"request_id", obj("type", "string"),
		),
	)
}

func sharedParameters() *node {
	header := func(name, description string) *node {
		return obj("name", name, "in", "header", "description", description, "schema", obj("type", "string"))
	}
	p := obj(
		"Hard", query("hard", obj("type", "boolean", "default", false), "Removes the row for good with what belongs to it. Admins only."),
		"IfNoneMatch", header("If-None-Match", "Answers 304 where the representation still has one of these ETags."),
		"IfModifiedSince", header("If-Modified-Since", "Answers 304 where nothing has changed since; `If-None-Match` wins."),
		"IfMatch", header("If-Match", "Answers 412 unless the representation that GET answers with has one of these ETags."),
		"Prefer", header("Prefer", "`return=representation` answers 200 with what was deleted."),
	)
	addCommonParameters(p)
	return p
}

func sharedHeaders() *node {
	header := func(description string) *node {
		return obj("description", description, "schema", obj("type", "string"))
	}
	return obj(
		"ETag", header("A strong validator of this representation."),
		"LastModified", header("When the resource was last changed."),
		"Location", header("The path of the new resource."),
		"Link", header("The pages around this one (RFC 8288)."),
		"RetryAfter", obj("description", "How many seconds to wait.", "schema", obj("type", "integer")),
		"Allow", header("The methods that the path has."),
		"WWWAuthenticate", header("How to authenticate (RFC 6750)."),
	)
}

func sharedResponses() *node {
	responses := obj("NotModified", obj("description", "The caller's copy is still good.",
		"headers", obj("ETag", ref("headers", "ETag"))))
	for _, f := range failures {
		responses.set(f.name, f.response())
	}
	return responses
}

func (f failure) response() *node {
	r := obj("description", f.description)
	switch f.status {
	case 401:
		r.set("headers", obj("WWW-Authenticate", ref("headers", "WWWAuthenticate")))
	case 405:
		r.set("headers", obj("Allow", ref("headers", "Allow")))
	case 429, 503:
		r.set("headers", obj("Retry-After", ref("headers", "RetryAfter")))
	}
	return r.set("content", obj(
		"application/json", obj("schema", ref("schemas", "Error"), "example", f.example()),
		"application/problem+json", obj("schema", ref("schemas", "Problem"), "example", f.problem()),
	))
}

const exampleRequest = "3QKX2M7VYJ5C4RZT6WNBHGFDSA"

func (f failure) example() *node {
	e := obj("code", f.code, "message", f.message)
	if f.details != nil {
		e.set("details", f.details)
	}
	if f.status != 500 {
		e.set("timestamp", "2026-01-02T03:04:05.678901Z").set("path", "/api/v1/users")
	}
	return obj("status", "error", "error", e.set("request_id", exampleRequest))
}

func (f failure) problem() *node {
	p := obj("type", "about:blank", "title", f.name, "status", f.status, "detail", f.message, "code", f.code)
	if f.details != nil {
		p.set("details", f.details)
	}
	return p.set("request_id", exampleRequest)
}

// addFailures adds the error responses that a hand-written operation does not
// mention and that every operation like it can have.
func addFailures(op *node, path, method string) {
	responses := op.at("responses")
	list := []int{400, 401, 403, 406, 429, 431, 500, 503}
	if idInPath(path) {
		list = append(list, 404)
	}
	if method == "post" || method == "delete" {
		list = append(list, 413, 415) // a body is judged before anybody knows that none is wanted
	}
	if op.get("requestBody") != nil {
		list = append(list, 408, 413, 415, 422)
	}
	if method == "post" && !strings.HasPrefix(path, "/auth/") {
		list = append(list, 409, 422) // what an Idempotency-Key can be answered with
	}
	for _, status := range list {
		if key := strconv.Itoa(status); responses.get(key) == nil {
			responses.set(key, ref("responses", failureNames[status]))
		}
	}
}
