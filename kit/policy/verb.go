package policy

// The verbs that policies speak of. Create, Update and Delete are Ent's own
// operations; a soft delete is Delete, and Remove takes a row away for good.
// Others are those of an entity's actions, by the names that its schema gives
// them, and are updates in which more is asked of the viewer (see [As] and
// [Rules.Check]).
const (
	Create = "create"
	Update = "update"
	Delete = "delete"

	// Remove deletes a row that soft deletes would keep; Restore brings a
	// deleted one back; ReadDeleted lists deleted rows with the others.
	Remove      = "remove"
	Restore     = "restore"
	ReadDeleted = "read_deleted"

	// ReadWhole shows the fields of a row that are not public (expose.Resource.Public).
	// An entity without a rule for it shows them to all callers but anonymous ones.
	ReadWhole = "read_whole"
)

// writes reports whether the verb changes rows, of those of every entity. The
// declaration of an action describes it.
func writes(verb string) bool {
	switch verb {
	case Create, Update, Delete, Remove, Restore:
		return true
	}
	return false
}
