package openapi

import (
	"strconv"
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
	{416, "RangeNotSatisfiable", "RANGE_NOT_SATISFIABLE", "The range is beyond the end of the file, whose size `Content-Range` has.", "the range is beyond the end: there are 1000 bytes", nil},
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
	"UNSUPPORTED_MEDIA_TYPE", "RANGE_NOT_SATISFIABLE", "IDEMPOTENCY_KEY_REUSED", "RATE_LIMIT_EXCEEDED", "HEADERS_TOO_LARGE", "INTERNAL_ERROR",
	"BAD_GATEWAY", "SERVICE_UNAVAILABLE", "GATEWAY_TIMEOUT",
}

func (f failure) response() *node {
	r := obj("description", f.description)
	switch f.status {
	case 401:
		r.set("headers", obj("WWW-Authenticate", ref("headers", "WWWAuthenticate")))
	case 415:
		r.set("headers", obj("Accept-Patch", ref("headers", "AcceptPatch")))
	case 416:
		r.set("headers", obj("Content-Range", ref("headers", "ContentRange"), "Accept-Ranges", ref("headers", "AcceptRanges")))
	case 405:
		r.set("headers", obj("Allow", ref("headers", "Allow")))
	case 409, 429, 502, 503, 504:
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
		list = append(list, 413, 415) // a body is judged before the handler, which wants none
	}
	if op.get("requestBody") != nil {
		list = append(list, 408, 413, 415, 422)
	}
	if keyed(path, method, op) {
		list = append(list, 404, 409, 422) // what an Idempotency-Key can be answered with: the caller may read the row no more
	}
	for _, status := range list {
		if key := strconv.Itoa(status); responses.get(key) == nil {
			responses.set(key, ref("responses", failureNames[status]))
		}
	}
}
