package schema

import (
	"fmt"
	"slices"
	"strings"
)

// OrderAction is something that can be done to an order, as clients see it.
type OrderAction struct {
	Name   string `json:"name" comment:"What it is called."`
	Method string `json:"method" comment:"The method of the request that does it in REST."`
	Href   string `json:"href" comment:"The path of that request."`
}

// orderActions says in which states what can be done to orders.
var orderActions = []struct {
	OrderAction
	in []string
}{
	{OrderAction{Name: "pay", Method: "POST"}, []string{"pending"}},
	{OrderAction{Name: "cancel", Method: "POST"}, []string{"pending"}},
	{OrderAction{Name: "refund", Method: "POST"}, []string{"paid", "partially_refunded"}},
	{OrderAction{Name: "invoice", Method: "GET"}, []string{"paid", "partially_refunded", "refunded"}},
}

// OrderActions are what can be done to an order in the state. Their Href is
// the last segment of the path.
func OrderActions(state string) (all []OrderAction) {
	for _, a := range orderActions {
		if slices.Contains(a.in, state) {
			a.Href = a.Name
			all = append(all, a.OrderAction)
		}
	}
	return all
}

// actions is the expression of the actions that an order's state allows.
func (o Order) actions() string {
	var cases strings.Builder
	for _, state := range o.states() {
		var list []string
		for _, a := range OrderActions(state) {
			list = append(list, fmt.Sprintf(`{"name":"%s","method":"%s","href":"/api/v1/orders/' || {row}.id || '/%s"}`, a.Name, a.Method, a.Href))
		}
		if list != nil {
			fmt.Fprintf(&cases, " WHEN '%s' THEN '[%s]'", state, strings.Join(list, ","))
		}
	}
	return "CASE {row}.status" + cases.String() + " ELSE '[]' END"
}
