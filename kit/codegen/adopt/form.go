package adopt

import (
	atschema "ariga.io/atlas/sql/schema"
)

// form is the form of a column's values in a field.
type form struct {
	// of is the name of a constructor in Ent's package field: "Int64". Empty: none can.
	of string
	// args follow the name in its call, and tail the call.
	args, tail string
	// imports are the packages that these name.
	imports []string
	// size bounds text, and low and high numbers, where they are not 0.
	size      int
	low, high int64
	// values are those of an enum.
	values []string
	// fixed is set where clients read it and don't write it, or compare it.
	fixed, uncompared bool
	// bare is set of a column that SQLite's driver makes times of, whose texts are shown:
	// a field that no API shows has it, and one beside it follows from that.
	bare bool
	// why is the reason, and do what can be done about it.
	why, do string
}

func (f form) because(why string) form {
	f.why = why
	return f
}

func text(size int) form {
	if size > 0 {
		return form{of: "String", size: size}
	}
	return form{of: "Text"}
}

var (
	jsonForm = form{of: "JSON", args: ", json.RawMessage{}", imports: []string{"encoding/json"}, uncompared: true}
	uuidForm = form{of: "UUID", args: ", uuid.UUID{}", imports: []string{"github.com/google/uuid"}}
	dateForm = form{of: "Time", tail: ".GoType(date.Date{}).SchemaType(date.Column)", imports: []string{kit + "/date"}}
)

// integer is a whole number of so many bits.
func integer(bits int) form {
	f := form{of: "Int64"}
	if bits < 64 {
		f.low, f.high = -1<<(bits-1), 1<<(bits-1)-1
	}
	return f
}

// decimal is a number with so many digits, of which scale are behind the point.
func decimal(precision, scale int) form {
	switch {
	case precision > 0 && scale == 0 && precision <= 18:
		return form{of: "Int64"}.because("a decimal without digits behind the point is a whole number")
	case precision > 0 && precision <= 15:
		return form{of: "Float"}.because("a float is exact to 15 digits, and the decimal has no more; expose.Money takes whole minor units, of which this is none")
	}
	return form{why: "a decimal of more than 15 digits: a float would change values", do: "add a column of whole minor units, or read it in SQL"}
}

func generated(c *atschema.Column) bool {
	for _, a := range c.Attrs {
		if _, ok := a.(*atschema.GeneratedExpr); ok {
			return true
		}
	}
	return false
}

func comment(attrs []atschema.Attr) string {
	for _, a := range attrs {
		if c, ok := a.(*atschema.Comment); ok {
			return c.Text
		}
	}
	return ""
}
