package orm

import (
	"fmt"

	"entgo.io/ent/entc/load"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// addFolds adds, for each field that can be searched or is unique without
// regard to case, a column that holds its text folded by Go: both databases
// then find the same rows.
func addFolds(s *load.Schema) error {
	for _, f := range s.Fields {
		a, err := model.FieldAnnotation(f.Annotations)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", s.Name, f.Name, err)
		}
		if !a.Folded() {
			continue
		}
		if a.Unique {
			s.Indexes = append(s.Indexes, &load.Index{Fields: []string{f.Name + expose.FoldSuffix}, Unique: true})
		}
		fold := *f
		fold.Name = f.Name + expose.FoldSuffix
		if f.StorageKey != "" {
			fold.StorageKey = f.StorageKey + expose.FoldSuffix
		}
		fold.Info = &field.TypeInfo{Type: field.TypeString}
		fold.Validators, fold.Default, fold.UpdateDefault, fold.DefaultValue = 0, false, false, nil
		fold.Position, fold.Unique, fold.Immutable = nil, false, false
		fold.Optional, fold.Nillable = true, false
		fold.Comment = "The text of " + f.Name + ", its case folded."
		fold.Annotations = map[string]any{"EntwineField": map[string]any{"internal": true}}
		s.Fields = append(s.Fields, &fold)
	}
	return nil
}
