package main_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
)

// decision is an edit of a ported file by which a person decides what was left.
type decision struct{ file, from, to string }

// schemas are a folder of them.
type schemas struct {
	folder  string
	as      []string
	left    []string
	decided []decision
	// dropped are patterns of lines that a person takes out of its files.
	dropped string
	// refused are the messages with which weave generate refuses the ported schemas.
	refused []string
}

// named are the arguments that give entities other names.
func (s schemas) named() (args []string) {
	for _, as := range s.as {
		args = append(args, "--as", as)
	}
	return args
}

// ported are schemas of Ent's examples and integration tests (testdata/port/ent): those that
// generate, each with the names that its entities get, and those that a person has to
// decide about, with some of what is left to decide, and how it is decided where they
// generate then.
var ported = []schemas{
	{folder: "start", as: []string{"User=Member"}},
	{folder: "edgeindex"},
	{folder: "o2o2types", as: []string{"User=Holder"}},
	{folder: "m2m2types", as: []string{"User=Fan", "Group=Club"}},
	{folder: "o2mrecur", as: []string{"Node=Knot"}},
	{folder: "cascadelete", as: []string{"User=Author"}},
	{folder: "traversal", as: []string{"User=Keeper", "Group=Band", "Pet=Animal"}},

	{folder: "privacytenant", left: []string{
		"schema/mixin.go:22: BaseMixin: Policy: policy.Rules say which rows the APIs show, and expose.Tenant keeps tenants apart", "schema/mixin.go:62: TenantMixin: Policy",
		"schema/group.go:45: Group: Policy", "schema/user.go:14: User: the kit's accounts are rows of User", "generate.go:7: --feature privacy,entql,schema/snapshot",
	}},
	{folder: "privacyadmin", left: []string{"schema/user.go:28: User: Policy"}},
	{folder: "encryptfield", left: []string{
		"entc.go:20: entc.Dependency", "entc.go:23: entc.FeatureNames", `schema/user.go:15: "entgo.io/ent/examples/encryptfield/ent" is generated from the schemas`, "schema/user.go:69: User: Interceptors",
	}},
	{folder: "entcpkg", left: []string{"entc.go:31: entc.Extensions: an extension of one's own can't run", "entc.go:123: entc.TemplateFiles: the templates go to schema/template/*.tmpl"}},
	{folder: "jsonencode", left: []string{"entc.go:20: entc.Extensions"}},
	{folder: "viewschema", left: []string{"schema/pet.go:29: PetUserName: ent.View: no client is generated for a view"}},
	{
		folder: "edgefield", as: []string{"User=Renter", "Car=Auto", "Card=Pass", "Node=Link", "Pet=Dog", "Post=Article"},
		left: []string{"generate.go:7: --feature namedges", "schema/info.go:29: Info.user: clients name the row once the edge has a Field"},
		decided: []decision{
			{"info.go", `field.JSON("content", json.RawMessage{}),`, `field.JSON("content", json.RawMessage{}), field.Int64("user_id").Optional().Nillable(),`},
			{"info.go", `StorageKey(edge.Column("id"))`, `Field("user_id")`},
			{"renter.go", ".\n\t\t\tStorageKey(edge.Column(\"id\"))", ""},
		},
	},
	{folder: "customid", left: []string{"schema/car.go:54: Car.owner: clients name the row once the edge has a Field", "schema/blob.go:47: Blob.links: Through", "schema/note.go:24: id: GoType"}},
	{folder: "edgeschema", left: []string{"entc.go:26: gen.Config.Features", "schema/group.go:29: Group.users: Through"}},
	{folder: "hooks", left: []string{"schema/card.go:13: \"entgo.io/ent/entc/integration/hooks/ent\" is generated", "schema/card.go:104: Card: Interceptors"}},
	{folder: "privacy", left: []string{"schema/base.go:", "Policy"}},
	{
		folder: "idtype", as: []string{"User=Person"}, left: []string{"schema/user.go:28: User.spouse: clients name the row once the edge has a Field"},
		decided: []decision{
			{"person.go", `field.String("name"),`, `field.String("name"), field.Int64("spouse_id").Optional().Nillable().StorageKey("user_spouse"),`},
			{"person.go", "edge.To(\"spouse\", Person.Type).\n\t\t\tUnique(),", `edge.To("spouse", Person.Type).Unique().Field("spouse_id"),`},
		},
	},
	{
		folder: "todo", as: []string{"User=Doer", "Group=Crew"},
		left:    []string{"schema/todo.go:97: Todo.children: clients name the row once the edge has a Field"},
		dropped: `(entgql\.(Type|MapsTo|QueryField|Implements)\(.*\)|entgql\.OrderField\("(\w+_COUNT|PARENT_STATUS|CATEGORY_TEXT|PRIORITY_ORDER)"\)),|"entgo.io/contrib/entgql/internal/.*"`,
		decided: []decision{
			{"billproduct.go", "field.Uint64(\"quantity\").Annotations(entgql.Type(\"Uint64\"))", `field.Int("quantity")`},
			{"billproduct.go", "\t\"entgo.io/contrib/entgql\"\n", ""},
			{"workspace.go", "\t\"entgo.io/contrib/entgql\"\n", ""},
			{"category.go", "field.Other(\"config\", &schematype.CategoryConfig{}).\n\t\t\tSchemaType(map[string]string{\n\t\t\t\tdialect.SQLite: \"json\",\n\t\t\t}).\n\t\t\tOptional().Nillable(),", ""},
			{"category.go", "\t\"entgo.io/ent/dialect\"\n", ""},
			{"category.go", "&schematype.CategoryTypes{}", `map[string]bool{}`},
			{"category.go", "field.Uint64", "field.Int"},
			{"category.go", ".\n\t\t\tDeprecated(\"use `string` instead\")", ""},
			{"crew.go", "\t\tentgql.Directives(\n\t\t\tannotation.HasPermissions([]string{\"ADMIN\", \"MODERATOR\"}),\n\t\t),\n", ""},
			{"doer.go", ".\n\t\t\tThrough(\"friendships\", Friendship.Type)", ""},
			{"project.go", "Operations: expose.CRUD()", "Operations: []expose.Operation{expose.List, expose.Read, expose.Delete}"},
			{"verysecret.go", "\t\texpose.Resource{Path: \"very-secrets\", Sort: \"id\", Operations: expose.CRUD()},\n", ""},
			{"todo.go", `StorageKey("todo_secret")`, `StorageKey("todo_secret").Annotations(expose.Computed())`},
			{"todo.go", "[]customstruct.Custom{}", "[]map[string]string{}"},
			{"todo.go", "[]*customstruct.Custom{}", "[]map[string]string{}"},
			{"todo.go", ".\n\t\t\tAnnotations(entgql.Type(\"Map\"))", ""},
			{"todo.go", "entgql.OrderField(\"CREATED_AT\"),\n\t\t\t\tentgql.Skip(", "entgql.OrderField(\"CREATED_AT\"),\n\t\t\t\tentgql.Skip(entgql.SkipMutationUpdateInput), entgql.Skip("},
			{"todo.go", "\t\t\tUnique(),\n\t\tedge.From(\"category\"", "\t\t\tUnique().Field(\"parent_id\"),\n\t\tedge.From(\"category\""},
			{"todo.go", `field.Int("value").`, `field.Int64("parent_id").Optional().Nillable(), field.Int("value").`},
		},
	},

	{folder: "m2mbidi", as: []string{"User=Buddy"}},
	{folder: "m2mrecur", as: []string{"User=Tweeter"}},
	{folder: "o2m2types", as: []string{"User=Breeder", "Pet=Puppy"}},
	{
		folder: "o2obidi", as: []string{"User=Mate"}, left: []string{"schema/user.go:29: User.spouse: clients name the row once the edge has a Field"},
		decided: []decision{
			{"mate.go", `field.String("name"),`, `field.String("name"), field.Int64("spouse_id").Optional().Nillable(),`},
			{"mate.go", "Unique(),", `Unique().Field("spouse_id"),`},
		},
	},
	{folder: "o2orecur", as: []string{"Node=Ring"}},
	{folder: "fs", as: []string{"File=Inode"}},
	{folder: "functionalidx", as: []string{"User=Indexed"}},
	{folder: "rls", as: []string{"User=Lodger"}},
	{folder: "triggers", as: []string{"User=Audited"}},
	{folder: "version", as: []string{"User=Versioner"}},
	{folder: "template", as: []string{"User=Templated", "Pet=Tpet", "Group=Tgroup"}},
	{
		folder: "json", as: []string{"User=Jsonic"}, left: []string{"generate.go:7: --feature sql/modifier"},
		decided: []decision{{"jsonic.go", `field.JSON("URLs"`, `field.JSON("urls"`}},
	},
	{
		folder: "config", as: []string{"User=Configured"}, left: []string{`schema/user.go:63: User: Annotations: expose.Resource{Path: "configureds"`},
		decided: []decision{{"configured.go", `Table:       "Users",`, `Table:       "configureds",`}},
	},
	{
		folder: "migration", as: []string{"User=Payer", "Card=Plastic", "Pet=Cat", "Session=Visit"}, left: []string{"generate.go:3: --feature sql/versioned-migration"},
		decided: []decision{
			{"payer.go", "(`first_name` <> '' AND `last_name` <> '')", "(first_name <> '' AND last_name <> '')"},
			{"payment.go", "(`amount` > 0)", "(amount > 0)"},
			{"plastic.go", "LENGTH(`number_hash`)", "LENGTH(number_hash)"},
			{"visit.go", "LENGTH(`token`)", "LENGTH(token)"},
			{"cat.go", "entsql.Default(uuid.Nil.String())", `entsql.DefaultExpr("'" + uuid.Nil.String() + "'")`},
		},
	},

	{folder: "viewcomposite", left: []string{"schema/pet.go:25: PetUserName: ent.View: no client is generated for a view", "schema/user.go:27: CleanUser: ent.View"}},
	{folder: "multischema", left: []string{"CleanUser: ent.View: no client is generated for a view", "--feature sql/modifier,sql/schemaconfig --template ./template"}},
	{folder: "entv1", left: []string{"schema/user.go:59: User.children: clients name the row once the edge has a Field", "schema/user.go:62: User.spouse"}},
	{folder: "compositetypes", as: []string{"User=Addressee"}, refused: []string{"addressee.go:28: Addressee.address: GoType: *schema.Address is no string", `addressee.go:28: Addressee.address: SchemaType: a type that the database has by itself, or no SchemaType, is allowed, not "address"`}},
	{folder: "domaintypes", as: []string{"User=Resident"}, refused: []string{`resident.go:30: Resident.postal_code: SchemaType: a type that the database has by itself, or no SchemaType, is allowed, not "us_postal_code"`}},
	{folder: "enumtypes", as: []string{"User=Taster"}, refused: []string{`taster.go:25: Taster.status: SchemaType: a type that the database has by itself, or no SchemaType, is allowed, not "status"`}},
	{folder: "extensions", as: []string{"User=Vectored"}, refused: []string{`vectored.go:29: Vectored.location: SchemaType: a type that the database has by itself, or no SchemaType, is allowed, not "GEOMETRY(Point, 4326)"`}},
}

func portedFrom(folder string) string {
	return filepath.Join("testdata/port/ent", folder, "ent/schema")
}

// Ent's own schemas are ported, or what a person has to decide is listed with its line.
func TestWhatIsLeftOfEntsOwnSchemasIsListed(t *testing.T) {
	t.Parallel()
	for _, c := range ported {
		if len(c.left) == 0 {
			continue
		}
		t.Run(c.folder, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			args := append([]string{"port", portedFrom(c.folder), "--root", root}, c.named()...)
			said, code := call(t, args...)
			if code != 0 {
				t.Fatal(said)
			}
			_, left, _ := strings.Cut(said, "left to decide:\n")
			for _, want := range c.left {
				if !strings.Contains(left, want) {
					t.Errorf("%s\nis not listed in\n%s", want, left)
				}
			}
			if said, code := call(t, args...); code == 0 || !strings.Contains(said, "is there already, and is not overwritten") {
				t.Errorf("files are overwritten: %s", said)
			}
		})
	}
}

// Schemas of Ent's examples are those of a project, whose own test
// (testdata/port/ported_test.go) uses them by the client, REST and GraphQL over both
// databases.
func TestEntsOwnSchemasArePorted(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("compiles the generator and a service")
	}
	storetest.NeedPostgres(t)
	p := newNotes(t)
	for _, c := range ported {
		if len(c.left) > 0 && len(c.decided) == 0 || len(c.refused) > 0 {
			continue
		}
		if said, code := call(t, append([]string{"port", portedFrom(c.folder), "--root", p.dir}, c.named()...)...); code != 0 {
			t.Fatal(said)
		}
		if c.dropped != "" {
			p.drop(c.dropped)
		}
		for _, d := range c.decided {
			p.edit(filepath.Join("schema", d.file), regexp.QuoteMeta(d.from), strings.ReplaceAll(d.to, "$", "$$"))
		}
		if err := os.Remove(filepath.Join(p.dir, "schema/ported.go")); err != nil { // the same of each
			t.Fatal(err)
		}
	}
	if said, code := call(t, "port", portedFrom("idtype"), "--root", p.dir); code == 0 || !strings.Contains(said, "schema/user.go is there already") {
		t.Errorf("the project's users are overwritten: %s", said)
	}
	if err := os.WriteFile(filepath.Join(p.dir, "schema/ported.go"), portedRules(t), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"ported_test.go", "examples_test.go", "todo_test.go"} {
		text, err := os.ReadFile(filepath.Join("testdata/port", name))
		if err == nil {
			err = os.WriteFile(filepath.Join(p.dir, "cmd/notes", name), text, 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	p.run("make", "generate", "migration", "NAME=initial")
	p.run("go", "test", "-run", "TestPorted", "./cmd/notes")
	p.refusesPorted()
}

// drop takes the lines out of the schemas that are what the pattern says.
func (p *ownProject) drop(pattern string) {
	p.Helper()
	lines := regexp.MustCompile(`(?m)^\t+(` + pattern + `)$\n`)
	files, err := filepath.Glob(filepath.Join(p.dir, "schema/*.go"))
	if err != nil {
		p.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err == nil {
			err = os.WriteFile(file, lines.ReplaceAll(text, nil), 0o600)
		}
		if err != nil {
			p.Fatal(err)
		}
	}
}

// refusesPorted has the project refuse what can't be had, all at once and with its line.
func (p *ownProject) refusesPorted() {
	p.Helper()
	if err := os.Remove(filepath.Join(p.dir, "schema/ported.go")); err != nil {
		p.Fatal(err)
	}
	var want []string
	for _, c := range ported {
		if len(c.refused) == 0 {
			continue
		}
		if said, code := call(p.T, append([]string{"port", portedFrom(c.folder), "--root", p.dir}, c.named()...)...); code != 0 {
			p.Fatal(said)
		}
		if err := os.Rename(filepath.Join(p.dir, "schema/ported.go"), filepath.Join(p.dir, "ported.go.txt")); err != nil {
			p.Fatal(err)
		}
		want = append(want, c.refused...)
	}
	if err := os.Rename(filepath.Join(p.dir, "ported.go.txt"), filepath.Join(p.dir, "schema/ported.go")); err != nil {
		p.Fatal(err)
	}
	said, code := call(p.T, "generate", "--root", p.dir)
	if code == 0 {
		p.Error("weave generate takes them all")
	}
	for _, one := range want {
		if !strings.Contains(said, one) {
			p.Errorf("%s\nis not said in\n%s", one, said)
		}
	}
}

// portedRules is the file that each port writes.
func portedRules(t *testing.T) []byte {
	t.Helper()
	root := t.TempDir()
	if said, code := call(t, "port", portedFrom("edgeindex"), "--root", root); code != 0 {
		t.Fatal(said)
	}
	text, err := os.ReadFile(filepath.Join(root, "schema/ported.go"))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// weave port keeps the text of a schema: each line is in the ported file, except those that
// it reports as edited.
func TestPortLeavesTheRestAlone(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	said, code := call(t, "port", portedFrom("edgefield"), "--root", root)
	if code != 0 {
		t.Fatal(said)
	}
	edited := map[string]bool{}
	for _, m := range regexp.MustCompile(`schema/(\w+\.go):(\d+):`).FindAllStringSubmatch(said, -1) {
		edited[m[1]+m[2]] = true
	}
	files, err := filepath.Glob(filepath.Join(portedFrom("edgefield"), "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(filepath.Join(root, "schema", filepath.Base(file)))
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(before), "\n") {
			if !edited[filepath.Base(file)+strconv.Itoa(i+1)] && !strings.Contains("\n"+string(after)+"\n", "\n"+line+"\n") {
				t.Errorf("%s:%d: %q is lost", file, i+1, line)
			}
		}
	}
}
