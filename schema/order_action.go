package schema

import (
	"slices"
)

// OrderAction is something that can be done to an order, as clients see it.
type OrderAction struct {
	Name   string `json:"name" comment:"What it is called."`
	Method string `json:"method" comment:"The method of the request that does it in REST."`
	Href   string `json:"href" comment:"The path of that request."`
}

// orderActions says in which states what can be done to orders, and what is
// only done where something of the payment is left to pay back.
var orderActions = []struct {
	OrderAction
	in   []string
	left bool
}{
	{OrderAction{Name: "pay", Method: "POST"}, []string{"pending"}, false},
	{OrderAction{Name: "cancel", Method: "POST"}, []string{"pending"}, false},
	{OrderAction{Name: "refund", Method: "POST"}, []string{"paid", "partially_refunded"}, true},
	{OrderAction{Name: "invoice", Method: "GET"}, []string{"paid", "partially_refunded", "refunded"}, false},
}

// OrderActions are what can be done to an order in the state, of whose
// payment something is left or not. Their Href is the last segment of the path.
func OrderActions(state string, left bool) (all []OrderAction) {
	for _, a := range orderActions {
		if slices.Contains(a.in, state) && (left || !a.left) {
			a.Href = a.Name
			all = append(all, a.OrderAction)
		}
	}
	return all
}
