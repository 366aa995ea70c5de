package failure

import (
	"net/http"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/requestid"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
)

// problemDetails is the body of application/problem+json (RFC 9457).
type problemDetails struct {
	Type      string              `json:"type"`
	Title     string              `json:"title"`
	Status    int                 `json:"status"`
	Detail    string              `json:"detail,omitempty"`
	Instance  string              `json:"instance,omitempty"`
	Code      string              `json:"code"`
	Details   []apiversion.Detail `json:"details,omitempty"`
	Timestamp string              `json:"timestamp,omitempty"`
	RequestID string              `json:"request_id,omitempty"`
}

// newDetails are the problem details of an answer, as much of them as
// the envelope says.
func newDetails(r *http.Request, version *apiversion.Served, p *problem.Error) problemDetails {
	at := apiversion.Answer(p)
	b := problemDetails{
		Type: "about:blank", Title: http.StatusText(at.Status), Status: at.Status,
		Detail: p.Message, Code: version.Errors.Code(p), Details: apiversion.Details(p), RequestID: requestid.From(r.Context()),
	}
	if p.Kind != problem.Internal {
		b.Timestamp = now()
		b.Instance = r.URL.EscapedPath() // a URI reference (RFC 9457 section 3.1.5)
	}
	return b
}
