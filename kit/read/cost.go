package read

import "slices"

// What makes the database read more than is answered, in the measure of what
// GraphQL's operations cost: a member that is answered is 1.
const (
	// TotalCost is that of a total: to count rows is to read them.
	TotalCost = 50
	// TextCost is that of a comparison of a part of a text, which no index may help.
	TextCost = 100
	// EdgeCost is that of a question about what an edge leads to.
	EdgeCost = 50
	// CalcCost is that of a filter or an order by what is computed of each row.
	CalcCost = 100
)

// textual are the comparisons of a text that no index of its values answers.
var textual = []Op{Contains, HasPrefix, HasSuffix, ContainsFold, EqualFold}

// Scans is what a filter makes the database read.
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
