package orders_test

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// step is an event of an order at one moment. Asking for money is two of them: it begins,
// and the gateway has decided.
type step struct {
	kind string // read, begin, decide, cancel, repay, repaid, busy, refused, short, spent
	// id is the payment or refund that the step belongs to.
	id int
	// state was read, or named in a refusal.
	state  string
	amount int64 // of a refund, 0 for all that is left
	// outcome is the decision, empty where no client got an answer.
	outcome string
	// maybe is set where no client got an answer.
	maybe bool
}

// account is where an order stands.
type account struct {
	state string
	// paying is the payment that is processing.
	paying int
	// reserved is the sum of begun refunds, repaid that of completed ones.
	total, reserved, repaid int64
	// open are the refunds that are not decided: "id:amount," of each.
	open string
	// seen is whether any client saw what is not decided.
	seen bool
}

// compare puts accounts in some order, always the same.
func (a account) compare(b account) int {
	return cmp.Or(cmp.Compare(a.state, b.state), cmp.Compare(a.paying, b.paying),
		cmp.Compare(a.reserved, b.reserved), cmp.Compare(a.repaid, b.repaid), cmp.Compare(a.open, b.open),
		cmp.Compare(fmt.Sprint(a.seen), fmt.Sprint(b.seen)))
}

// shown is the account after a client has read it.
func (a account) shown() account {
	a.seen = a.paying > 0 || a.open != ""
	return a
}

// paid reports whether something can be paid back.
func (a account) paid() bool { return a.state == "paid" || a.state == "partially_refunded" }

// after lists where the order can stand after the step: nowhere, where the
// step can't happen.
func (a account) after(s step) []account {
	switch s.kind {
	case "read", "refused":
		return when(a.state == s.state, a.shown())
	case "busy":
		return when(a.state == "processing", a.shown())
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
		return s.outcomes(a.seen, taken, failed)
	}
	return a.afterRefund(s)
}

func (a account) afterRefund(s step) []account {
	left := a.total - a.reserved
	switch s.kind {
	case "short": // less is left than was asked for
		return when(a.paid() && left > 0 && s.amount > left, a.shown())
	case "spent":
		return when(a.paid() && left == 0, a.shown())
	case "repay":
		amount := s.amount
		if amount == 0 {
			amount = left
		}
		b := a
		b.reserved += amount
		b.open = opening(a.open, fmt.Sprintf("%d:%d,", s.id, amount))
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
		return s.outcomes(a.seen, taken, failed)
	}
	return nil
}

// opening adds a refund to those that are not decided, in an order of their
// own: when they were asked for makes no difference.
func opening(open, entry string) string {
	all := append(strings.SplitAfter(open, ","), entry)
	slices.Sort(all)
	return strings.Join(all, "")
}

// opened finds a refund that is not decided.
func (a account) opened(id int) (entry string, amount int64) {
	for entry := range strings.SplitAfterSeq(a.open, ",") {
		n, rest, _ := strings.Cut(strings.TrimSuffix(entry, ","), ":")
		if n == strconv.Itoa(id) {
			amount, _ = strconv.ParseInt(rest, 10, 64)
			return entry, amount
		}
	}
	return "", 0
}

// sees reports whether the step changes nothing.
func (s step) sees() bool {
	return slices.Contains([]string{"read", "refused", "busy", "short", "spent"}, s.kind)
}

func when(can bool, then account) []account {
	if can {
		return []account{then}
	}
	return nil
}

// outcomes are the possible decisions. A step without an answer that no client saw may
// have failed or never happened, which is the same here.
func (s step) outcomes(seen bool, taken, failed account) []account {
	taken.seen, failed.seen = seen && taken.open != "", seen && failed.open != ""
	switch {
	case s.outcome == "taken" || s.maybe && !seen:
		return []account{taken}
	case s.outcome == "failed":
		return []account{failed}
	}
	return []account{taken, failed}
}
