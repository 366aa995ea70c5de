package problem

// Kind classifies a problem, in terms that both APIs share.
type Kind int

// The kinds. [Kind.Answer] has the status and code that clients get for each.
const (
	Internal Kind = iota // of an error that is no [Error], too
	Invalid
	InvalidJSON
	Unparsable
	NotValid
	Unauthenticated
	InvalidCredentials
	TokenExpired
	TokenInvalid
	PaymentDeclined
	Forbidden
	TenantRequired
	NotFound
	DocumentNotFound
	MethodNotAllowed
	NotAcceptable
	RequestTimeout
	Duplicate
	Conflict
	Gone
	Outdated
	ContentRefused
	PreconditionFailed
	TooLarge
	AddressTooLong
	UnsupportedMedia
	NotSatisfiable
	Unprocessable
	KeyReused
	TooComplex
	RateLimited
	SubscriptionLimit
	HeadersTooLarge
	BadGateway
	Unavailable
	GatewayTimeout
)

// Answer is the form of a kind of problem for clients and documents.
type Answer struct {
	// Name is the kind's in Go and in documents.
	Name string
	// Status is the HTTP status.
	Status int
	// REST is the code in REST, empty for kinds that only GraphQL has.
	REST string
	// GraphQL is the code in extensions.
	GraphQL string
	// When describes the cause: a clause without a full stop, in Markdown.
	When string
}

// Answer returns what the kind is to clients.
func (k Kind) Answer() Answer { return answers[k] }

// Kinds lists all kinds by status. Of those that share a status the first
// stands for it in examples.
func Kinds() []Kind {
	return []Kind{
		Invalid,
		InvalidJSON,
		Unparsable,
		NotValid,
		Unauthenticated,
		InvalidCredentials,
		TokenExpired,
		TokenInvalid,
		PaymentDeclined,
		Forbidden,
		TenantRequired,
		NotFound,
		DocumentNotFound,
		MethodNotAllowed,
		NotAcceptable,
		RequestTimeout,
		Duplicate,
		Conflict,
		Gone,
		Outdated,
		ContentRefused,
		PreconditionFailed,
		TooLarge,
		AddressTooLong,
		UnsupportedMedia,
		NotSatisfiable,
		Unprocessable,
		KeyReused,
		TooComplex,
		RateLimited,
		SubscriptionLimit,
		HeadersTooLarge,
		Internal,
		BadGateway,
		Unavailable,
		GatewayTimeout,
	}
}

// answers is the one table of errors: the answers of both APIs and their
// documents are made from it (doc/api/errors.md).
var answers = [...]Answer{
	Invalid:            {"Invalid", 400, "VALIDATION_ERROR", "BAD_USER_INPUT", "input is missing, unknown or of the wrong type"},
	InvalidJSON:        {"InvalidJSON", 400, "INVALID_JSON", "BAD_USER_INPUT", "the body is not JSON"},
	Unparsable:         {"Unparsable", 400, "", "GRAPHQL_PARSE_FAILED", "a GraphQL document is not one"},
	NotValid:           {"NotValid", 400, "", "GRAPHQL_VALIDATION_FAILED", "a GraphQL document asks for what the schema does not have, or not so"},
	Unauthenticated:    {"Unauthenticated", 401, "AUTH_REQUIRED", "UNAUTHENTICATED", "there are no credentials"},
	InvalidCredentials: {"InvalidCredentials", 401, "INVALID_CREDENTIALS", "INVALID_CREDENTIALS", "a sign-in failed, whatever the reason"},
	TokenExpired:       {"TokenExpired", 401, "TOKEN_EXPIRED", "TOKEN_EXPIRED", "the token is expired"},
	TokenInvalid:       {"TokenInvalid", 401, "TOKEN_INVALID", "UNAUTHENTICATED", "the token or API key is bad or revoked"},
	PaymentDeclined:    {"PaymentDeclined", 402, "PAYMENT_DECLINED", "PAYMENT_DECLINED", "the gateway declined"},
	Forbidden:          {"Forbidden", 403, "FORBIDDEN", "FORBIDDEN", "the caller may not do this, or a page of another site asks"},
	TenantRequired:     {"TenantRequired", 403, "TENANT_REQUIRED", "TENANT_REQUIRED", "the caller belongs to no tenant; of services with tenants"},
	NotFound:           {"NotFound", 404, "RESOURCE_NOT_FOUND", "NOT_FOUND", "there is no such resource, or the caller cannot read it"},
	DocumentNotFound:   {"DocumentNotFound", 404, "", "PERSISTED_QUERY_NOT_FOUND", "no GraphQL document has the hash or the id"},
	MethodNotAllowed:   {"MethodNotAllowed", 405, "METHOD_NOT_ALLOWED", "METHOD_NOT_ALLOWED", "the path has no such method; `Allow` lists those it has"},
	NotAcceptable:      {"NotAcceptable", 406, "NOT_ACCEPTABLE", "NOT_ACCEPTABLE", "none of the media types in `Accept` can be answered with"},
	RequestTimeout:     {"RequestTimeout", 408, "REQUEST_TIMEOUT", "REQUEST_TIMEOUT", "the request arrived too slowly"},
	Duplicate:          {"Duplicate", 409, "DUPLICATE_RESOURCE", "DUPLICATE_RESOURCE", "another row has the value"},
	Conflict:           {"Conflict", 409, "CONFLICT", "CONFLICT", "the state does not allow it; `Retry-After` where it will"},
	Gone:               {"Gone", 410, "VERSION_RETIRED", "VERSION_RETIRED", "this version of the API, or this operation, is retired"},
	Outdated:           {"Outdated", 410, "RESYNC_REQUIRED", "RESYNC_REQUIRED", "the token of a feed of changes leads no further: ask for a new one, and list the rows anew"},
	ContentRefused:     {"ContentRefused", 410, "CONTENT_REFUSED", "CONTENT_REFUSED", "the scanner has found a threat in the file, whose content is not served any more"},
	PreconditionFailed: {"PreconditionFailed", 412, "PRECONDITION_FAILED", "PRECONDITION_FAILED", "the resource is not at the version that `If-Match` or `expectedVersion` names"},
	TooLarge:           {"TooLarge", 413, "PAYLOAD_TOO_LARGE", "PAYLOAD_TOO_LARGE", "the body is too large"},
	AddressTooLong:     {"AddressTooLong", 414, "URI_TOO_LONG", "URI_TOO_LONG", "the path and the query of the request are too long"},
	UnsupportedMedia:   {"UnsupportedMedia", 415, "UNSUPPORTED_MEDIA_TYPE", "UNSUPPORTED_MEDIA_TYPE", "the body is of a media type that the operation does not take, or compressed"},
	NotSatisfiable:     {"NotSatisfiable", 416, "RANGE_NOT_SATISFIABLE", "RANGE_NOT_SATISFIABLE", "the range is beyond the end of the file, whose size `Content-Range` has"},
	Unprocessable:      {"Unprocessable", 422, "VALIDATION_ERROR", "BAD_USER_INPUT", "the input is well-typed and breaks a rule; every failing field is listed"},
	KeyReused:          {"KeyReused", 422, "IDEMPOTENCY_KEY_REUSED", "IDEMPOTENCY_KEY_REUSED", "the idempotency key was used with another request"},
	TooComplex:         {"TooComplex", 422, "", "QUERY_TOO_COMPLEX", "a GraphQL document asks for too much at once"},
	RateLimited:        {"RateLimited", 429, "RATE_LIMIT_EXCEEDED", "RATE_LIMIT_EXCEEDED", "the caller has made too many requests; `Retry-After` says when to try again"},
	SubscriptionLimit:  {"SubscriptionLimit", 429, "", "SUBSCRIPTION_LIMIT", "the caller has as many subscriptions open as are allowed"},
	HeadersTooLarge:    {"HeadersTooLarge", 431, "HEADERS_TOO_LARGE", "HEADERS_TOO_LARGE", "the headers of the request are too large"},
	Internal:           {"Internal", 500, "INTERNAL_ERROR", "INTERNAL_SERVER_ERROR", "something went wrong that the caller cannot mend; the message says nothing of the cause"},
	BadGateway:         {"BadGateway", 502, "BAD_GATEWAY", "BAD_GATEWAY", "another service failed"},
	Unavailable:        {"Unavailable", 503, "SERVICE_UNAVAILABLE", "SERVICE_UNAVAILABLE", "the service is overloaded or shutting down, or the outcome is unknown; `Retry-After` says when to try again"},
	GatewayTimeout:     {"GatewayTimeout", 504, "GATEWAY_TIMEOUT", "GATEWAY_TIMEOUT", "another service took too long"},
}
