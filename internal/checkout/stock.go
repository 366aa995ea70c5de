package checkout

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/entwine-go/entwine/ent"
	"github.com/entwine-go/entwine/ent/product"
	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// orderID is an order in a list that a statement takes.
type orderID struct {
	ID int64 `json:"id"`
}

// SQL, because one statement takes any number of products, and is prepared once.
// The stock of several products is changed in the order of their ids, so that
// no two transactions deadlock. The WHERE is the check: it is evaluated on the
// locked row. A product without a stock has a
// flag of its own, which orders don't touch. The version moves, because the
// stock is something that clients write: a change by If-Match must not undo a
// sale.
const takePart = `
	WITH wanted AS (
		SELECT p.id AS product_id, l.quantity FROM products AS p JOIN list($1) AS l(id bigint, quantity bigint) ON p.id = l.id
		ORDER BY p.id FOR UPDATE OF p)
	UPDATE products SET stock = stock - wanted.quantity, updated_at = now(),
		in_stock = CASE WHEN stock IS NULL THEN in_stock ELSE stock > wanted.quantity END
	FROM wanted
	WHERE products.id = wanted.product_id AND deleted_at IS NULL
		AND CASE WHEN stock IS NULL THEN in_stock ELSE stock >= wanted.quantity END
	RETURNING products.id, name, price, currency, stock IS NOT NULL AS taken`

var takeText = statement.Of(takePart)

// take takes what the lines ask for out of stock, all of it or nothing, and
// fills in what the products are called and cost. The lines are in the order
// of their products' ids. Where a WITH may write, the order is placed by the same statement,
// and its id returned: those who want the same product wait from here to the commit. It is 0
// where [Cashier.insert] has to place it, or to say why that can't be.
func (c *Cashier) take(ctx context.Context, lines []line) (placed int64, err error) {
	list, err := json.Marshal(lines)
	if err != nil {
		return 0, fmt.Errorf("take from stock: %w", err)
	}
	taken := 0
	fill := func(rows *sql.Rows, more ...any) error {
		var p line
		if err := rows.Scan(append([]any{&p.ID, &p.Name, &p.Price, &p.currency, &p.Taken}, more...)...); err != nil {
			return err
		}
		i, found := slices.BinarySearchFunc(lines, p, byID)
		if found {
			lines[i].Name, lines[i].Price, lines[i].currency, lines[i].Taken = p.Name, p.Price, p.currency, p.Taken
			taken++
		}
		return nil
	}
	if c.DB.Dialect.WritesInWith() {
		now := store.Time(c.now())
		err = placeText.Query(ctx, c.DB, func(rows *sql.Rows) error { return fill(rows, &placed) }, string(list), len(lines), viewer.From(ctx).UserID, now, now.Add(reserved))
	} else {
		err = takeText.Query(ctx, c.DB, func(rows *sql.Rows) error { return fill(rows) }, string(list))
	}
	if err != nil {
		return 0, fmt.Errorf("take from stock: %w", err)
	}
	if taken < len(lines) {
		return 0, c.missing(ctx, lines)
	}
	return placed, nil
}

// missing says which products could not be taken: those that are not sold are
// bad input, those that are not in stock a matter of time.
func (c *Cashier) missing(ctx context.Context, lines []line) error {
	ids := make([]typedid.ProductID, len(lines))
	for i, l := range lines {
		ids[i] = typedid.ProductID(l.ID)
	}
	found, err := c.Ent.Product.Query().Where(product.IDIn(ids...), product.DeletedAtIsNil()).All(ctx)
	if err != nil {
		return fmt.Errorf("find products: %w", err)
	}
	sold := make(map[int64]*ent.Product, len(found))
	for _, p := range found {
		sold[int64(p.ID)] = p
	}
	var bad []problem.Detail
	var short []string
	conflict := problem.New(problem.Conflict, "")
	for _, l := range lines {
		p := sold[l.ID]
		switch {
		case p == nil:
			bad = append(bad, problem.Rulef(l.field("product_id"), l.ID, "there is no such product"))
		case l.currency == "": // not taken
			left := int64(0)
			if p.Stock != nil {
				left = *p.Stock
			}
			short = append(short, p.Name)
			conflict.Details = append(conflict.Details, problem.Rulef(l.field("product_id"), l.ID, "%s is not in stock: %d are left, %d are wanted", p.Name, left, l.Quantity))
		}
	}
	if bad != nil {
		return problem.Inputs(bad...)
	}
	conflict.Message = "not in stock: " + strings.Join(short, ", ")
	return conflict
}

// SQL, as takeText is.
var giveBackText = statement.Of(`
	WITH sold AS (
		SELECT p.id AS product_id, s.quantity FROM products AS p JOIN (
			SELECT i.product_id, SUM(i.quantity) AS quantity FROM order_items AS i
			JOIN list($1) AS l(id bigint) ON i.order_id = l.id WHERE i.taken GROUP BY i.product_id) AS s ON p.id = s.product_id
		ORDER BY p.id FOR UPDATE OF p)
	UPDATE products SET stock = stock + sold.quantity, in_stock = TRUE, updated_at = now()
	FROM sold
	WHERE products.id = sold.product_id AND stock IS NOT NULL`)

// giveBack puts what the orders took back into stock. Their rows are locked, and
// have left the state in which they hold it: so it comes back once. Orders from
// before a product's stock was counted have not reduced it.
func giveBack(ctx context.Context, db *store.DB, orders []orderID) error {
	if len(orders) == 0 {
		return nil
	}
	list, err := json.Marshal(orders)
	if err != nil {
		return fmt.Errorf("give stock back: %w", err)
	}
	if _, err := giveBackText.Exec(ctx, db, string(list)); err != nil {
		return fmt.Errorf("give stock back: %w", err)
	}
	return nil
}
