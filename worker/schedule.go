package worker

import (
	"time"

	"github.com/entwine-go/entwine/kit/jobs"
)

// Schedule lists the jobs that no request asks for.
func Schedule() []jobs.Entry {
	return []jobs.Entry{
		{Spec: "* * * * *", Args: func(time.Time) jobs.Args { return expireOrders{} }},
		{Spec: "* * * * *", Args: func(time.Time) jobs.Args { return settlePayments{} }},
		{Spec: "17 * * * *", Args: func(time.Time) jobs.Args { return purge{} }},
		{Spec: "5 0 * * *", Args: yesterday},
	}
}
