package failure

import (
	"net/http"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/runtime/requestid"
)

// problemDetails is the body of application/problem+json (RFC 9457).
type problemDetails struct {
	Type      string   `json:"type"`
	Title     string   `json:"title"`
	Status    int      `json:"status"`
	Detail    string   `json:"detail,omitempty"`
	Instance  string   `json:"instance,omitempty"`
	Code      string   `json:"code"`
	Details   []Detail `json:"details,omitempty"`
	Timestamp string   `json:"timestamp,omitempty"`
	RequestID string   `json:"request_id,omitempty"`
}

// newDetails are the problem details of an answer, as much of them as
// [newEnvelope] says.
func newDetails(r *http.Request, p *problem.Error) problemDetails {
	at := answerTo(p)
	b := problemDetails{
		Type: "about:blank", Title: http.StatusText(at.Status), Status: at.Status,
		Detail: p.Message, Code: at.REST, Details: details(p), RequestID: requestid.From(r.Context()),
	}
	if p.Kind != problem.Internal {
		b.Timestamp = now()
		b.Instance = r.URL.EscapedPath() // a URI reference (RFC 9457 section 3.1.5)
	}
	return b
}
