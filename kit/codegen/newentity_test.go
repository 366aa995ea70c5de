package codegen_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/pgserver"
)

// supplierSchema is an entity with fields of every kind, an enum, an edge to
// one and an edge to many, and a field that only admins see. Nothing else in
// the tree knows of it.
const supplierSchema = `package schema

import (
	"encoding/json"

	"github.com/google/uuid"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/edge"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"

	"github.com/entwine-go/entwine/kit/date"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/viewer"
)

// Place is where a supplier is.
type Place struct {
	City string ` + "`json:\"city\"`" + `
	Desks int ` + "`json:\"desks,omitempty\"`" + `
}

// Contract is signed by a supplier: there is one for each.
type Contract struct{ ent.Schema }

// Fields of the Contract.
func (Contract) Fields() []ent.Field {
	return []ent.Field{
		expose.Length(field.String("title"), 1, 50).
			Comment("The title."),
		field.UUID("number", uuid.UUID{}).
			Comment("The number."),
		field.Int("years").Default(1).
			Comment("How long it holds."),
		field.Int64("supplier_id").Unique().Immutable().
			Comment("Who signed it."),
	}
}

// Mixin of the Contract.
func (Contract) Mixin() []ent.Mixin { return []ent.Mixin{Base{}, Listed{}, Versioned{}} }

// Edges of the Contract.
func (Contract) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("supplier", Supplier.Type).Ref("contract").Field("supplier_id").Unique().Required().Immutable().
			Comment("Who signed it."),
	}
}

// Policy of the Contract.
func (Contract) Policy() ent.Policy {
	return policy.Rules{
		Read:  known,
		Verbs: policy.Verbs{policy.Create: known, policy.Update: known},
	}
}

// Annotations of the Contract.
func (Contract) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("What a supplier has signed."),
		expose.Resource{Path: "contract", Under: "supplier", Operations: []expose.Operation{expose.Read, expose.Replace, expose.Patch}},
	}
}

// Badge is an award of suppliers.
type Badge struct{ ent.Schema }

// Fields of the Badge.
func (Badge) Fields() []ent.Field {
	return []ent.Field{
		expose.Length(field.String("name"), 1, 30).
			Comment("The name.").
			Annotations(expose.By(expose.Filter, expose.Sort)),
		field.Bool("secret").Default(false).
			Comment("Whether only admins see it."),
	}
}

// Mixin of the Badge.
func (Badge) Mixin() []ent.Mixin { return []ent.Mixin{Base{}, Listed{}} }

// Edges of the Badge.
func (Badge) Edges() []ent.Edge {
	return []ent.Edge{
		edge.From("suppliers", Supplier.Type).Ref("badges").
			Comment("Who was awarded it."),
	}
}

// Policy of the Badge.
func (Badge) Policy() ent.Policy {
	return policy.Rules{
		Read:  policy.Any(policy.All(known, policy.Is("secret", false)), admin),
		Verbs: policy.Verbs{policy.Create: admin, policy.Delete: admin},
	}
}

// Annotations of the Badge.
func (Badge) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("What suppliers are awarded."),
		expose.Resource{
			Path: "badges", Operations: []expose.Operation{expose.List, expose.Read, expose.Create, expose.Delete},
			Deprecated: map[expose.Operation]expose.Ending{expose.Read: expose.Deprecated("2020-01-01", "2021-01-01", "list them")},
		},
	}
}

// Supplier delivers products.
type Supplier struct{ ent.Schema }

// Fields of the Supplier.
func (Supplier) Fields() []ent.Field {
	return []ent.Field{
		expose.Length(field.String("name"), 2, 60).
			Comment("The name.").
			Annotations(expose.By(expose.Filter, expose.Sort, expose.Search)),
		field.Text("terms").Default("").
			Comment("The terms of delivery.").
			Annotations(expose.By(expose.Search)),
		field.Enum("grade").Values("gold", "silver", "bronze").Default("bronze").
			Comment("How good they are.").
			Annotations(expose.By(expose.Filter, expose.Sort)),
		field.Bool("certified").Default(false).
			Comment("Whether they are certified.").
			Annotations(expose.By(expose.Filter)),
		expose.Range(field.Int("employees"), 1, 1_000_000).Optional().Nillable().
			Comment("How many work there.").
			Annotations(expose.By(expose.Filter, expose.Sort)),
		field.Float("score").Optional().Nillable().
			Comment("What buyers think of them.").
			Annotations(expose.By(expose.Filter, expose.Sort)),
		field.Time("founded_at").Optional().Nillable().
			Comment("When they were founded.").
			Annotations(expose.By(expose.Filter, expose.Sort)),
		field.Time("closed_at").Optional().Nillable().
			Comment("When they closed."),
		expose.AtLeast(field.Int64("minimum_order"), 0).Default(0).
			Comment("The smallest order they take.").
			Annotations(expose.Money("currency")),
		expose.Currency(field.String("currency")).Default("USD").
			Comment("The currency they are paid in."),
		expose.Items(field.Strings("labels"), 10, 30).Default([]string{}).
			Comment("Words to find them by.").
			Annotations(expose.By(expose.Filter)),
		expose.AtLeast(field.Float("margin"), 0).Optional().Nillable().
			Comment("What is earned with them. Only admins see it.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.VisibleTo(viewer.Admin), expose.WritableBy(viewer.Admin)),
		field.Int64("manager_id").Immutable().
			Comment("The user who looks after them.").
			Annotations(expose.By(expose.Filter), expose.Caller(viewer.Admin)),
		field.Time("due_on").GoType(date.Date{}).SchemaType(date.Column).Optional().Nillable().
			Comment("The day on which they deliver next.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective()),
		field.UUID("reference", uuid.UUID{}).Optional().Nillable().
			Comment("What they call us.").
			Annotations(expose.By(expose.Filter, expose.Sort)),
		field.JSON("attributes", map[string]any{}).Optional().
			Comment("What else is known of them.").
			Annotations(expose.Size(200)),
		field.JSON("branches_of", []Place{}).Default([]Place{}).
			Comment("Where they are."),
		field.JSON("document", json.RawMessage{}).Optional().
			Comment("What they sent. Only admins set it.").
			Annotations(expose.WritableBy(viewer.Admin)),
		field.Bytes("logo").Optional().Nillable().
			Comment("What they look like.").
			Annotations(expose.Size(8)),
		field.Int64("parent_id").Optional().Nillable().
			Comment("The supplier they belong to, null for none.").
			Annotations(expose.By(expose.Filter)),
		field.Float("lat").Optional().Nillable().
			Comment("The latitude."),
		field.Float("lng").Optional().Nillable().
			Comment("The longitude."),
		field.String("nickname").Optional().Nillable().
			Comment("What they were called.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Scanned(), expose.Deprecated("2020-01-01", "", "use name")),
		field.String("fax").Optional().Nillable().
			Comment("Their fax number.").
			Annotations(expose.By(expose.Filter), expose.Scanned(), expose.Deprecated("2020-01-01", "2021-01-01", "send mail")),
	}
}

// Mixin of the Supplier.
func (Supplier) Mixin() []ent.Mixin {
	return []ent.Mixin{Base{}, Listed{}, Versioned{}, SoftDelete{}}
}

// Edges of the Supplier.
func (Supplier) Edges() []ent.Edge {
	return []ent.Edge{
		edge.To("manager", User.Type).Field("manager_id").Unique().Required().Immutable().
			Comment("The user who looks after them.").
			Annotations(entsql.OnDelete(entsql.Cascade), expose.Through()),
		edge.To("contract", Contract.Type).Unique().
			Comment("What they signed.").
			Annotations(entsql.OnDelete(entsql.Cascade)),
		edge.To("branches", Supplier.Type).
			Comment("The suppliers that belong to them.").
			Annotations(entsql.OnDelete(entsql.SetNull), expose.Nested(expose.List), expose.Tree(4)),
		edge.To("badges", Badge.Type).
			Comment("What they were awarded.").
			Annotations(expose.Attached(), policy.Attach(policy.Anyone()), expose.FilterEdge(), expose.Nested(expose.List, expose.Read)),
		edge.From("parent", Supplier.Type).Ref("branches").Field("parent_id").Unique().
			Comment("The supplier they belong to.").
			Annotations(expose.FilterEdge()),
	}
}

// Indexes of the Supplier.
func (Supplier) Indexes() []ent.Index {
	return []ent.Index{
		index.Fields("manager_id"),
		index.Fields("parent_id", "created_at", "id"),
	}
}

// Policy of the Supplier.
func (Supplier) Policy() ent.Policy {
	return policy.Rules{
		SoftDelete: true,
		Read:       known,
		Verbs: policy.Verbs{
			policy.Create:      policy.Any(policy.Owner("manager_id"), admin),
			policy.Update:      policy.Any(policy.Owner("manager_id"), admin),
			policy.Delete:      policy.Any(policy.Owner("manager_id"), admin),
			policy.Remove:      admin,
			policy.Restore:     admin,
			policy.ReadDeleted: admin,
		},
	}
}

// Annotations of the Supplier.
func (Supplier) Annotations() []schema.Annotation {
	return []schema.Annotation{
		schema.Comment("Who delivers products."),
		expose.Resource{Path: "suppliers", Operations: expose.CRUD(), Search: []string{"name", "terms"}, Deprecated: map[expose.Operation]expose.Ending{
			expose.Delete: expose.Deprecated("2020-01-01", "", "give them a grade"),
		}, Checks: []expose.Check{
			{Name: "dates", Rule: policy.Any(policy.Null("founded_at"), policy.Null("closed_at"), policy.Less("founded_at", "closed_at")),
				Fields: []string{"founded_at", "closed_at"}, Says: "must leave the founding before the closing"},
		}, Calcs: supplierCalcs, Queries: []expose.Query{
			{Name: "suppliers", Pages: true, By: "manager_id", Comment: "The suppliers, a page at a time."},
			{Name: "findSuppliers", Search: "text", Comment: "The suppliers that have the text somewhere."},
		}, Events: []expose.Topic{
			{Name: "supplier.made", On: "insert", Feeds: &expose.Subscription{Name: "newSupplier", Comment: "A supplier is there."}},
			{Name: "supplier.graded", On: "update", When: "NEW.grade <> OLD.grade", Feeds: &expose.Subscription{
				Name: "supplierGraded", Comment: "A supplier is graded.", Argument: "id", Present: true, Final: expose.At("grade", "gold"),
			}},
			{Name: "supplier.branched", On: "insert", When: "NEW.parent_id IS NOT NULL", Key: "parent_id", Feeds: &expose.Subscription{
				Name: "newBranch", Comment: "A supplier has one more branch.", Argument: "supplierId", Gone: "supplier.removed",
			}},
			{Name: "supplier.removed", On: "delete"},
		}},
	}
}
`

// A new entity costs one file, and so does a new action, where it does no more
// than set columns; one that does more costs a method, which the compiler asks
// for. They are written into a copy of the tree, everything is generated, both
// databases are migrated, and both APIs of the running program serve them. With
// -trimpath the build cache does not tell the copy from the tree, so that only
// what follows from them is compiled.
func TestNewEntitiesAndActionsCostOneFile(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the whole program anew")
	}
	root := copyTree(t)
	if err := os.WriteFile(filepath.Join(root, "schema/supplier.go"), []byte(withForms(withSecrets(supplierSchema))), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "schema/supplier_calcs.go"), []byte(supplierCalcs), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "schema/desk.go"), []byte(deskSchema), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(root, "schema/supplier_forms.go"), []byte(supplierForms), 0o644); err != nil {
		t.Fatal(err)
	}
	declareActions(t, root)
	shell(t, root, nil, "go", "run", "-trimpath", "-ldflags=-s -w", "./cmd/weave", "generate")
	writeMethod(t, root)
	shell(t, root, nil, "go", "run", "-trimpath", "-ldflags=-s -w", "./cmd/weave", "migrate", "diff", "add_supplier")
	for _, dialect := range []string{"postgres", "sqlite"} {
		if files, _ := filepath.Glob(filepath.Join(root, "migrate", dialect, "*_add_supplier.sql")); len(files) != 1 {
			t.Fatalf("%s: migrations %v, want one", dialect, files)
		}
	}
	binary := filepath.Join(root, "entwine")
	shell(t, root, nil, "go", "build", "-trimpath", "-ldflags=-s -w", "-o", binary, "./cmd/entwine")
	for name, drive := range map[string]func(t *testing.T, binary, database string){"an entity": driveSupplier, "actions": driveActions, "a tree": driveTree, "computed values": driveCalcs, "dates": driveDates, "edges within a parent": driveWithin, "forms of their own": driveForms} {
		t.Run(name+" on SQLite", func(t *testing.T) {
			drive(t, binary, "sqlite://"+filepath.Join(t.TempDir(), "entwine.db"))
		})
		t.Run(name+" on PostgreSQL", func(t *testing.T) {
			server, err := pgserver.Shared(t.Context())
			if err != nil {
				t.Skipf("NOT TESTED on PostgreSQL: %v", err)
			}
			url, drop, err := pgserver.Scratch(t.Context(), server)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = drop() })
			drive(t, binary, url)
		})
	}
	t.Run("the matrix of permissions", func(t *testing.T) { judgeActions(t, root) })
}

// copyTree copies what git knows and does not ignore.
func copyTree(t *testing.T) string {
	t.Helper()
	out, err := exec.Command("git", "-C", "../..", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		t.Skipf("NOT TESTED: the tree is no git checkout: %v", err)
	}
	root := t.TempDir()
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		content, err := os.ReadFile(filepath.Join("../..", name))
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		target := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(target), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func shell(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var log bytes.Buffer
	cmd.Stderr = &log
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, log.String())
	}
	return strings.TrimSpace(string(out))
}
