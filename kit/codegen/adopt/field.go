package adopt

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	atschema "ariga.io/atlas/sql/schema"

	"github.com/entwine-go/entwine/kit/codegen/naming"
	"github.com/entwine-go/entwine/kit/gid"
)

// Field is the field of a column.
type Field struct {
	Name     string `json:"field"`
	Column   string `json:"column"`
	Type     string `json:"type"`
	Nullable bool   `json:"nullable,omitempty"`
	// Computed is set where clients read it and don't write it.
	Computed bool `json:"computed,omitempty"`
	// Sensitive is set where no API shows it.
	Sensitive bool     `json:"sensitive,omitempty"`
	Why       []string `json:"why,omitempty"`

	Comment string `json:"-"`
	form    form
	// default_ is Go's, empty for none; by says how listings use it.
	default_ string
	by       []string
	// extra are more annotations; key and ref are set of the id and of foreign keys.
	extra    []string
	key, ref bool
	// part is set where the key has other columns, too.
	part bool
}

// secrets are names of columns that no API shows unless the author says so.
var secrets = regexp.MustCompile(`(?i)(^|_)(pass|password|passwd|passphrase|pwd|secrets?|tokens?|salt|hash|otp|encrypted|credentials?|(backup|recovery)_codes?|((api|activation|private|signing|session|reset|auth|access)_?)key)(_|$|hash|digest)`)

// column adds the field of a column, or returns why there is none.
func (e *Entity) column(c *atschema.Column) *Left {
	t := e.table
	f := &Field{Column: c.Name, form: t.forms[c.Name], Nullable: c.Type.Null, Comment: comment(c.Attrs)}
	what := "column " + t.Name + "." + c.Name
	required := !c.Type.Null && c.Default == nil && !generated(c)
	if f.form.of == "" {
		if required {
			e.unmade = append(e.unmade, c.Name+" is required and has no field (where a trigger gives it its value, add expose.Create and expose.Replace)")
		}
		return &Left{what, f.form.why, f.form.do}
	}
	f.Type = f.form.of
	if f.form.why != "" {
		f.Why = append(f.Why, f.form.why)
	}
	keys := t.keys()
	if f.key = len(keys) == 1 && keys[0] == c.Name; f.key {
		f.identify(c)
		e.Fields = slices.Insert(e.Fields, 0, f)
		return nil
	}
	if f.Name = e.member(c.Name, f); f.Name == "" {
		return &Left{what, "its name has no letters of ASCII", "rename it, or read it in SQL"}
	}
	if f.Comment == "" {
		f.Comment = "The " + naming.Words(f.Name) + "."
	}
	if f.defaults(c); len(keys) > 1 && slices.Contains(keys, c.Name) {
		f.part, f.Nullable, f.default_ = true, false, "" // whatever SQLite says: a row with a null has no id
	}
	if f.Sensitive = t.secret(c.Name); f.Sensitive {
		f.Why = append(f.Why, "it is sensitive by its name: no API shows it; without "+f.hiding()+" both do")
		f.form.size, f.form.low = 0, 0
	}
	if f.Computed = f.Computed || f.form.fixed; f.form.bare {
		e.Derived = append(e.Derived, derived{f.Name, c.Name, f.Comment, f.Nullable})
		f.Name += "_kept"
	}
	if (required || f.part) && (f.Sensitive || f.Computed) {
		e.unmade = append(e.unmade, c.Name+" is required, and clients do not write it")
	}
	if !f.Sensitive && !f.form.uncompared && !f.form.bare && t.indexed(c.Name) && !slices.Contains(asked, f.Name) {
		f.by = []string{"Filter", "Sort"}
	}
	e.Fields = append(e.Fields, f)
	return nil
}

// hiding is the annotation that keeps the field out of both APIs: Ent has a word
// for some types.
func (f *Field) hiding() string {
	switch f.form.of {
	case "String", "Text", "Bytes", "JSON":
		return "Sensitive"
	}
	return "expose.Internal"
}

// secret reports whether a column holds a secret, by its name: a time or a flag is none,
// nor is what names another row, nor a number that counts or measures secrets.
func (t *table) secret(column string) bool {
	name := naming.Snake(column)
	switch f := t.forms[column]; {
	case f.bare || f.of == "Time" || f.of == "Bool":
		return false
	case f.of == "Int64" || f.of == "Float":
		last := name[strings.LastIndex(name, "_")+1:]
		return t.leads(column) == nil && secrets.MatchString(last)
	}
	return t.leads(column) == nil && secrets.MatchString(name)
}

// identify makes the field the id. A text is given by the client that makes the row.
func (f *Field) identify(c *atschema.Column) {
	f.Name, f.by = "id", []string{"Filter", "Sort"}
	switch f.form.id() {
	case "UUID":
		f.form = uuidForm
		if c.Default != nil {
			f.default_ = "uuid.New"
			f.Why = append(f.Why, "the database has a default for it, so this program makes one, too, of version 4")
		}
	case "String":
		size := f.form.size
		f.Type, f.form = "String", form{of: "String"}
		if size > 0 && size < gid.LongestText {
			f.form.tail = fmt.Sprintf(".MaxLen(%d)", size)
		}
		f.Why = append(f.Why, "a text is the id: the client that makes a row gives it")
	default:
		f.form = form{of: "Int64"}
	}
	if f.Comment == "" {
		f.Comment = "The id."
	}
}

// member is a name for the column that no other field has.
func (e *Entity) member(column string, f *Field) string {
	name := member(column)
	if name == "" {
		return ""
	}
	if slices.Contains(meant, name) {
		f.Why = append(f.Why, fmt.Sprintf("a field that is called %s means something here, and the column keeps its name", name))
		name = member(e.Table) + "_" + name
	}
	for e.named(name) {
		name += "_value"
	}
	return name
}

var (
	number  = regexp.MustCompile(`^-?[0-9]+(\.[0-9]+)?$`)
	nowWord = regexp.MustCompile(`(?i)^\(?(now\(\)|current_timestamp(\(\d\))?)\)?$`)
)

// defaults has the field be optional as the column is.
func (f *Field) defaults(c *atschema.Column) {
	if generated(c) {
		f.Computed, f.Nullable = true, true
		f.Why = append(f.Why, "the database computes it")
		return
	}
	switch x := c.Default.(type) {
	case nil:
		return
	case *atschema.Literal:
		f.default_ = f.literal(x.V)
	case *atschema.RawExpr:
		if nowWord.MatchString(strings.TrimSpace(x.X)) && f.form.of == "Time" && f.form.tail == "" {
			f.Computed, f.default_ = true, "tables.Now"
			f.Nullable = false
			f.Why = append(f.Why, "its default is the time of the write, so clients do not set it")
			if c.Type.Null {
				f.Nullable, f.default_ = true, ""
			}
			return
		}
		f.default_ = f.literal(x.X)
	}
	if f.default_ == "" && !c.Type.Null {
		f.Computed, f.Nullable = true, true
		f.Why = append(f.Why, "its default is an expression of the database, which gives new rows their value; it is never null")
	}
	if f.Nullable {
		f.default_ = ""
	}
}

// literal is the Go expression of an SQL literal, empty where it has none.
func (f *Field) literal(text string) string {
	text, _, _ = strings.Cut(text, "::")
	bare := strings.ReplaceAll(strings.Trim(text, "'"), "''", "'")
	switch f.form.of {
	case "Int64", "Float":
		if number.MatchString(bare) && (f.form.of == "Float" || !strings.Contains(bare, ".")) {
			return bare
		}
	case "Bool":
		switch strings.ToLower(bare) {
		case "true", "1", "t":
			return "true"
		case "false", "0", "f":
			return "false"
		}
	case "String", "Text", "Enum":
		if strings.HasPrefix(text, "'") && strings.HasSuffix(text, "'") && (f.form.of != "Enum" || slices.Contains(f.form.values, bare)) {
			return fmt.Sprintf("%q", bare)
		}
	}
	return ""
}
