package adopt

import (
	"fmt"
	"slices"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"
)

// Differ says what differs between the database and the tables of a schema, of those that
// were adopted and those that the schema does not have.
func (d *Database) Differ(tables []*schema.Table, adopted []string) (says []string) {
	for _, t := range d.Tables {
		i := slices.IndexFunc(tables, func(s *schema.Table) bool { return s.Name == t.Name })
		switch why, _ := t.refused(); {
		case i >= 0 && slices.Contains(adopted, t.Name):
			says = append(says, t.differ(tables[i])...)
		case i < 0 && slices.Contains(adopted, t.Name):
			says = append(says, fmt.Sprintf("table %s: no entity of schema/ has it any more", t.Name))
		case i < 0 && (why == "" || t.pairs()):
			says = append(says, fmt.Sprintf("table %s is new: no entity of schema/ has it", t.Name))
		}
	}
	for _, name := range adopted {
		if !slices.ContainsFunc(d.Tables, func(t *table) bool { return t.Name == name }) {
			says = append(says, fmt.Sprintf("table %s is gone from the database", name))
		}
	}
	return says
}

func (t *table) differ(s *schema.Table) (says []string) {
	e := &Entity{Table: t.Name, table: t}
	for _, c := range t.Columns {
		i := slices.IndexFunc(s.Columns, func(s *schema.Column) bool { return s.Name == c.Name })
		f := t.forms[c.Name]
		switch {
		case i >= 0 && f.of == "":
			says = append(says, fmt.Sprintf("column %s.%s is of the type %s now, and no field holds that", t.Name, c.Name, c.Type.Raw))
		case i >= 0:
			says = append(says, t.compare(c.Name, f, s.Columns[i])...)
		case f.of != "" && !t.pairs() && !generated(c): // generated ones may be made by what a schema says
			e.column(c)
			says = append(says, fmt.Sprintf("column %s.%s is new, and no field has it; this one would:\n\t\t%s,", t.Name, c.Name, e.Fields[len(e.Fields)-1].Code()))
		}
	}
	for _, c := range s.Columns {
		if _, has := t.Column(c.Name); !has {
			says = append(says, fmt.Sprintf("column %s.%s is in schema/ and not in the database: a migration adds it, or it is gone", t.Name, c.Name))
		}
	}
	return says
}

// compare compares a column with the one of the schema.
func (t *table) compare(name string, f form, s *schema.Column) (says []string) {
	c, _ := t.Column(name)
	if !f.holds(s.Type) {
		says = append(says, fmt.Sprintf("column %s.%s is of the type %s now, and its field is %s", t.Name, name, c.Type.Raw, s.Type))
	}
	if c.Type.Null && !s.Nullable && !slices.Contains(t.keys(), name) {
		says = append(says, fmt.Sprintf("column %s.%s can be null now, and its field can't: .Optional().Nillable() says so", t.Name, name))
	}
	if !c.Type.Null && s.Nullable && c.Default == nil && !generated(c) {
		says = append(says, fmt.Sprintf("column %s.%s is required now, and its field is optional: a row without it is refused by the database", t.Name, name))
	}
	return says
}

// holds reports whether a field of the type holds the values.
func (f form) holds(t field.Type) bool {
	switch f.of {
	case "Int64":
		return t.Integer()
	case "Float":
		return t.Float()
	case "Bool":
		return t == field.TypeBool
	case "Time":
		return t == field.TypeTime
	case "UUID":
		return t == field.TypeUUID
	case "JSON":
		return t == field.TypeJSON
	case "Bytes":
		return t == field.TypeBytes
	}
	return t == field.TypeString || t == field.TypeEnum
}
