package failure

import (
	"encoding/json"
	"net/http"
	"strconv"

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
	requestID string
	word      func(string) string
}

// MarshalJSON implements json.Marshaler: what RFC 9457 does not name has the
// version's names.
func (d problemDetails) MarshalJSON() ([]byte, error) {
	type members problemDetails
	text, err := json.Marshal(members(d))
	if err != nil || d.requestID == "" {
		return text, err
	}
	text = strconv.AppendQuote(append(text[:len(text)-1], ','), d.word("request_id"))
	return append(strconv.AppendQuote(append(text, ':'), d.requestID), '}'), nil
}

// newDetails are the problem details of an answer, as much of them as
// the envelope says.
func newDetails(r *http.Request, version *apiversion.Served, p *problem.Error) problemDetails {
	at := apiversion.Answer(p)
	b := problemDetails{
		Type: "about:blank", Title: http.StatusText(at.Status), Status: at.Status,
		Detail: p.Message, Code: version.Errors.Code(p), Details: apiversion.Details(p), requestID: requestid.From(r.Context()), word: version.Word,
	}
	if p.Kind != problem.Internal {
		b.Timestamp = now()
		if at := r.URL.EscapedPath(); problem.Cut(at) == at { // a URI reference (RFC 9457 section 3.1.5)
			b.Instance = at
		}
	}
	return b
}
