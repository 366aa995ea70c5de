package expose

// Chart is a picture of a read's answer: members of a list along one of them. The manifest
// has it, and programs that draw, such as the console, show it to the callers who may
// read.
//
//	Charts: []expose.Chart{{Title: "Sales", List: "series", Along: "date", Values: []string{"net", "refunded"}, Each: "currency"}}
type Chart struct {
	// Title is the title of the picture: "Sales".
	Title string `json:"title"`
	// List is the member of the answer that has the points: a list of objects.
	List string `json:"list"`
	// Along is the member of a point that stands below it, such as its day or its name.
	Along string `json:"along"`
	// Values are the members of a point that are drawn: counts, decimals and amounts.
	Values []string `json:"values"`
	// Each is a member of a point of whose values each has a picture of its own, such as a
	// currency. Empty: all points are in one.
	Each string `json:"each,omitempty"`
	// Lines draws lines in the place of bars, which stand on each other.
	Lines bool `json:"lines,omitempty"`
}
