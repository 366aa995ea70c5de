package policy

// The verbs that policies speak of. Create, Update and Delete are Ent's own
// operations; a soft delete is Delete, and Remove takes a row away for good.
// The others are updates and reads in which more is asked of the viewer than
// that (see [As] and [Rules.Check]).
const (
	Create = "create"
	Update = "update"
	Delete = "delete"

	// Remove deletes a row that soft deletes would keep; Restore brings a
	// deleted one back; ReadDeleted lists deleted rows with the others.
	Remove      = "remove"
	Restore     = "restore"
	ReadDeleted = "read_deleted"

	// Of users.
	Activate   = "activate"
	Deactivate = "deactivate"

	// Of posts.
	Publish = "publish"
	Archive = "archive"

	// Of orders and payments. Cancel and Retry are of jobs too.
	Pay    = "pay"
	Cancel = "cancel"
	Refund = "refund"
	Retry  = "retry"

	// Of API keys: Rotate and Revoke one, UseData reads /data with one.
	Rotate  = "rotate"
	Revoke  = "revoke"
	UseData = "use_data"

	// Of what becomes a job: Report generates reports and reads sales and
	// analytics, Send sends e-mail.
	Report = "report"
	Send   = "send"
)
