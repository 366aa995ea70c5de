package main

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// The floor of an order that is placed and paid: the statements that a person
// would write by hand for the same promises. The stock never goes below zero, the
// payment is committed before the gateway is asked, the answer where the payment
// is still open, and bill, receipt and settlement are in the commits that call for
// them. Clients are shown the least that they need.

func (s *server) postOrder(w http.ResponseWriter, r *http.Request) {
	var in struct {
		Items []struct {
			ProductID int64 `json:"product_id"`
			Quantity  int64 `json:"quantity"`
		}
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || len(in.Items) != 1 {
		http.Error(w, "one item is wanted", http.StatusBadRequest)
		return
	}
	item, now := in.Items[0], time.Now().UTC().Truncate(time.Microsecond)
	var id, price int64
	err := inTx(r.Context(), s.orders, func(tx *sql.Tx) error {
		var name, currency string
		err := tx.QueryRow(`UPDATE products SET stock = stock - $2, in_stock = stock > $2, version = version + 1, updated_at = $3
			WHERE id = $1 AND deleted_at IS NULL AND stock >= $2 RETURNING name, price, currency`, item.ProductID, item.Quantity, now).Scan(&name, &price, &currency)
		if err != nil {
			return err
		}
		err = tx.QueryRow(`INSERT INTO orders (status, total, currency, expires_at, user_id, created_at, updated_at, version)
			VALUES ('pending', $1, $2, $3, 2, $4, $4, 1) RETURNING id`, price*item.Quantity, currency, now.Add(30*time.Minute), now).Scan(&id)
		if err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO order_items (order_id, product_id, name, price, quantity, total, currency, created_at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`, id, item.ProductID, name, price, item.Quantity, price*item.Quantity, currency, now)
		return err
	})
	if err != nil {
		fail(w, err)
		return
	}
	w.WriteHeader(http.StatusCreated)
	fmt.Fprintf(w, `{"status":"success","data":{"id":%d,"status":"pending","total":%d.%02d}}`, id, price*item.Quantity/100, price*item.Quantity%100)
}

const jobText = `INSERT INTO jobs (kind, status, progress, attempts, max_attempts, args, queue, fence, generation, run_at, ring_at, created_at, updated_at)
	VALUES ($1, 'queued', 0, 0, 10, $2, 'default', 0, 0, $3, $3, $4, $4)`

func (s *server) postPay(w http.ResponseWriter, r *http.Request) {
	id, err := strconv.ParseInt(r.PathValue("id"), 10, 64)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	now := time.Now().UTC().Truncate(time.Microsecond)
	var payment, amount int64
	var currency string
	err = inTx(r.Context(), s.orders, func(tx *sql.Tx) error {
		err := tx.QueryRow(`UPDATE orders SET status = 'processing', version = version + 1, updated_at = $2
			WHERE id = $1 AND status = 'pending' AND user_id = 2 RETURNING total, currency`, id, now).Scan(&amount, &currency)
		if err != nil {
			return err
		}
		err = tx.QueryRow(`INSERT INTO payments (status, amount, amount_refunded, currency, gateway, order_id, user_id, version, created_at, updated_at)
			VALUES ('processing', $1, 0, $2, 'sandbox', $3, 2, 1, $4, $4) RETURNING id`, amount, currency, id, now).Scan(&payment)
		if err != nil {
			return err
		}
		_, err = tx.Exec(jobText, "floor", fmt.Sprintf(`{"payment_id":%d}`, payment), now.Add(24*time.Hour), now)
		return err
	})
	if err == nil {
		_, err = s.orders.Exec(`INSERT INTO sandbox_charges (idempotency_key, amount, currency, status, reason, settles_at, created_at)
			VALUES ($1, $2, $3, 'succeeded', '', $4, $4)`, fmt.Sprint("floor-", payment), amount, currency, now)
	}
	if err == nil {
		err = inTx(r.Context(), s.orders, func(tx *sql.Tx) error { return capture(tx, id, payment, amount, currency, now) })
	}
	if err != nil {
		fail(w, err)
		return
	}
	send(w, http.StatusOK, fmt.Appendf(nil, `{"status":"success","data":{"id":%d,"status":"paid","total":%d.%02d}}`, id, amount/100, amount%100))
}

// capture writes down that the order is paid, and bills it.
func capture(tx *sql.Tx, order, payment, amount int64, currency string, now time.Time) error {
	for _, s := range []struct {
		text string
		args []any
	}{
		{`UPDATE payments SET status = 'succeeded', captured_at = $2, gateway_reference = $3, version = version + 1, updated_at = $2
			WHERE id = $1 AND status = 'processing'`, []any{payment, now, fmt.Sprint("floor_", payment)}},
		{`UPDATE orders SET status = 'paid', paid_at = $2, version = version + 1, updated_at = $2 WHERE id = $1 AND status = 'processing'`, []any{order, now}},
		{jobText, []any{"floor", fmt.Sprintf(`{"order_id":%d}`, order), now.Add(24 * time.Hour), now}},
	} {
		if _, err := tx.Exec(s.text, s.args...); err != nil {
			return err
		}
	}
	var name, email string
	if err := tx.QueryRow(`SELECT name, email FROM users WHERE id = 2`).Scan(&name, &email); err != nil {
		return err
	}
	var lines []string
	rows, err := tx.Query(`SELECT name, price, quantity, total FROM order_items WHERE order_id = $1 ORDER BY id`, order)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var item string
		var price, quantity, total int64
		if err := rows.Scan(&item, &price, &quantity, &total); err != nil {
			return err
		}
		lines = append(lines, fmt.Sprintf(`{"name":%q,"price":%d,"quantity":%d,"total":%d}`, item, price, quantity, total))
	}
	if err := rows.Err(); err != nil {
		return err
	}
	var number int64
	err = tx.QueryRow(`INSERT INTO sequences AS s (name, value, created_at) VALUES ('invoices', 1, $1)
		ON CONFLICT (name) DO UPDATE SET value = s.value + 1 RETURNING value`, now).Scan(&number)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO invoices (number, customer_name, customer_email, lines, subtotal, total, currency, order_id, user_id, created_at)
		VALUES ($1, $2, $3, $4, $5, $5, $6, $7, 2, $8)`, number, name, email, "["+strings.Join(lines, ",")+"]", amount, currency, order, now)
	return err
}
