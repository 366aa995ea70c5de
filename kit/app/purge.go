package app

import "github.com/entwine-go/entwine/kit/jobs"

const day = "86400"

// Rests are the rows of the kit's own tables that are removed after a time, beside those of jobs.
// Subscribers read an event within seconds; the hour is for processes that could not reach the
// database. Changes are kept a day longer than tokens hold ([events.Kept]), for a transaction that
// was committed long after it began. Uses of deprecated operations and fields are kept for 90
// days. Reset tokens, sessions and refresh tokens are kept for a day after they expire, so that
// their reuse is recognised. Other rows of accounts are removed when they expire.
func Rests() []jobs.Rest {
	return []jobs.Rest{
		{Table: "events", Gone: "created_at < later(-3600)", Aged: true},
		{Table: "changes", Gone: "created_at < later(-8 * " + day + ")", Aged: true},
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
