package expose_test

import (
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/money"
)

type grade string

func (grade) Enum() expose.Field {
	return expose.Enum("Grade", "How good.", expose.Choice{Value: "a"}, expose.Choice{Value: "b"})
}

type base struct {
	At time.Time `json:"at"`
}

type line struct {
	_    struct{}     `comment:"A line."`
	Sum  money.Amount `json:"sum" comment:"What it costs."`
	Item *int64       `json:"item_id" refers:"Product"`
}

type bill struct {
	_ struct{} `comment:"A bill."`
	base
	Grade grade  `json:"grade"`
	Day   string `json:"day" format:"date"`
	Paid  bool   `json:"paid"`
	Lines []line `json:"lines"`
	First line   `json:"first"`
}

func TestAnAnswerIsDescribedByItsStruct(t *testing.T) {
	a := expose.AnswerOf(bill{Grade: "a", Lines: []line{{Sum: money.Amount{Minor: 1999, Currency: "USD"}}}})
	if a.Object != "bill" || a.Comment != "A bill." {
		t.Errorf("it is %q: %q", a.Object, a.Comment)
	}
	const example = `{"at":"0001-01-01T00:00:00Z","grade":"a","day":"","paid":false,"lines":[{"sum":19.99,"item_id":null}],"first":{"sum":0,"item_id":null}}`
	if a.Example != example {
		t.Errorf("the example is %s", a.Example)
	}
	want := []expose.Shape{expose.Moments, expose.Values, expose.Text, expose.Flag, expose.Objects, expose.One}
	for i, m := range a.Members {
		if m.Shape != want[i] {
			t.Errorf("%s is of the shape %s, want %s", m.Name, m.Shape, want[i])
		}
	}
	if m := a.Members[1]; m.Enum.Name != "Grade" || len(m.Enum.Choices) != 2 {
		t.Errorf("the enum is %+v", m.Enum)
	}
	if o := a.Members[4].Object; o.Name != "line" || o.Comment != "A line." || o.Members[0].Shape != expose.Amount || o.Members[1].Refers != "Product" || !o.Members[1].Nullable {
		t.Errorf("the lines are %+v", o)
	}
}
