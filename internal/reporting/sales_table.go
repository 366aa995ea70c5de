package reporting

import "github.com/entwine-go/entwine/kit/store/statement"

// salesTable adds up to what [Reporter.Sales] says of the same span, whatever
// span that is: it has a row for each order that was paid and for each payment
// of its own, less what was paid back of it up to the span's end, and a row
// for each refund of what was paid before the span.
var salesTable = table{
	columns: []column{
		{name: "order_id", of: "Order"}, {name: "payment_id", of: "Payment"}, {name: "paid_at", kind: moment}, {name: "status", kind: words}, {name: "user_id", of: "User"},
		{name: "items"}, {name: "currency", kind: words},
		{name: "gross", kind: amount, currency: 6}, {name: "refunded", kind: amount, currency: 6}, {name: "net", kind: amount, currency: 6},
	},
	since: true,
	count: statement.Of(`
		SELECT (SELECT COUNT(*) FROM orders WHERE paid_at >= $1 AND paid_at < $2) +
			(SELECT COUNT(*) FROM payments WHERE order_id IS NULL AND status = 'succeeded' AND captured_at >= $1 AND captured_at < $2) +
			(SELECT COUNT(*) FROM refunds AS r JOIN payments AS p ON p.id = r.payment_id
				WHERE r.status = 'succeeded' AND r.refunded_at >= $1 AND r.refunded_at < $2 AND p.captured_at < $1)`),
	// The kind of a place follows from the remainder of three.
	page: statement.Of(`
		SELECT at, place, order_id, payment_id, paid_at, status, user_id, items, currency, gross, refunded, gross - refunded FROM (
			SELECT * FROM (
				SELECT o.paid_at AS at, 3 * o.id AS place, o.id AS order_id, p.id AS payment_id, o.paid_at AS paid_at, o.status AS status,
					o.user_id AS user_id, (SELECT COALESCE(SUM(i.quantity), 0) FROM order_items AS i WHERE i.order_id = o.id)::bigint AS items,
					o.currency AS currency, o.total AS gross, (SELECT COALESCE(SUM(r.amount), 0) FROM refunds AS r
						WHERE r.payment_id = p.id AND r.status = 'succeeded' AND r.refunded_at < $1)::bigint AS refunded
				FROM orders AS o LEFT JOIN payments AS p ON p.order_id = o.id AND p.status = 'succeeded'
				WHERE o.paid_at < $1 AND (o.paid_at, 3 * o.id) > ($2, $3)
				ORDER BY o.paid_at, o.id LIMIT $4) AS ordered
			UNION ALL
			SELECT * FROM (
				SELECT p.captured_at, 3 * p.id + 1, p.order_id, p.id, p.captured_at,
					CASE WHEN p.amount_refunded = 0 THEN 'paid' WHEN p.amount_refunded < p.amount THEN 'partially_refunded' ELSE 'refunded' END,
					p.user_id, 0::bigint, p.currency, p.amount, (SELECT COALESCE(SUM(r.amount), 0) FROM refunds AS r
						WHERE r.payment_id = p.id AND r.status = 'succeeded' AND r.refunded_at < $1)::bigint
				FROM payments AS p
				WHERE p.order_id IS NULL AND p.status = 'succeeded' AND p.captured_at < $1 AND (p.captured_at, 3 * p.id + 1) > ($2, $3)
				ORDER BY p.captured_at, p.id LIMIT $4) AS alone
			UNION ALL
			SELECT * FROM (
				SELECT r.refunded_at, 3 * r.id + 2, p.order_id, p.id, p.captured_at, 'refund', p.user_id, 0::bigint, r.currency, 0::bigint, r.amount
				FROM refunds AS r JOIN payments AS p ON p.id = r.payment_id
				WHERE r.status = 'succeeded' AND p.captured_at < $5 AND r.refunded_at < $1 AND (r.refunded_at, 3 * r.id + 2) > ($2, $3)
				ORDER BY r.refunded_at, r.id LIMIT $4) AS earlier) AS moved
		ORDER BY at, place LIMIT $4`),
}
