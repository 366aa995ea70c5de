package openapi

import "github.com/entwine-go/entwine/kit/gen/openapi"

// sharedComponents are the components that do not depend on the schema.
func sharedComponents(of kinds) *node {
	return obj(
		"schemas", obj(
			"Pagination", pagination(),
			"Links", links(),
			"Error", errorSchema(of),
			"ErrorDetail", detailSchema(),
			"Problem", problemSchema(of),
			"CutLists", cutLists(),
		),
		"parameters", sharedParameters(),
		"headers", sharedHeaders(),
		"responses", sharedResponses(of),
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
			"total", obj("type", "integer", "format", "int64", "description", "The number of all items, counted up to 10,000: see `total_exact`."),
			"total_pages", obj("type", "integer", "format", "int64", "description", "The number of pages that `total` comes to."),
			"has_next", boolean("Whether there is a page after this one."),
			"has_prev", boolean("Whether there is a page before this one."),
			"total_exact", boolean("False where there may be more items than `total`, which is counted up to 10,000 items, and of a `search` less far. Absent where `total` is exact."),
			"has_more", boolean("Whether there is a page after this one."),
			"next_cursor", obj("type", arr("string", "null"), "description", "The `cursor` of the next page, null after the last one."),
			"hasNextPage", boolean("Whether there is a page after this one."),
			"next", obj(
				"type", arr("object", "null"),
				"description", "The parameters of the next page, null after the last one.",
				"required", arr("after", "after_id"),
				"properties", obj(
					"after", obj("description", "The `after` of the next page."),
					"after_id", identifies(obj("type", "integer", "format", "int64", "description", "The `after_id` of the next page."), openapi.AnyEntity),
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

// cutLists describes the member that names the cut lists of an item.
func cutLists() *node {
	return obj(
		"type", "object",
		"description", "The expanded lists that are longer than the 100 items that are shown, by their names. Absent where there are none.",
		"additionalProperties", obj(
			"type", "object",
			"required", arr("total"),
			"properties", obj(
				"total", obj("type", "integer", "format", "int64", "description", "How many items there are, counted up to 10,000."),
				"total_exact", obj("type", "boolean", "description", "False where there may be more than `total`, which is counted up to 10,000 items. Absent where `total` is exact."),
				"href", obj("type", "string", "format", "uri-reference", "description", "The path of the whole list, where it has one."),
			),
		),
	)
}

func errorSchema(of kinds) *node {
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
					"code", obj("type", "string", "enum", values(of.codes()), "description", "The error for the machine."),
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
			"message", obj("type", "string", "description", "The rule that it breaks, and what is allowed."),
			"value", obj("description", "The value that was sent, unless it is a secret."),
		),
	)
}

func problemSchema(of kinds) *node {
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
			"code", obj("type", "string", "enum", values(of.codes())),
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
		"Range", header("Range", "A part of the file: `bytes=0-1023`. More than one part, and other units, are answered with all of it."),
		"IfRange", header("If-Range", "Answers with the part only where the file still has this ETag, else with all of it."),
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
		"Link", header("The pages around this one, and what takes the place of what is deprecated (RFC 8288)."),
		"AcceptRanges", header("`bytes`: parts can be asked for."),
		"ContentRange", header("Which part it is, and of how many bytes."),
		"RetryAfter", obj("description", "How many seconds to wait.", "schema", obj("type", "integer")),
		"Allow", header("The methods that the path has."),
		"AcceptPatch", header("The media types that PATCH takes, where that was asked (RFC 5789)."),
		"WWWAuthenticate", header("How to authenticate (RFC 6750)."),
	)
}

func sharedResponses(of kinds) *node {
	responses := obj("NotModified", obj("description", "The caller's copy is still good.",
		"headers", obj("ETag", ref("headers", "ETag"))))
	for _, f := range failures {
		responses.set(f.name, f.response(of))
	}
	return responses
}
