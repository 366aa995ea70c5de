package openapi

// liveEvents is a list as events. Its rows have the form of those in the list as JSON.
func liveEvents() *node {
	return obj("schema", obj("type", "string", "description",
		"Events, each with what the list is then as its `id`, which `Last-Event-ID` names to go on from there. `page` has `rows`, which are the list. "+
			"`steps` has what is done to the list, one after the other: `enter` inserts `row` at `index`, `leave` removes what is at `index`, "+
			"`move` takes what is at `from` to `index`, `change` gives what is at `index` the `fields`, or makes it `row`."),
		"example", "id: AbQ8Hg0AAg\nevent: page\ndata: {\"rows\":[]}\n\n")
}
