package app

import (
	"context"
	"slices"
	"time"

	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/internal/telemetry"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/migration"
	"github.com/entwine-go/entwine/kit/ratelimit"
	"github.com/entwine-go/entwine/kit/web"
)

// settingsInForce are the settings, without secrets.
func (h *Host) settingsInForce(context.Context) (any, error) {
	return struct {
		Settings []config.InForce `json:"settings"`
		Unknown  []string         `json:"unknown"`
		Warnings []string         `json:"warnings"`
	}{h.Config.InForce(), orEmpty(h.Config.Unknown), orEmpty(h.Config.Warnings)}, nil
}

// applied is a migration that the database has had.
type applied struct {
	Version     string    `json:"version"`
	Description string    `json:"description"`
	At          time.Time `json:"at"`
	TookMS      int64     `json:"took_ms"`
	Applied     int       `json:"applied"`
	Total       int       `json:"total"`
}

// migrated lists the program's migrations, the newest first: those that the database
// has had, and pending ones.
func (h *Host) migrated(ctx context.Context) (any, error) {
	report, err := migration.Status(ctx, h.DB, h.service.Migrations)
	if err != nil {
		return nil, err
	}
	had, err := migration.History(ctx, h.DB)
	if err != nil {
		return nil, err
	}
	all := make([]applied, 0, len(had))
	for _, m := range slices.Backward(had) {
		all = append(all, applied{m.Version, m.Description, m.At, m.Took.Milliseconds(), m.Applied, m.Total})
	}
	return struct {
		Dialect string    `json:"dialect"`
		Applied []applied `json:"applied"`
		Pending []string  `json:"pending"`
		Begun   string    `json:"begun,omitempty"`
		Half    []string  `json:"half"`
		Unknown []string  `json:"unknown"`
	}{h.DB.Dialect.Name(), all, orEmpty(report.Pending), report.Begun, orEmpty(report.Half), orEmpty(report.Unknown)}, nil
}

// replicaState is how a replica is.
type replicaState struct {
	Name string `json:"name"`
	// Why says why it is not used, empty while it is. Primary is set where it is no standby.
	Why     string `json:"why"`
	Primary bool   `json:"primary"`
	// AgeMS is how old what it shows is at most, null where that is not known.
	AgeMS *int64 `json:"age_ms"`
	Reads int64  `json:"reads"`
}

// healthHistory is how the parts of /readyz have answered since the process began, how
// the replicas are, and what was answered in each minute of the last hour: null where
// requests are not observed.
func (h *Host) healthHistory(context.Context) (any, error) {
	replicas := []replicaState{}
	for _, r := range h.DB.Replicas() {
		one := replicaState{Name: r.Name, Why: r.Why, Primary: r.Primary, Reads: r.Reads}
		if age := r.Age.Milliseconds(); r.Age >= 0 {
			one.AgeMS = &age
		}
		replicas = append(replicas, one)
	}
	var minutes []telemetry.Minute
	if h.telemetry.On() && h.telemetry.Pulse != nil {
		minutes = h.telemetry.Pulse.Minutes()
	}
	return struct {
		Began    time.Time          `json:"began"`
		Parts    []web.PartHistory  `json:"parts"`
		Replicas []replicaState     `json:"replicas"`
		Minutes  []telemetry.Minute `json:"minutes"`
	}{h.since, h.readiness.History(), replicas, minutes}, nil
}

// jobFlow is how jobs come and go, and when those of the schedule are made.
func (h *Host) jobFlow(ctx context.Context) (any, error) {
	flow, err := h.Jobs.Flow(ctx)
	if err != nil {
		return nil, err
	}
	flow.Queues, flow.Ended = orEmpty(flow.Queues), orEmpty(flow.Ended)
	schedule := make([]jobs.Next, 0, len(h.parts.Schedule))
	for _, e := range h.parts.Schedule {
		schedule = append(schedule, e.At(time.Now()))
	}
	return struct {
		jobs.Flow
		Schedule []jobs.Next `json:"schedule"`
	}{flow, schedule}, nil
}

// listedKeys is how many API keys are shown with what they have left.
const listedKeys = 100

// keyLimit is an API key with what it can ask now.
type keyLimit struct {
	ID          int64      `json:"id"`
	Prefix      string     `json:"prefix"`
	Client      string     `json:"client"`
	Permissions []string   `json:"permissions"`
	LastUsed    *time.Time `json:"last_used"`
	Expires     *time.Time `json:"expires"`
	Revoked     *time.Time `json:"revoked"`
	// Remaining is the rest of the limit, absent without one.
	Remaining *int       `json:"remaining,omitempty"`
	Reset     *time.Time `json:"reset,omitempty"`
}

// keyLimits are the newest API keys with what is left of the rate limit for each. To
// read that takes nothing from it.
func (h *Host) keyLimits(ctx context.Context) (any, error) {
	answer := struct {
		Count     int        `json:"count"` // 0: no limit
		WindowMS  int64      `json:"window_ms"`
		Algorithm string     `json:"algorithm"`
		Keys      []keyLimit `json:"keys"`
	}{h.Config.Limit.Rate.Count, h.Config.Limit.Rate.Window.Milliseconds(), h.Config.Limit.Rate.Algorithm, []keyLimit{}}
	if h.Accounts == nil {
		return answer, nil
	}
	keys, err := h.Accounts.Keyring.Newest(ctx, listedKeys)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		one := keyLimit{k.ID, k.Prefix, k.Client, k.Permissions, k.LastUsed, k.Expires, k.Revoked, nil, nil}
		if err := h.left(ctx, &one); err != nil {
			return nil, err
		}
		answer.Keys = append(answer.Keys, one)
	}
	return answer, nil
}

// left completes a key that works with what the limiter says of it.
func (h *Host) left(ctx context.Context, k *keyLimit) error {
	rate := ratelimit.Rate(h.Config.Limit.Rate)
	if rate.Count == 0 || k.Revoked != nil || k.Expires != nil && !time.Now().Before(*k.Expires) {
		return nil
	}
	got, err := h.Limiter.Take(ctx, ratelimit.Key{KeyID: k.ID}, rate, 0)
	if err != nil {
		return err
	}
	reset := got.Reset.UTC()
	k.Remaining, k.Reset = &got.Remaining, &reset
	return nil
}

// orEmpty is a list that JSON shows as one.
func orEmpty[T any](all []T) []T { return append([]T{}, all...) }
