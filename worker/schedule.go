package worker

import (
	"github.com/entwine-go/entwine/internal/checkout"
	"github.com/entwine-go/entwine/kit/jobs"
)

// Schedule lists the jobs that no request asks for.
func Schedule(cashier *checkout.Cashier) []jobs.Entry {
	return []jobs.Entry{
		expiring(cashier),
		settling(cashier),
		{Spec: "5 0 * * *", Args: yesterday},
	}
}

// Rests are rows that are kept for a while, beside those of the kit.
func Rests() []jobs.Rest {
	return []jobs.Rest{{Table: "payment_events", Gone: "created_at < later(-30 * 86400)"}}
}
