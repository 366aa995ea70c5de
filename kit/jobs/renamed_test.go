package jobs_test

import (
	"context"
	"testing"

	"github.com/entwine-go/entwine/kit/jobs"
)

// payment is the kind that an earlier version queued, and settlement its new name.
type (
	payment struct {
		Order int64  `json:"order"`
		Lines []line `json:"lines"`
		Note  string `json:"note"`
	}
	line struct {
		Count int `json:"count"`
	}
	settlement struct {
		OrderID int64     `json:"order_id" was:"order"`
		Items   []product `json:"items" was:"lines"`
		Note    string    `json:"note"`
	}
	product struct {
		Quantity int `json:"quantity" was:"count"`
	}
)

func (payment) Kind() string     { return "payment" }
func (settlement) Kind() string  { return "settle" }
func (settlement) Was() []string { return []string{"payment"} }

// A job that an earlier version queued is done by the kind and the arguments of now.
func TestWhatWasQueuedUnderOldNamesIsDone(t *testing.T) {
	each(t, func(k *kit) {
		ids := []int64{
			k.enqueue(payment{Order: 1 << 60, Lines: []line{{2}, {3}}, Note: "n"}, jobs.Options{}),
			k.enqueue(settlement{OrderID: 1 << 60, Items: []product{{2}, {3}}, Note: "n"}, jobs.Options{}),
		}
		r := jobs.NewRunner(k.db, k.bus, discard, jobs.Handle(jobs.HandlerFunc[settlement](func(_ context.Context, j *jobs.Job[settlement]) error {
			if a := j.Args; a.OrderID != 1<<60 || len(a.Items) != 2 || a.Items[1].Quantity != 3 || a.Note != "n" {
				k.Errorf("job %d is about %+v", j.ID, a)
			}
			return nil
		})))
		defer r.Stop(k.ctx)
		for _, id := range ids {
			k.run(r, id)
			k.wantStatus(id, "succeeded")
		}
	})
}
