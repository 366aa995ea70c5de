package apiversion

// Sets are the sets of conventions, by the names that settings have for them
// (doc/api/versions.md).
func Sets() map[string]Set {
	return map[string]Set{"main": Main(), "jsend": JSend(), "flag": Flagged()}
}

// Main is the specification's main variant.
func Main() Set {
	return Set{
		Names: Snake, IDs: Integers,
		Mark: Status, Item: Bare, List: Bare, Count: Count{Made: "count"},
		Pages: Pages{
			TotalPages: "total_pages", HasNext: "has_next", HasPrev: "has_prev",
			HasMore: "has_more", NextCursor: "next_cursor",
			HasNextPage: "hasNextPage", AfterID: "after_id",
			TotalExact: "total_exact",
		},
		Errors: Structured, Deletion: Silent,
	}
}

// JSend names what it wraps, and has the three statuses of JSend.
func JSend() Set {
	return Set{
		Names: Camel, IDs: Global,
		Mark: Status, Item: Named, List: Named, Count: Count{Page: "results", Made: "results"},
		Pages: Pages{
			TotalPages: "totalPages", HasNext: "hasNext", HasPrev: "hasPrev",
			HasMore: "hasMore", NextCursor: "nextCursor",
			HasNextPage: "hasNextPage", AfterID: "afterId",
			TotalExact: "totalExact",
		},
		Errors: ThreeStatus, Deletion: Told,
	}
}

// Flagged is [Main] with a flag in the place of a status.
func Flagged() Set {
	s := Main()
	s.Mark, s.Count = Flag, Count{Page: "count", Made: "count"}
	s.Errors = Flat
	return s
}
