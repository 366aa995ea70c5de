package model_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"entgo.io/ent/entc/gen"

	"github.com/entwine-go/entwine/kit/codegen/codegentest"
	"github.com/entwine-go/entwine/kit/codegen/model"
)

func TestWhatAccountsLackIsTold(t *testing.T) {
	without := func(name string) func(*gen.Graph, *gen.Type) {
		return func(g *gen.Graph, _ *gen.Type) {
			g.Nodes = slices.DeleteFunc(g.Nodes, func(t *gen.Type) bool { return t.Name == name })
		}
	}
	for want, change := range map[string]func(g *gen.Graph, user *gen.Type){
		"": func(*gen.Graph, *gen.Type) {},
		"Credential: accounts need the entity Session: type Session struct{ tables.Session }":                                    without("Session"),
		"Credential: accounts need an entity User with the fields deleted_at, email, email_fold, is_active, name, role, version": without("User"),
		"Credential: accounts need the field is_active of User, of the type bool": func(_ *gen.Graph, user *gen.Type) {
			user.Fields = slices.DeleteFunc(user.Fields, func(f *gen.Field) bool { return f.Name == "is_active" })
		},
		"Credential: accounts need the field version of User to be of the type int64, not string": func(_ *gen.Graph, user *gen.Type) {
			name := user.Fields[slices.IndexFunc(user.Fields, func(f *gen.Field) bool { return f.Name == "name" })]
			version := user.Fields[slices.IndexFunc(user.Fields, func(f *gen.Field) bool { return f.Name == "version" })]
			version.Type = name.Type
		},
	} {
		g := codegentest.Model(t).Graph
		change(g, g.Nodes[slices.IndexFunc(g.Nodes, func(t *gen.Type) bool { return t.Name == "User" })])
		_, errs := model.Read(g)
		var told []string
		for _, err := range errs {
			if e := new(model.SchemaError); errors.As(err, &e) && strings.Contains(err.Error(), "accounts need") {
				told = append(told, err.Error())
			}
		}
		switch {
		case want == "" && len(told) > 0, want != "" && (len(told) != 1 || !strings.HasSuffix(told[0], want)):
			t.Errorf("told %q, want %q once", told, want)
		}
	}
}
