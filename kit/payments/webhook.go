package payments

import (
	"crypto/hmac"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/entwine-go/entwine/kit/problem"
)

// Webhook reads what a provider sends of its own accord, signed as Stripe
// does: the header has t=, the time in seconds, and v1=, the HMAC-SHA256 of
// the time, a point and the body, once for each secret that is in use.
type Webhook struct {
	// Secret is shared with the provider. Without one nothing is believed.
	Secret string
	// Tolerance is how old a message may be: 5 min if zero.
	Tolerance time.Duration
	// Now is the clock: time.Now if nil.
	Now func() time.Time
}

// Event is a notice of a provider that the charge or refund with the key has been
// decided. The outcome is asked of the provider, so events may come in any order and
// any number of times.
type Event struct {
	// ID is the event's own, Type the provider's name of the event.
	ID, Type string
	// Key is that of the charge or refund, empty where the event is of neither.
	Key string
}

// decisive are the types of events that tell of a decision. All others are
// ignored.
var decisive = map[string]bool{
	"payment_intent.succeeded": true, "payment_intent.payment_failed": true, "payment_intent.canceled": true,
	"refund.created": true, "refund.updated": true, "refund.failed": true,
}

// Decisive reports whether the event is about a decision.
func (e Event) Decisive() bool { return decisive[e.Type] && e.Key != "" && e.ID != "" }

// wireEvent is the sent form of an event: the key is metadata of what it is about.
type wireEvent struct {
	ID   string `json:"id"`
	Type string `json:"type"`
	Data struct {
		Object struct {
			Metadata struct {
				Key string `json:"key"`
			} `json:"metadata"`
		} `json:"object"`
	} `json:"data"`
}

// errSignature answers for a message that the provider has not sent, or too
// long ago. It does not say which, so that a
// forger learns nothing.
var errSignature = problem.New(problem.Invalid, "the signature does not fit the body, or is too old")

// Read returns the event of a message whose signature is good.
func (h *Webhook) Read(signature string, body []byte) (Event, error) {
	if h.Secret == "" || !h.signed(signature, body) {
		return Event{}, errSignature
	}
	var e wireEvent
	if err := json.Unmarshal(body, &e); err != nil {
		return Event{}, problem.Wrap(err, problem.Invalid, "the body is no event")
	}
	return Event{ID: e.ID, Type: e.Type, Key: e.Data.Object.Metadata.Key}, nil
}

// signed reports whether one of the signatures is good. All are compared, in
// constant time.
func (h *Webhook) signed(signature string, body []byte) bool {
	at, good := "", 0
	var sums []string
	for part := range strings.SplitSeq(signature, ",") {
		switch name, value, _ := strings.Cut(strings.TrimSpace(part), "="); name {
		case "t":
			at = value
		case "v1":
			sums = append(sums, value)
		}
	}
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || len(sums) > 16 {
		return false
	}
	tolerance := h.Tolerance
	if tolerance == 0 {
		tolerance = 5 * time.Minute
	}
	if age := h.now().Sub(time.Unix(seconds, 0)).Abs(); age > tolerance {
		return false
	}
	want := sign(h.Secret, at, body)
	for _, sum := range sums {
		good |= subtle.ConstantTimeCompare([]byte(sum), []byte(want))
	}
	return good == 1
}

func (h *Webhook) now() time.Time {
	if h.Now == nil {
		return time.Now()
	}
	return h.Now()
}

// Sign is the header of a message with the body, sent at that time.
func Sign(secret string, at time.Time, body []byte) string {
	seconds := strconv.FormatInt(at.Unix(), 10)
	return "t=" + seconds + ",v1=" + sign(secret, seconds, body)
}

func sign(secret, at string, body []byte) string {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte(at + "."))
	mac.Write(body)
	return hex.EncodeToString(mac.Sum(nil))
}
