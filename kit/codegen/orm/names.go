package orm

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/entc/load"

	"github.com/entwine-go/entwine/kit/codegen/model"
)

// maxEntity keeps the names of tables, indexes and triggers below the 63 bytes
// that PostgreSQL reads, maxMember those of columns.
const maxEntity, maxMember = 40, 63

var (
	entityForm = regexp.MustCompile(`^[A-Z][A-Za-z0-9]*$`)
	memberForm = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
)

// taken are the names that generated code has for something else, by what that is.
var taken = map[string]string{
	"Query": "GraphQL's type of queries", "Mutation": "GraphQL's type of mutations", "Subscription": "GraphQL's type of subscriptions",
	"Node": "GraphQL's interface of objects with a global id", "PageInfo": "a type of GraphQL", "Connection": "a method of GraphQL's queries",
	"Cursor": "a scalar of GraphQL", "Time": "a scalar of GraphQL", "ID": "a scalar of GraphQL", "Boolean": "a scalar of GraphQL",
	"Entity": "a file of internal/entity", "Samples": "a file of internal/entity", "Rows": "a file of internal/rows", "Methods": "a file of internal/rows",
	"Digest": "the package ent/digest", "Manifest": "the package ent/manifest", "Orm": "the package ent/orm", "TypedID": "the package ent/typedid", "Typedid": "the package ent/typedid",
	"Hook": "the package ent/hook", "Predicate": "the package ent/predicate", "Privacy": "the package ent/privacy",
	"Runtime": "the package ent/runtime", "Migrate": "the package ent/migrate", "Problem": "a file of ent", "SoftDelete": "a file of ent",
}

// beside are the suffixes of generated types behind the name of an entity.
var beside = []string{
	"Client", "Connection", "Create", "CreateBulk", "Delete", "DeleteOne", "Edge", "Edges", "ID", "Mutation", "Order", "OrderField",
	"Query", "Update", "UpdateOne", "WhereInput",
}

// checkNames refuses the names that generated code, SQL or GraphQL can't have, and
// defaults of enums that are none of their values, which Ent refuses without a place.
func checkNames(schemas []*load.Schema) error {
	var errs []error
	for _, s := range schemas {
		wrong := func(member, format string, args ...any) {
			errs = append(errs, &model.SchemaError{Entity: s.Name, Member: member, Err: fmt.Errorf(format, args...)})
		}
		if !entityForm.MatchString(s.Name) || len(s.Name) > maxEntity {
			wrong("", "the name of an entity: a capital letter of ASCII and letters and digits after it are allowed, such as APIKey, %d of them at most", maxEntity)
		}
		if what, ok := taken[s.Name]; ok {
			wrong("", "the name is taken by %s: any other is allowed", what)
		}
		if of := generatedFor(s.Name, schemas); of != "" {
			wrong("", "the name is taken by what is generated for %s: any other is allowed", of)
		}
		var sql entsql.Annotation
		if _, err := model.Annotation(s.Annotations, &sql); err == nil && sql.Schema != "" {
			wrong("", "entsql.Schema(%q): all tables are in one schema, that of the connection: leave it out", sql.Schema)
		}
		for _, f := range s.Fields {
			if !member(f.Name) || len(f.StorageKey) > maxMember {
				wrong(f.Name, "the name of a field: %s are allowed, such as due_at, %d bytes at most", memberWords, maxMember)
			}
			if values, ok := offered(f); !ok {
				wrong(f.Name, "Default(%q): the values are %s", f.DefaultValue, values)
			}
		}
		for _, e := range model.Ends(s) {
			if !member(e.Name) {
				wrong(e.Name, "the name of an edge: %s are allowed, such as cart_items, %d bytes at most", memberWords, maxMember)
			}
		}
	}
	return errors.Join(errs...)
}

// Free reports whether an entity can be called so beside types with the other names.
func Free(name string, others []string) bool {
	for of := range taken {
		if strings.EqualFold(of, name) {
			return false
		}
	}
	for _, other := range others {
		if strings.EqualFold(other, name) {
			return false
		}
		for _, suffix := range beside {
			if name == other+suffix || other == name+suffix {
				return false
			}
		}
	}
	return len(name) <= maxEntity && entityForm.MatchString(name)
}

// offered reports whether the default of an enum is one of its values, and lists these.
func offered(f *load.Field) (values string, ok bool) {
	all := make([]string, len(f.Enums))
	for i, e := range f.Enums {
		all[i] = e.V
	}
	value, set := f.DefaultValue.(string)
	return strings.Join(all, ", "), len(all) == 0 || !set || slices.Contains(all, value)
}

const memberWords = "words of lower-case ASCII letters and digits, joined by one underscore each,"

func member(name string) bool { return memberForm.MatchString(name) && len(name) <= maxMember }

// generatedFor returns the entity for which a type with the name is generated,
// empty for none.
func generatedFor(name string, schemas []*load.Schema) string {
	for _, s := range schemas {
		rest, ok := strings.CutPrefix(name, s.Name)
		if ok && slices.Contains(beside, rest) || name == "Create"+s.Name+"Input" || name == "Update"+s.Name+"Input" {
			return s.Name
		}
	}
	return ""
}

// about is how Ent names the entity in an error of the graph.
var about = regexp.MustCompile(`(?:create type|schema|resolve|type) "?([A-Z]\w*)"?`)

// placed names the entity that Ent's error is about, so that its place can be reported.
func placed(err error, schemas []*load.Schema) error {
	if err == nil {
		return nil
	}
	found := about.FindStringSubmatch(err.Error())
	if found == nil || !slices.ContainsFunc(schemas, func(s *load.Schema) bool { return s.Name == found[1] }) {
		return err
	}
	text := strings.TrimPrefix(err.Error(), "entc/gen: ")
	return &model.SchemaError{Entity: found[1], Err: errors.New(strings.TrimPrefix(text, "create type "+found[1]+": "))}
}
