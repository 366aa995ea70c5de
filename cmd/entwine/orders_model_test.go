package main_test

import (
	"fmt"
	"slices"
	"strings"

	"github.com/anishathalye/porcupine"
)

// step is what an order goes through at one moment. Asking for money is two
// of them: it begins, and the gateway has decided.
type step struct {
	kind string // read, begin, decide, cancel, repay, repaid, busy, refused, short, spent
	// id tells the steps of one payment or refund from those of others.
	id int
	// state is what was read, or named in a refusal.
	state  string
	amount int64 // of a refund, 0 for all that is left
	// outcome is what was decided, empty where nobody was told.
	outcome string
	// maybe is set where nobody was told whether it happened.
	maybe bool
}

// account is where an order stands.
type account struct {
	state string
	// paying is the payment that is processing.
	paying int
	// reserved is what refunds have asked for, repaid what they have paid back.
	total, reserved, repaid int64
	// open are the refunds that are not decided: "id:amount," of each.
	open string
}

// orderModel is the state machine of one order that costs so much.
func orderModel(total int64) porcupine.Model {
	m := porcupine.NondeterministicModel{
		Init: func() []any { return []any{account{state: "pending", total: total}} },
		Step: func(state, input, _ any) []any {
			var next []any
			a, s := state.(account), input.(step)
			for _, after := range a.after(s) {
				next = append(next, after)
			}
			if s.maybe && !slices.Contains(next, state) {
				next = append(next, state)
			}
			return next
		},
		DescribeOperation: func(input, _ any) string { return fmt.Sprintf("%+v", input) },
		DescribeState:     func(state any) string { return fmt.Sprintf("%+v", state) },
	}
	return m.ToModel()
}

// paid reports whether something can be paid back.
func (a account) paid() bool { return a.state == "paid" || a.state == "partially_refunded" }

// after lists where the order can stand after the step: nowhere, where the
// step can't happen.
func (a account) after(s step) []account {
	switch s.kind {
	case "read", "refused":
		return when(a.state == s.state, a)
	case "busy":
		return when(a.state == "processing", a)
	case "begin":
		b := a
		b.state, b.paying = "processing", s.id
		return when(a.state == "pending", b)
	case "cancel":
		b := a
		b.state = "cancelled"
		return when(a.state == "pending", b)
	case "decide":
		if a.state != "processing" || a.paying != s.id {
			return nil
		}
		taken, failed := a, a
		taken.state, taken.paying = "paid", 0
		failed.state, failed.paying = "pending", 0
		return outcomes(s.outcome, taken, failed)
	}
	return a.afterRefund(s)
}

func (a account) afterRefund(s step) []account {
	left := a.total - a.reserved
	switch s.kind {
	case "short": // less is left than was asked for
		return when(a.paid() && left > 0 && s.amount > left, a)
	case "spent":
		return when(a.paid() && left == 0, a)
	case "repay":
		amount := s.amount
		if amount == 0 {
			amount = left
		}
		b := a
		b.reserved += amount
		b.open += fmt.Sprintf("%d:%d,", s.id, amount)
		return when(a.paid() && amount > 0 && amount <= left, b)
	case "repaid":
		entry, amount := a.opened(s.id)
		if entry == "" {
			return nil
		}
		b := a
		b.open = strings.Replace(a.open, entry, "", 1)
		taken, failed := b, b
		taken.repaid += amount
		taken.state = "partially_refunded"
		if taken.repaid == taken.total {
			taken.state = "refunded"
		}
		failed.reserved -= amount
		return outcomes(s.outcome, taken, failed)
	}
	return nil
}

// opened finds a refund that is not decided.
func (a account) opened(id int) (entry string, amount int64) {
	for entry := range strings.SplitAfterSeq(a.open, ",") {
		var n int
		if c, _ := fmt.Sscanf(entry, "%d:%d,", &n, &amount); c == 2 && n == id {
			return entry, amount
		}
	}
	return "", 0
}

func when(can bool, then account) []account {
	if can {
		return []account{then}
	}
	return nil
}

func outcomes(told string, taken, failed account) []account {
	switch told {
	case "taken":
		return []account{taken}
	case "failed":
		return []account{failed}
	}
	return []account{taken, failed}
}
