package checkout

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"time"

	"github.com/entwine-go/entwine/ent/typedid"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/money"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Item is a product that is ordered.
type Item struct{ ProductID, Quantity int64 }

const (
	// reserved is how long an order waits to be paid, and keeps its products.
	reserved = 30 * time.Minute
	// mostItems is how many items an order may have, mostOf how many there
	// may be of a product.
	mostItems = 1000
	mostOf    = 10_000
)

// line is a line of an order as statements take it.
type line struct {
	ID       int64  `json:"id"`
	Quantity int64  `json:"quantity"`
	Name     string `json:"name,omitempty"`
	Price    int64  `json:"price"`
	Taken    bool   `json:"taken"` // out of a stock that is counted

	at       int // its item in the request, or in the cart
	currency string
}

// Place orders the items for the viewer, and all of the viewer's cart, which
// is emptied, where there are none. It takes the products out of stock, and
// returns the order's id.
func (c *Cashier) Place(ctx context.Context, items []Item) (id int64, err error) {
	err = c.DB.InTx(ctx, func(ctx context.Context) error {
		id, err = c.place(ctx, items)
		return err
	})
	return id, err
}

// place is Place in the context's transaction.
func (c *Cashier) place(ctx context.Context, items []Item) (int64, error) {
	if err := entity.Order.Rules.Check(viewer.From(ctx), policy.Create); err != nil {
		return 0, err
	}
	lines, err := wanted(items)
	if err != nil {
		return 0, err
	}
	if items == nil {
		if lines, err = c.emptyCart(ctx); err != nil {
			return 0, err
		}
	}
	if id, err := c.take(ctx, lines); err != nil || id != 0 {
		return id, err
	}
	return c.insert(ctx, lines)
}

// wanted are the lines that the items ask for, one for each product, in the
// order of their ids.
func wanted(items []Item) (lines []line, err error) {
	var bad []problem.Detail
	if items != nil && len(items) == 0 || len(items) > mostItems {
		bad = append(bad, problem.Rulef("items", nil, "must be 1 to %d items, not %d", mostItems, len(items)))
		return nil, problem.Inputs(bad...)
	}
	at := make(map[int64]int, len(items))
	for i, item := range items {
		if item.Quantity < 1 || item.Quantity > mostOf {
			bad = append(bad, problem.Rulef(fmt.Sprintf("items[%d].quantity", i), item.Quantity, "must be 1 to %d", mostOf))
			continue
		}
		if n, again := at[item.ProductID]; again {
			if lines[n].Quantity += item.Quantity; lines[n].Quantity > mostOf {
				bad = append(bad, problem.Rulef(fmt.Sprintf("items[%d].quantity", i), item.Quantity, "makes more than %d of the product", mostOf))
			}
			continue
		}
		at[item.ProductID] = len(lines)
		lines = append(lines, line{ID: item.ProductID, Quantity: item.Quantity, at: i})
	}
	slices.SortFunc(lines, byID)
	return lines, problem.Inputs(bad...)
}

func byID(a, b line) int { return cmp.Compare(a.ID, b.ID) }

// SQL, because one statement removes the items and says which they were.
var emptyText = statement.Of(`DELETE FROM cart_items WHERE user_id = $1 RETURNING id, product_id, quantity`)

// emptyCart takes everything out of the viewer's cart: the lines are named as if
// the request had listed the items in the order in which the cart shows them.
func (c *Cashier) emptyCart(ctx context.Context) (lines []line, err error) {
	err = emptyText.Query(ctx, c.DB, func(rows *sql.Rows) error {
		var l line
		err := rows.Scan(&l.at, &l.ID, &l.Quantity)
		lines = append(lines, l)
		return err
	}, viewer.From(ctx).UserID)
	if err != nil {
		return nil, fmt.Errorf("empty the cart: %w", err)
	}
	if lines == nil {
		return nil, problem.New(problem.Unprocessable, "the cart is empty: there is nothing to order")
	}
	slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(a.at, b.at) })
	for i := range lines {
		lines[i].at = i
	}
	slices.SortFunc(lines, byID)
	return lines, nil
}

// SQL, because one statement is one round trip while the products are locked. It places no
// order of several currencies, nor one whose total some currency can't have.
var placeText = statement.Of(`
	WITH taken AS (` + takePart + `),
	lines AS (SELECT taken.*, quantity FROM taken JOIN list($1) AS l(id bigint, quantity bigint) USING (id)),
	placed AS (
		INSERT INTO orders (status, total, currency, user_id, version, created_at, updated_at, expires_at)
		SELECT 'pending', SUM(price * quantity), MIN(currency), $3::bigint, 1, $4::timestamptz, $4::timestamptz, $5::timestamptz FROM lines
		HAVING COUNT(*) = $2::bigint AND MIN(currency) = MAX(currency) AND SUM(price * quantity) < 100000000000000
		RETURNING id),
	added AS (
		INSERT INTO order_items (order_id, product_id, name, price, quantity, total, currency, taken, created_at)
		SELECT placed.id, lines.id, name, price, quantity, price * quantity, currency, taken, $4::timestamptz FROM lines, placed)
	SELECT taken.*, COALESCE((SELECT id FROM placed), 0) FROM taken`)

// SQL, because the statement is the same for any number of lines: it is prepared once.
var linesText = statement.Of(`
	INSERT INTO order_items (order_id, product_id, name, price, quantity, total, currency, taken, created_at)
	SELECT $1::bigint, l.id, l.name, l.price, l.quantity, l.price * l.quantity, $2::text, l.taken, now()
	FROM list($3) AS l(id bigint, quantity bigint, name text, price bigint, taken boolean)`)

// insert writes the order with its lines.
func (c *Cashier) insert(ctx context.Context, lines []line) (int64, error) {
	total, err := total(lines)
	if err != nil {
		return 0, err
	}
	o, err := c.Ent.Order.Create().SetUserID(typedid.UserID(viewer.From(ctx).UserID)).SetTotal(total).SetCurrency(lines[0].currency).
		SetExpiresAt(store.Time(c.now().Add(reserved))).Save(system(ctx)) // the row is the caller's own: its link to them needs no statement
	if err != nil {
		return 0, fmt.Errorf("place order: %w", err)
	}
	list, err := json.Marshal(lines)
	if err != nil {
		return 0, fmt.Errorf("place order: %w", err)
	}
	if _, err := linesText.Exec(ctx, c.DB, int64(o.ID), lines[0].currency, string(list)); err != nil {
		return 0, fmt.Errorf("place the lines of order %d: %w", o.ID, err)
	}
	return int64(o.ID), nil
}

// total adds up the lines, which are all of one currency.
func total(lines []line) (sum int64, err error) {
	var bad []problem.Detail
	for _, l := range lines {
		if l.currency != lines[0].currency {
			bad = append(bad, problem.Rulef(l.field("product_id"), l.ID, "%s is sold in %s, and %s in %s: an order is of one currency", l.Name, l.currency, lines[0].Name, lines[0].currency))
		}
	}
	if bad != nil {
		return 0, problem.Inputs(bad...)
	}
	most := uint64(money.Most(lines[0].currency))
	for _, l := range lines {
		over, product := bits.Mul64(uint64(l.Price), uint64(l.Quantity))
		if over > 0 || product > most || uint64(sum)+product > most {
			return 0, problem.Inputs(problem.Rulef(l.field("quantity"), l.Quantity, "makes the total larger than can be paid at once"))
		}
		sum += int64(product)
	}
	return sum, nil
}

// field names an input of the line.
func (l line) field(name string) string {
	return fmt.Sprintf("items[%d].%s", l.at, name)
}
