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

// anythingLeft holds where something was paid for the order and is not paid
// back, nor on its way back.
const anythingLeft = `EXISTS (SELECT 1 FROM payments WHERE payments.order_id = {row}.id AND payments.status = 'succeeded' AND payments.amount_refunded < payments.amount)`

// actions is the expression of the actions that an order's state allows.
func (o Order) actions() string {
	var cases strings.Builder
	for _, state := range o.states() {
		all, rest := actionList(state, true), actionList(state, false)
		switch {
		case all != rest:
			fmt.Fprintf(&cases, " WHEN '%s' THEN CASE WHEN %s THEN %s ELSE %s END", state, anythingLeft, all, rest)
		case all != noActions:
			fmt.Fprintf(&cases, " WHEN '%s' THEN %s", state, all)
		}
	}
	return "CASE {row}.status" + cases.String() + " ELSE " + noActions + " END"
}

const noActions = "'[]'"

// actionList is the expression of the actions of orders in the state.
func actionList(state string, left bool) string {
	var list []string
	for _, a := range OrderActions(state, left) {
		list = append(list, fmt.Sprintf(`{"name":"%s","method":"%s","href":"/api/v1/orders/' || {row}.id || '/%s"}`, a.Name, a.Method, a.Href))
	}
	return "'[" + strings.Join(list, ",") + "]'"
}
