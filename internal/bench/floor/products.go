package main

import (
	"net/http"
	"strconv"

	"github.com/jackc/pgx/v5/pgtype"
)

// product is one row, in the order of productColumns.
type product struct {
	id, price, reviews, version       int64
	name, description, currency, tags string
	category                          pgtype.Text
	stock                             pgtype.Int8
	inStock                           bool
	rating                            pgtype.Float8
	created, updated, deleted         pgtype.Timestamptz
}

func (p *product) into() []any {
	return []any{
		&p.id, &p.name, &p.description, &p.category, &p.price, &p.currency, &p.stock, &p.inStock, &p.tags,
		&p.reviews, &p.rating, &p.created, &p.updated, &p.version, &p.deleted,
	}
}

func (p *product) append(b []byte) []byte {
	b = appendInt(b, `{"id":`, p.id)
	b = appendString(b, `,"name":`, p.name)
	b = appendString(b, `,"description":`, p.description)
	b = appendNullString(b, `,"category":`, p.category)
	b = appendMinor(b, `,"price":`, p.price)
	b = appendString(b, `,"currency":`, p.currency)
	b = appendNullInt(b, `,"stock":`, p.stock)
	b = strconv.AppendBool(append(b, `,"inStock":`...), p.inStock)
	b = append(append(b, `,"tags":`...), p.tags...)
	b = appendInt(b, `,"reviews_count":`, p.reviews)
	b = append(b, `,"rating":`...)
	if p.rating.Valid {
		b = strconv.AppendFloat(b, p.rating.Float64, 'g', -1, 64)
	} else {
		b = append(b, "null"...)
	}
	b = appendTime(b, `,"createdAt":`, p.created)
	b = appendTime(b, `,"updated_at":`, p.updated)
	b = appendInt(b, `,"version":`, p.version)
	b = appendTime(b, `,"deleted_at":`, p.deleted)
	return append(b, '}')
}

// searchProducts answers the newest 20 products with a part of name or
// description, a price and a tag, and how many there are.
func (s *server) searchProducts(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	low, _ := strconv.ParseInt(q.Get("min"), 10, 64)
	high, err := strconv.ParseInt(q.Get("max"), 10, 64)
	if err != nil {
		fail(w, err)
		return
	}
	found, err := s.db.query(r.Context(), &products, "%"+q.Get("search")+"%", low, high, q.Get("tag"))
	if err != nil {
		fail(w, err)
		return
	}
	defer found.done()
	var (
		p     product
		total int64
	)
	into := append(p.into(), &total)
	b := append(make([]byte, 0, 16<<10), `{"status":"success","data":[`...)
	for n := 0; found.Next(); n++ {
		if err := found.Scan(into...); err != nil {
			fail(w, err)
			return
		}
		if n > 0 {
			b = append(b, ',')
		}
		b = p.append(b)
	}
	if err := found.Err(); err != nil {
		fail(w, err)
		return
	}
	b = appendInt(b, `],"pagination":{"page":1,"limit":20,"total":`, total)
	send(w, http.StatusOK, append(b, `}}`...))
}
