package jobs

import (
	"encoding/json"
	"time"
)

// The bounds of what the row of a job keeps of attempts that failed. It is written by the
// update that ends such an attempt: an attempt that succeeds costs nothing.
const (
	mostFailures = 20
	longestError = 500
)

// failure is an attempt that failed, as the row has it (tables.JobFailure).
type failure struct {
	Attempt int       `json:"attempt"`
	Began   time.Time `json:"began"`
	Ended   time.Time `json:"ended"`
	Error   string    `json:"error"`
}

// failed lists the attempts that failed, this one as the last. Its end is its start, which
// the database has said, and the time that passed since.
func (c *Claim) failed(message string) string {
	var all []failure
	_ = json.Unmarshal(c.failures, &all) // another program may have written it: then it begins anew
	if r := []rune(message); len(r) > longestError {
		message = string(r[:longestError-1]) + "…"
	}
	began := c.started.UTC()
	all = append(all, failure{c.Attempt, began, began.Add(time.Since(c.claimed)).Truncate(time.Microsecond), message})
	text, err := json.Marshal(all[max(0, len(all)-mostFailures):])
	if err != nil {
		return "[]" // it is made of numbers, times and text
	}
	return string(text)
}
