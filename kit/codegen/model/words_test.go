package model_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"entgo.io/contrib/entgql"
	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	entsqlschema "entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/entc/gen"
	entschema "entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
	"github.com/google/uuid"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/expose"
)

// word is a function, a method or an option of Ent's packages for schemas. It holds, or
// it is refused.
type word struct {
	make    func()
	holds   func(w worded) bool
	refused string
}

// worded is the model of a book with this field, edge or index.
type worded struct {
	m *model.Model
	*model.Entity
	field *gen.Field // "probe"
	shown *model.Field
	table *entsqlschema.Table
}

func (w worded) column() *entsqlschema.Column {
	i := slices.IndexFunc(w.table.Columns, func(c *entsqlschema.Column) bool { return c.Name == w.field.StorageKey() })
	return w.table.Columns[i]
}

func (w worded) index() *entsqlschema.Index {
	i := slices.IndexFunc(w.table.Indexes, func(i *entsqlschema.Index) bool { return len(i.Columns) > 1 && i.Columns[1].Name == "lent" })
	return w.table.Indexes[i]
}

// kind is a field that is shown as one of the kind.
func kind(f ent.Field, kind string) word {
	return word{make: bookField(f), holds: func(w worded) bool { return w.shown.Kind == kind }}
}

// of is a field of which something holds, and edged an edge.
func of(f ent.Field, holds func(w worded) bool) word { return word{make: bookField(f), holds: holds} }

func edged(e ent.Edge, holds func(e *model.Edge) bool) word {
	return word{make: func() { book.edges = append(slices.Clip(book.edges), e) }, holds: func(w worded) bool { return holds(w.Edge("probe")) }}
}

func indexed(i ent.Index, holds func(i *entsqlschema.Index) bool) word {
	return word{make: func() { book.indexes = []ent.Index{i} }, holds: func(w worded) bool { return holds(w.index()) }}
}

func titled(a entschema.Annotation, holds func(w worded) bool) word {
	return word{make: func() { book.says = []entschema.Annotation{a} }, holds: holds}
}

func not(does func(), message string) word { return word{make: does, refused: message} }

const probe = "probe"

// checked is a validator of the field, which the engine and Ent's client run.
func checked(f ent.Field) word {
	return of(f, func(w worded) bool { return w.field.Validators > 0 })
}

// goOnly are the words that change the Go types of Ent's client alone.
func goOnly(f ent.Field) word { return of(f, func(w worded) bool { return w.shown != nil }) }

var pairs = index.Fields("pages", "lent")

// words are all, by the name of their package and their own.
var words = map[string]word{
	"field.String": kind(field.String(probe), "String"), "field.Text": kind(field.Text(probe), "String"),
	"field.Bytes": kind(field.Bytes(probe), "Bytes"), "field.Bool": kind(field.Bool(probe), "Bool"), "field.Time": kind(field.Time(probe), "Time"),
	"field.JSON": kind(field.JSON(probe, map[string]int{}), "JSON"), "field.Strings": kind(field.Strings(probe), "Strings"),
	"field.Ints": kind(field.Ints(probe), "JSON"), "field.Floats": kind(field.Floats(probe), "JSON"), "field.Any": kind(field.Any(probe), "JSON"),
	"field.Enum": kind(field.Enum(probe).Values("a"), "Enum"), "field.UUID": kind(field.UUID(probe, uuid.UUID{}), "UUID"),
	"field.Other": not(bookField(field.Other(probe, Loud("")).SchemaType(map[string]string{"postgres": "text"})), "Book.probe: a field of type model_test.Loud cannot be shown"),
	"field.Int":   kind(field.Int(probe), "Int"), "field.Int8": kind(field.Int8(probe), "Int"), "field.Int16": kind(field.Int16(probe), "Int"),
	"field.Int32": kind(field.Int32(probe), "Int"), "field.Int64": kind(field.Int64(probe), "Int"), "field.Uint": kind(field.Uint(probe), "Int"),
	"field.Uint8": kind(field.Uint8(probe), "Int"), "field.Uint16": kind(field.Uint16(probe), "Int"), "field.Uint32": kind(field.Uint32(probe), "Int"),
	"field.Uint64": kind(field.Uint64(probe), "Int"), "field.Float": kind(field.Float(probe), "Float"), "field.Float32": kind(field.Float32(probe), "Float"),
	"field.ID": not(func() { user.says = []entschema.Annotation{field.ID("a", "b")} }, `User.id: field.ID("a", "b"): a row has one key`),

	"field.Annotations": of(field.String(probe).Annotations(expose.By(expose.Filter)), func(w worded) bool { return w.shown.FilterBy() }),
	"field.Comment":     of(field.String(probe).Comment("A probe."), func(w worded) bool { return w.shown.Type.Comment() == "A probe." }),
	"field.Default":     of(field.String(probe).Default("x"), func(w worded) bool { return w.field.DefaultValue() == "x" && !w.shown.RequiredOnCreate() }),
	"field.DefaultFunc": of(field.String(probe).DefaultFunc(func() string { return "x" }), func(w worded) bool { return w.field.Default && !w.shown.RequiredOnCreate() }),
	"field.Deprecated":  not(bookField(field.String(probe).Deprecated("use note")), "Book.probe: Deprecated: only Go code would know"),
	"field.GoType":      of(field.String(probe).GoType(Loud("")), func(w worded) bool { return model.Valued(w.field) }),
	"field.Immutable":   of(field.String(probe).Immutable(), func(w worded) bool { return w.shown.OnCreate() && !w.shown.OnUpdate() }),
	"field.Match":       checked(field.String(probe).Match(regexp.MustCompile("x"))),
	"field.Max":         checked(field.Int(probe).Max(3)), "field.Min": checked(field.Int(probe).Min(3)), "field.Range": checked(field.Int(probe).Range(1, 3)),
	"field.MaxLen":     of(field.String(probe).MaxLen(7), func(w worded) bool { return w.field.Validators > 0 && w.column().Size == 7 }),
	"field.MaxRuneLen": checked(field.String(probe).MaxRuneLen(7)), "field.MinRuneLen": checked(field.String(probe).MinRuneLen(7)),
	"field.MinLen": checked(field.String(probe).MinLen(7)), "field.NotEmpty": checked(field.String(probe).NotEmpty()),
	"field.Negative": checked(field.Int(probe).Negative()), "field.NonNegative": checked(field.Int(probe).NonNegative()), "field.Positive": checked(field.Int(probe).Positive()),
	"field.Validate":      checked(field.String(probe).Validate(func(string) error { return nil })),
	"field.NamedValues":   of(field.Enum(probe).NamedValues("A", "a"), func(w worded) bool { return slices.Equal(w.field.EnumValues(), []string{"a"}) }),
	"field.Values":        of(field.Enum(probe).Values("a", "b"), func(w worded) bool { return slices.Equal(w.field.EnumValues(), []string{"a", "b"}) }),
	"field.Nillable":      of(field.String(probe).Optional().Nillable(), func(w worded) bool { return w.shown.Nullable() }),
	"field.Optional":      of(field.String(probe).Optional(), func(w worded) bool { return w.column().Nullable && !w.shown.RequiredOnCreate() }),
	"field.SchemaType":    of(field.String(probe).SchemaType(map[string]string{"postgres": "citext"}), func(w worded) bool { return w.column().SchemaType["postgres"] == "citext" }),
	"field.Sensitive":     of(field.String(probe).Sensitive().Default(""), func(w worded) bool { return w.shown == nil }),
	"field.StorageKey":    of(field.String(probe).StorageKey("kept"), func(w worded) bool { return w.column().Name == "kept" && w.shown.REST == probe }),
	"field.StructTag":     goOnly(field.String(probe).StructTag(`yaml:"probe"`)),
	"field.Unique":        of(field.String(probe).Unique(), func(w worded) bool { return w.column().Unique }),
	"field.UpdateDefault": of(field.Time(probe).Default(time.Now).UpdateDefault(time.Now), func(w worded) bool { return w.field.UpdateDefault }),
	"field.ValueScanner":  of(field.String(probe).ValueScanner(sealed), func(w worded) bool { return model.Scanned(w.field) }),

	"edge.To":       edged(edge.To(probe, Shelf.Type), func(e *model.Edge) bool { return !e.Type.Unique && e.To.Name == "Shelf" }),
	"edge.From":     edged(edge.To("copies", Book.Type).From(probe), func(e *model.Edge) bool { return e.Type.IsInverse() }),
	"edge.Ref":      {make: func() {}, holds: func(w worded) bool { return w.Edge("shelf").Type.Inverse == "books" }},
	"edge.Unique":   edged(edge.To(probe, Shelf.Type).Unique(), func(e *model.Edge) bool { return e.Type.Unique }),
	"edge.Required": not(func() { book.edges = append(slices.Clip(book.edges), edge.To(probe, Shelf.Type).Unique().Required()) }, "Book.probe: edge.Required: no client could name the row"),
	"edge.Field": {make: func() {
		bookField(field.Int64("probe_id").Optional().Nillable())()
		book.edges = append(slices.Clip(book.edges), edge.To(probe, Shelf.Type).Unique().Field("probe_id"))
	}, holds: func(w worded) bool { return w.Field("probe_id").Ref == "Shelf" && w.Field("probe_id").OnCreate() }},
	"edge.Immutable":   edged(edge.To(probe, Shelf.Type).Unique().Immutable(), func(e *model.Edge) bool { return e.Type.Immutable }),
	"edge.StructTag":   edged(edge.To(probe, Shelf.Type).StructTag(`yaml:"probe"`), func(e *model.Edge) bool { return e != nil }),
	"edge.Comment":     edged(edge.To(probe, Shelf.Type).Comment("A probe."), func(e *model.Edge) bool { return e.Comment == "A probe." }),
	"edge.Annotations": edged(edge.To(probe, Shelf.Type).Unique().Annotations(expose.Through()), func(e *model.Edge) bool { return e.Through }),
	"edge.StorageKey":  edged(edge.To(probe, Shelf.Type).Unique().StorageKey(edge.Column("kept")), func(e *model.Edge) bool { return e.Type.Rel.Column() == "kept" }),
	"edge.Table":       edged(edge.To(probe, Book.Type).StorageKey(edge.Table("kept"), edge.Columns("one", "two")), func(e *model.Edge) bool { return e.Type.Rel.Table == "kept" }),
	"edge.Columns":     edged(edge.To(probe, Book.Type).StorageKey(edge.Table("kept"), edge.Columns("one", "two")), func(e *model.Edge) bool { return slices.Equal(e.Type.Rel.Columns, []string{"one", "two"}) }),
	"edge.Column":      edged(edge.To(probe, Shelf.Type).Unique().StorageKey(edge.Column("kept")), func(e *model.Edge) bool { return e.Type.Rel.Column() == "kept" }),
	"edge.Symbol": {
		make: func() {
			book.edges = append(slices.Clip(book.edges), edge.To(probe, Shelf.Type).Unique().StorageKey(edge.Symbol("kept_by")))
		},
		holds: func(w worded) bool {
			return slices.ContainsFunc(w.table.ForeignKeys, func(k *entsqlschema.ForeignKey) bool { return k.Symbol == "kept_by" })
		},
	},
	"edge.Symbols": edged(edge.To(probe, Book.Type).StorageKey(edge.Symbols("one", "two")), func(e *model.Edge) bool { return e.Type.M2M() }),
	"edge.Through": not(func() {
		book.edges = append(slices.Clip(book.edges), edge.To(probe, Book.Type).Through("lots", User.Type))
	}, "User"),

	"index.Fields": indexed(pairs, func(i *entsqlschema.Index) bool { return len(i.Columns) == 2 }),
	"index.Edges": {make: func() { book.indexes = []ent.Index{index.Fields("pages").Edges("author")} }, holds: func(w worded) bool {
		return slices.ContainsFunc(w.table.Indexes, func(i *entsqlschema.Index) bool { return len(i.Columns) == 2 && i.Columns[1].Name == "author_id" })
	}},
	"index.Unique":      indexed(index.Fields("pages", "lent").Unique(), func(i *entsqlschema.Index) bool { return i.Unique }),
	"index.StorageKey":  indexed(index.Fields("pages", "lent").StorageKey("kept"), func(i *entsqlschema.Index) bool { return i.Name == "kept" }),
	"index.Annotations": indexed(index.Fields("pages", "lent").Annotations(entsql.IndexWhere("lent")), func(i *entsqlschema.Index) bool { return i.Annotation.Where == "lent" }),

	"schema.Comment": titled(entschema.Comment("A thing."), func(w worded) bool { return w.Comment == "A thing." }),

	"entsql.Table":       titled(entsql.Table("kept"), func(w worded) bool { return w.table.Name == "kept" }),
	"entsql.Schema":      not(func() { book.says = []entschema.Annotation{entsql.Schema("other")} }, `missing schema annotation`), // of all: TestNamesThatNothingCanHave
	"entsql.SchemaTable": not(func() { book.says = []entschema.Annotation{entsql.SchemaTable("other", "kept")} }, `missing schema annotation`),
	"entsql.Check":       titled(entsql.Check("pages > 0"), func(w worded) bool { return w.table.Annotation.Check == "pages > 0" }),
	"entsql.Checks":      titled(entsql.Checks(map[string]string{"some": "pages > 0"}), func(w worded) bool { return w.table.Annotation.Checks["some"] == "pages > 0" }),
	"entsql.Skip":        not(func() { book.says = []entschema.Annotation{entsql.Skip()} }, "Book: entsql.Skip: no migration would make the table"),
	"entsql.View":        {make: func() { book.says = []entschema.Annotation{entsql.View("SELECT 1")} }, refused: "Book: entsql.View"},
	"entsql.ViewFor": {make: func() {
		book.says = []entschema.Annotation{&entsql.Annotation{ViewFor: map[string]string{"postgres": "SELECT 1"}}}
	}, refused: "Book: entsql.View"},
	"entsql.Default":        of(field.String(probe).Optional().Annotations(entsql.Default("x")), func(w worded) bool { return w.column().Default == "x" }),
	"entsql.DefaultExpr":    of(field.String(probe).Optional().Annotations(entsql.DefaultExpr("lower('X')")), func(w worded) bool { return w.column().Default == entsqlschema.Expr("lower('X')") }),
	"entsql.DefaultExprs":   of(field.String(probe).Optional().Annotations(entsql.DefaultExprs(map[string]string{"postgres": "lower('X')"})), func(w worded) bool { return w.column().Default != nil }),
	"entsql.WithComments":   titled(entsql.WithComments(true), func(w worded) bool { return *w.table.Annotation.WithComments }),
	"entsql.OnDelete":       edged(edge.To(probe, Shelf.Type).Unique().Annotations(entsql.OnDelete(entsql.Restrict)), func(e *model.Edge) bool { return e.Type.EntSQL().OnDelete == entsql.Restrict }),
	"entsql.IncrementStart": titled(entsql.IncrementStart(100), func(w worded) bool { return *w.table.Annotation.IncrementStart == 100 }),
	"entsql.Prefix": {make: func() { book.indexes = []ent.Index{index.Fields("note").Annotations(entsql.Prefix(3))} }, holds: func(w worded) bool {
		return slices.ContainsFunc(w.table.Indexes, func(i *entsqlschema.Index) bool { return i.Annotation != nil && i.Annotation.Prefix == 3 })
	}},
	"entsql.PrefixColumn":   indexed(index.Fields("pages", "lent").Annotations(entsql.PrefixColumn("lent", 3)), func(i *entsqlschema.Index) bool { return i.Annotation.PrefixColumns["lent"] == 3 }),
	"entsql.OpClass":        indexed(index.Fields("pages", "lent").Annotations(entsql.OpClass("x")), func(i *entsqlschema.Index) bool { return i.Annotation.OpClass == "x" }),
	"entsql.OpClassColumn":  indexed(index.Fields("pages", "lent").Annotations(entsql.OpClassColumn("lent", "x")), func(i *entsqlschema.Index) bool { return i.Annotation.OpClassColumns["lent"] == "x" }),
	"entsql.Desc":           indexed(index.Fields("pages", "lent").Annotations(entsql.Desc()), func(i *entsqlschema.Index) bool { return i.Annotation.Desc }),
	"entsql.DescColumns":    indexed(index.Fields("pages", "lent").Annotations(entsql.DescColumns("lent")), func(i *entsqlschema.Index) bool { return i.Annotation.DescColumns["lent"] }),
	"entsql.IncludeColumns": indexed(index.Fields("pages", "lent").Annotations(entsql.IncludeColumns("note")), func(i *entsqlschema.Index) bool { return slices.Equal(i.Annotation.IncludeColumns, []string{"note"}) }),
	"entsql.IndexType":      indexed(index.Fields("pages", "lent").Annotations(entsql.IndexType("GIN")), func(i *entsqlschema.Index) bool { return i.Annotation.Type == "GIN" }),
	"entsql.IndexTypes":     indexed(index.Fields("pages", "lent").Annotations(entsql.IndexTypes(map[string]string{"postgres": "GIN"})), func(i *entsqlschema.Index) bool { return i.Annotation.Types["postgres"] == "GIN" }),
	"entsql.IndexWhere":     indexed(index.Fields("pages", "lent").Annotations(entsql.IndexWhere("lent")), func(i *entsqlschema.Index) bool { return i.Annotation.Where == "lent" }),
}

// elsewhere are words whose promise other tests hold.
var elsewhere = map[string]string{
	"ent.Type": "what edges name", "ent.Fields": "all tests", "ent.Edges": "all tests", "ent.Indexes": "index", "ent.Config": "entsql.Table has taken its place",
	"ent.Mixin": "mixin", "ent.Hooks": "kit/mutation", "ent.Interceptors": "TestAFailedGenerationChangesNothing", "ent.Policy": "all tests", "ent.Annotations": "all tests",
	"mixin.Fields": "tables.Base", "mixin.Edges": "Ent's own", "mixin.Indexes": "Ent's own", "mixin.Hooks": "kit/mutation", "mixin.Interceptors": "TestAFailedGenerationChangesNothing",
	"mixin.Policy": "TestAFailedGenerationChangesNothing", "mixin.Annotations": "Ent's own", "mixin.AnnotateFields": "TestAFailedGenerationChangesNothing", "mixin.AnnotateEdges": "Ent's own",
	"privacy.AlwaysAllowRule": "TestRulesByHandJudgeMutations", "privacy.AlwaysDenyRule": "TestRulesByHandJudgeMutations", "privacy.ContextQueryMutationRule": "TestRulesByHandJudgeMutations",
	"privacy.OnMutationOperation": "TestRulesByHandJudgeMutations", "privacy.DenyMutationOperationRule": "TestRulesByHandJudgeMutations", "privacy.EvalMutation": "TestRulesByHandJudgeMutations",
	"privacy.Allowf": "TestRulesByHandJudgeMutations", "privacy.Denyf": "TestRulesByHandJudgeMutations", "privacy.Skipf": "TestRulesByHandJudgeMutations",
	"privacy.EvalQuery": "TestAFailedGenerationChangesNothing", "privacy.NewPolicies": "kit/mutation",
	"privacy.DecisionContext": "TestRulesByHandJudgeMutations", "privacy.DecisionFromContext": "TestRulesByHandJudgeMutations",
	"entgql.Bind": "it says nothing", "entgql.Unbind": "TestGraphQLAnnotationsHold", "entgql.Directives": "TestWhatGraphQLAnnotationsCannotHave",
	"entgql.Implements": "TestWhatGraphQLAnnotationsCannotHave", "entgql.MapsTo": "TestWhatGraphQLAnnotationsCannotHave", "entgql.MultiOrder": "TestGraphQLAnnotationsHold",
	"entgql.MutationCreate": "TestWhatGraphQLAnnotationsCannotHave", "entgql.MutationUpdate": "TestWhatGraphQLAnnotationsCannotHave", "entgql.Mutations": "TestGraphQLAnnotationsHold",
	"entgql.OrderField": "TestGraphQLAnnotationsHold", "entgql.QueryField": "TestWhatGraphQLAnnotationsCannotHave", "entgql.RelayConnection": "TestGraphQLAnnotationsHold",
	"entgql.Skip": "TestGraphQLAnnotationsHold", "entgql.Type": "TestWhatGraphQLAnnotationsCannotHave", "entgql.Description": "TestWhatGraphQLAnnotationsCannotHave",
	"entgql.NewDirective": "TestWhatGraphQLAnnotationsCannotHave", "entgql.Deprecated": "TestWhatGraphQLAnnotationsCannotHave",
}

// inner are methods by which Ent reads what schemas say, and Go code asks types of fields.
var inner = strings.Fields(`Descriptor Name Merge Err Decode Comparable ConstName FromValue Implements Integer IsPtr Numeric ScanValue Stringer TypeEqual Valid
	Validator Value Valuer String IsCreate GetDescription Any Is`)

// Every word of Ent's packages for schemas holds, or is refused with its line: a new one
// of a later Ent has to be looked at.
func TestEveryWordOfEntHoldsOrIsRefused(t *testing.T) {
	said := entWords(t)
	for _, name := range slices.Sorted(maps.Keys(said)) {
		_, tested := words[name]
		_, known := elsewhere[name]
		if !tested && !known && !slices.Contains(inner, name[strings.Index(name, ".")+1:]) {
			t.Errorf("%s: nothing says whether it holds or is refused", name)
		}
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(words)), slices.Collect(maps.Keys(elsewhere))) {
		if !said[name] {
			t.Errorf("%s: Ent has no such word", name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(words)) {
		t.Run(name, func(t *testing.T) {
			library()
			words[name].make()
			m, err := judged(t)
			switch refused := words[name].refused; {
			case refused != "" && (err == nil || !strings.Contains(err.Error(), refused)):
				t.Errorf("got %v, want it refused: %s", err, refused)
			case refused != "":
			case err != nil:
				t.Error(err)
			case !words[name].holds(wordedOf(t, m)):
				t.Error("it does not hold")
			}
		})
	}
}

func wordedOf(t *testing.T, m *model.Model) (w worded) {
	t.Helper()
	w.m, w.Entity = m, m.Entities[slices.IndexFunc(m.Entities, func(e *model.Entity) bool { return e.Name == "Book" })]
	w.shown = w.Entity.Field(probe)
	for _, f := range w.Type.Fields {
		if f.Name == probe {
			w.field = f
		}
	}
	tables, err := m.Graph.Tables()
	if err != nil {
		t.Fatal(err)
	}
	w.table = tables[slices.IndexFunc(tables, func(table *entsqlschema.Table) bool { return table.Name == w.Type.Table() })]
	return w
}

// entWords are the exported functions and methods of Ent's packages, and the methods of
// its interfaces.
func entWords(t *testing.T) map[string]bool {
	t.Helper()
	all := map[string]bool{}
	list := []string{"list", "-f", "{{.Dir}}"}
	list = append(list, "entgo.io/ent/schema", "entgo.io/ent/dialect/entsql", "entgo.io/ent/privacy", "entgo.io/contrib/entgql")
	for _, below := range []string{"field", "edge", "index", "mixin"} {
		list = append(list, "entgo.io/ent/schema/"+below)
	}
	out, err := exec.CommandContext(t.Context(), "go", list...).Output()
	if err != nil {
		t.Fatal(err)
	}
	for dir := range strings.FieldsSeq(string(out)) {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || filepath.Base(dir) == "entgql" && filepath.Base(file) != "annotation.go" {
				continue
			}
			parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range parsed.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Name.IsExported() {
					all[filepath.Base(dir)+"."+f.Name.Name] = true
				}
			}
		}
	}
	for method := range reflect.TypeFor[ent.Interface]().Methods() {
		all["ent."+method.Name] = true
	}
	for method := range reflect.TypeFor[ent.Mixin]().Methods() {
		all["mixin."+method.Name] = true
	}
	for field := range reflect.TypeFor[entgql.Annotation]().Fields() {
		if name := field.Name; !slices.Contains(graphQLOptions, name) {
			t.Errorf("entgql.Annotation.%s: nothing says whether it holds or is refused", name)
		}
	}
	return all
}

// graphQLOptions are the members of entgql.Annotation that the generator knows.
var graphQLOptions = strings.Fields("OrderField MultiOrder Unbind Mapping Type Skip RelayConnection Implements Directives QueryField MutationInputs")
