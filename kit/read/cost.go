package read

import "slices"

// The costs of reads of which the database reads more rows than it answers with,
// in the unit of GraphQL's costs: an answered member costs 1.
const (
	// TotalCost is that of a total: to count rows is to read them.
	TotalCost = 50
	// TextCost is that of a comparison of a part of a text, which no index may help.
	TextCost = 100
	// EdgeCost is that of a question about what an edge leads to.
	EdgeCost = 50
	// CalcCost is the cost of a filter or an order by a value that is computed for
	// each row.
	CalcCost = 100
)

// textual are the comparisons of a text that no index of its values answers.
var textual = []Op{Contains, HasPrefix, HasSuffix, ContainsFold, EqualFold}

// Scans estimates the rows that the database reads for a filter.
func Scans(f Filter) (sum int) {
	switch f := f.(type) {
	case And:
		for _, one := range f {
			sum += Scans(one)
		}
	case Or:
		for _, one := range f {
			sum += Scans(one)
		}
	case Not:
		return Scans(f.Filter)
	case Has:
		return EdgeCost + Scans(f.Filter)
	case Match:
		return TextCost * len(f.Fields)
	case Cond:
		if f.Field.Computed != nil {
			return CalcCost
		}
		if slices.Contains(textual, f.Op) {
			return TextCost
		}
	}
	return sum
}
