package seed

import (
	"context"
	"encoding/json"

	"github.com/entwine-go/entwine/ent/product"
	"github.com/entwine-go/entwine/kit/runtime/fold"
)

// products makes products and returns their ids.
func (s *Seeder) products(ctx context.Context, n int) ([]int64, error) {
	before, err := s.lastID(ctx, product.Table)
	if err != nil {
		return nil, err
	}
	columns := []string{
		product.FieldCreatedAt, product.FieldUpdatedAt, product.FieldName, product.FieldDescription, product.FieldCategory,
		product.FieldPrice, product.FieldStock, product.FieldInStock, product.FieldTags, product.FieldNameFold, product.FieldDescriptionFold,
	}
	err = s.load(ctx, product.Table, columns, n, func(i int, row []any) {
		name, description, at := s.words.product(), pick(s.random, s.prose.sentences), s.at(i, n)
		row[0], row[1], row[2], row[3], row[4] = at, at, name, description, s.words.one(departments)
		row[5] = int64(99 + 100*int(s.random.ExpFloat64()*40)) // 0.99, 1.99, … : many are cheap
		stock := int64(0)
		if s.chance(0.9) {
			stock = int64(s.random.IntN(500))
		}
		row[6], row[7], row[8] = stock, stock > 0, s.tags()
		row[9], row[10] = fold.String(name), fold.String(description)
	})
	if err != nil {
		return nil, err
	}
	return s.idsAfter(ctx, product.Table, before)
}

// tags returns some tags, no two the same, as they are stored.
func (s *Seeder) tags() string {
	words := []string{"new", "sale", "eco", "gift", "handmade", "limited", "classic", "kids"}
	chosen := []string{}
	for _, at := range s.random.Perm(len(words))[:s.random.IntN(4)] {
		chosen = append(chosen, words[at])
	}
	text, _ := json.Marshal(chosen) // strings always encode
	return string(text)
}
