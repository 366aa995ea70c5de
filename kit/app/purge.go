package app

import "github.com/entwine-go/entwine/kit/jobs"

const day = "86400"

// Rests are what the kit keeps for a while, beside what is left of jobs. An
// event has been read by every subscriber after seconds; the hour is for
// processes that were cut off. What was used for signing in is kept a day beyond
// its end, so that its reuse is still recognised.
func Rests() []jobs.Rest {
	return []jobs.Rest{
		{Table: "events", Gone: "created_at < later(-3600)", Aged: true},
		{Table: "idempotency_records", Gone: "expires_at < now()"},
		{Table: "deprecated_uses", Gone: "created_at < later(-90 * " + day + ")"},
		{Table: "login_failures", Gone: "created_at < later(-" + day + ")"},
		{Table: "external_logins", Gone: "expires_at < now()"},
		{Table: "handoffs", Gone: "expires_at < now()"},
		{Table: "reset_tokens", Gone: "expires_at < later(-" + day + ")"},
		{Table: "verification_tokens", Gone: "expires_at < now()"},
		{Table: "email_changes", Gone: "expires_at < now()"},
		{Table: "sessions", Gone: "expires_at < later(-" + day + ")"},
		{Table: "refresh_families", Gone: "expires_at < later(-" + day + ")"},
	}
}
