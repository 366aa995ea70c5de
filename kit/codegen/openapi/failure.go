package openapi

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/problem"
)

// failure is a response to a request that fails, and an example of its body.
type failure struct {
	// kind is the one of the example: the first of those with its status.
	kind    problem.Kind
	name    string
	message string
	details []any
	// path is that of the request in the example.
	path string
}

// failures are the document's error responses, the same for every operation.
var failures = []failure{
	{kind: problem.Invalid, name: "BadRequest", message: "the input is not valid", details: arr(obj("field", "name", "message", "is required"))},
	{kind: problem.Unauthenticated, name: "Unauthorized", message: "token required"},
	{kind: problem.PaymentDeclined, name: "PaymentRequired", message: "The card was declined."},
	{kind: problem.Forbidden, name: "Forbidden", message: "you are not allowed to do this"},
	{kind: problem.NotFound, name: "NotFound", message: "not found"},
	{kind: problem.MethodNotAllowed, name: "MethodNotAllowed", message: "POST is not allowed here"},
	{kind: problem.NotAcceptable, name: "NotAcceptable", message: "application/json can be had"},
	{kind: problem.RequestTimeout, name: "RequestTimeout", message: "the request took too long to arrive"},
	{kind: problem.Duplicate, name: "Conflict", message: "another one has this value", details: arr(obj("field", "name", "message", "is taken", "value", "A"))},
	{kind: problem.Gone, name: "Gone", message: "this version is retired"},
	{kind: problem.PreconditionFailed, name: "PreconditionFailed", message: "the resource has changed"},
	{kind: problem.TooLarge, name: "PayloadTooLarge", message: "the body is larger than 1 MiB"},
	{kind: problem.AddressTooLong, name: "URITooLong", message: "the path and the query are too long: with the headers, 32768 bytes are allowed"},
	{kind: problem.UnsupportedMedia, name: "UnsupportedMediaType", message: "application/json is expected"},
	{kind: problem.NotSatisfiable, name: "RangeNotSatisfiable", message: "the range is beyond the end: there are 1000 bytes"},
	{kind: problem.Unprocessable, name: "UnprocessableContent", message: "the input is not valid", details: arr(obj("field", "name", "message", "must be 2 to 100 characters, not 1", "value", "A"))},
	{kind: problem.RateLimited, name: "TooManyRequests", message: "too many requests"},
	{kind: problem.HeadersTooLarge, name: "HeadersTooLarge", message: "the headers are larger than 32768 bytes"},
	{kind: problem.Internal, name: "InternalError", message: "an internal error occurred"},
	{kind: problem.BadGateway, name: "BadGateway", message: "another service failed"},
	{kind: problem.Unavailable, name: "ServiceUnavailable", message: "the service is busy: try again"},
	{kind: problem.GatewayTimeout, name: "GatewayTimeout", message: "another service took too long"},
}

// failureNames maps a status to the name of its response.
var failureNames = func() map[int]string {
	names := map[int]string{}
	for _, f := range failures {
		names[f.status()] = f.name
	}
	return names
}()

// kinds are those of the errors that a service answers with.
type kinds []problem.Kind

// kindsOf leaves out what only services with tenants have.
func kindsOf(m *model.Model) kinds {
	return slices.DeleteFunc(problem.Kinds(), func(k problem.Kind) bool {
		return k == problem.TenantRequired && len(m.Tenanted()) == 0
	})
}

// codes lists the codes of error answers, those of hand-written operations too.
func (k kinds) codes() []string {
	var all []string
	for _, kind := range k {
		if code := kind.Answer().REST; code != "" && !slices.Contains(all, code) {
			all = append(all, code)
		}
	}
	return all
}

func (f failure) status() int { return f.kind.Answer().Status }

func (f failure) code() string { return f.kind.Answer().REST }

// description says when the status is answered, for each code that it can have.
func (f failure) description(of kinds) string {
	var cases []string
	for _, kind := range of {
		if a := kind.Answer(); a.Status == f.status() && a.REST != "" {
			cases = append(cases, fmt.Sprintf("`%s`: %s.", a.REST, a.When))
		}
	}
	return strings.Join(cases, " ")
}

func (f failure) response(of kinds) *node {
	r := obj("description", f.description(of))
	switch f.status() {
	case 401:
		r.set("headers", obj("WWW-Authenticate", ref("headers", "WWWAuthenticate")))
	case 415:
		r.set("headers", obj("Accept-Patch", ref("headers", "AcceptPatch")))
	case 416:
		r.set("headers", obj("Content-Range", ref("headers", "ContentRange"), "Accept-Ranges", ref("headers", "AcceptRanges")))
	case 405:
		r.set("headers", obj("Allow", ref("headers", "Allow")))
	case 409, 410, 429, 502, 503, 504:
		r.set("headers", obj("Retry-After", ref("headers", "RetryAfter")))
	}
	return r.set("content", obj(
		"application/json", obj("schema", ref("schemas", "Error"), "example", f.example()),
		"application/problem+json", obj("schema", ref("schemas", "Problem"), "example", f.problem()),
	))
}

const exampleRequest = "3QKX2M7VYJ5C4RZT6WNBHGFDSA"

func (f failure) example() *node {
	e := obj("code", f.code(), "message", f.message)
	if f.details != nil {
		e.set("details", f.details)
	}
	if f.status() != 500 {
		e.set("timestamp", "2026-01-02T03:04:05.678901Z").set("path", f.path)
	}
	return obj("status", "error", "error", e.set("request_id", exampleRequest))
}

func (f failure) problem() *node {
	p := obj("type", "about:blank", "title", f.name, "status", f.status(), "detail", f.message, "code", f.code())
	if f.details != nil {
		p.set("details", f.details)
	}
	return p.set("request_id", exampleRequest)
}

// addFailures adds the error responses that a hand-written operation does not
// mention and that every operation like it can have.
func (r *contract) addFailures(op *node, path, method string) {
	responses := op.at("responses")
	list := []int{400, 401, 403, 406, 414, 429, 431, 500, 503}
	if idInPath(path) {
		list = append(list, 404)
	}
	if method != "get" {
		list = append(list, 413, 415) // a body is judged before the handler, which wants none
	}
	if op.get("requestBody") != nil {
		list = append(list, 408, 413, 415, 422)
	}
	if r.takesKey(path, method, op) {
		list = append(list, 404, 409, 422) // what an Idempotency-Key can be answered with: the caller may read the row no more
	}
	for _, status := range list {
		if key := strconv.Itoa(status); responses.get(key) == nil {
			responses.set(key, ref("responses", failureNames[status]))
		}
	}
}
