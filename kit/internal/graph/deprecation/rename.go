package deprecation

import (
	"maps"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/entwine-go/entwine/kit/internal/graph/failure"
	"github.com/entwine-go/entwine/kit/problem"
)

// WithoutOld is the schema by the names of now alone, which is what documents are
// carried out by.
func WithoutOld(schema *ast.Schema, renamed map[string]string) *ast.Schema {
	if len(renamed) == 0 {
		return schema
	}
	now := *schema
	now.Types = maps.Clone(schema.Types)
	for coordinate := range renamed {
		of, name, ok := strings.Cut(coordinate, ".")
		if !ok || now.Types[of] == nil {
			continue
		}
		def := *now.Types[of]
		if field, argument, isArgument := strings.Cut(strings.TrimSuffix(name, ":)"), "("); isArgument {
			def.Fields = withoutArgument(def.Fields, field, argument)
			now.Types[def.Name] = &def
			continue
		}
		def.Fields = slices.DeleteFunc(slices.Clone(def.Fields), func(f *ast.FieldDefinition) bool { return f.Name == name })
		def.EnumValues = slices.DeleteFunc(slices.Clone(def.EnumValues), func(v *ast.EnumValueDefinition) bool { return v.Name == name })
		now.Types[of] = &def
	}
	for _, root := range []**ast.Definition{&now.Query, &now.Mutation, &now.Subscription} {
		if *root != nil {
			*root = now.Types[(*root).Name]
		}
	}
	return &now
}

// withoutArgument are the fields of a type, one of them without an argument.
func withoutArgument(fields ast.FieldList, name, argument string) ast.FieldList {
	fields = slices.Clone(fields)
	for i, f := range fields {
		if f.Name == name {
			field := *f
			field.Arguments = slices.DeleteFunc(slices.Clone(f.Arguments), func(a *ast.ArgumentDefinition) bool { return a.Name == argument })
			fields[i] = &field
		}
	}
	return fields
}

// rename puts the operation's document and its variables into the words of now.
// The document is shared by all requests that have it, so it is a copy that is
// renamed, and kept.
func (c *Checker) rename(op *graphql.OperationContext, found *uses) *gqlerror.Error {
	if found.renamed != nil {
		op.Doc = found.renamed
		op.Operation = found.renamed.Operations.ForName(op.OperationName)
	}
	both := found.both
	for _, v := range found.variables {
		value, ok := op.Variables[v.Variable]
		if !ok {
			continue
		}
		op.Variables = maps.Clone(op.Variables)
		op.Variables[v.Variable] = c.valueOfNow(v.Type, value, &both)
		if both.old != "" && both.at == nil {
			both.at = v.Position
		}
	}
	if both.old == "" {
		return nil
	}
	err := failure.Refusal(problem.NotValid, "%s: %s, which is deprecated, and %s are the same: one of them is allowed", both.in, both.old, both.now)
	err.Locations = []gqlerror.Location{{Line: both.at.Line, Column: both.at.Column}}
	return err
}

// twice is an input that names something by its old name and by its own, at the place of
// the old one or of the variable.
type twice struct {
	in, old, now string
	at           *ast.Position
}

// inWordsOfNow copies the document.
func (c *Checker) inWordsOfNow(doc *ast.QueryDocument, both *twice) *ast.QueryDocument {
	renamed := *doc
	renamed.Operations, renamed.Fragments = nil, nil
	fragments := map[string]*ast.FragmentDefinition{}
	for _, f := range doc.Fragments {
		fragment := *f
		fragments[f.Name] = &fragment
		renamed.Fragments = append(renamed.Fragments, &fragment)
	}
	for _, f := range renamed.Fragments {
		f.SelectionSet = c.selection(f.SelectionSet, fragments, both)
	}
	for _, o := range doc.Operations {
		operation := *o
		operation.SelectionSet = c.selection(o.SelectionSet, fragments, both)
		renamed.Operations = append(renamed.Operations, &operation)
	}
	return &renamed
}

func (c *Checker) selection(set ast.SelectionSet, fragments map[string]*ast.FragmentDefinition, both *twice) ast.SelectionSet {
	renamed := make(ast.SelectionSet, 0, len(set))
	for _, selection := range set {
		switch s := selection.(type) {
		case *ast.Field:
			renamed = append(renamed, c.field(s, fragments, both))
		case *ast.InlineFragment:
			inline := *s
			inline.SelectionSet = c.selection(s.SelectionSet, fragments, both)
			renamed = append(renamed, &inline)
		case *ast.FragmentSpread:
			spread := *s
			spread.Definition = fragments[s.Name]
			renamed = append(renamed, &spread)
		}
	}
	return renamed
}

// field is the field by its name of now: answers have the key that was asked for.
func (c *Checker) field(f *ast.Field, fragments map[string]*ast.FragmentDefinition, both *twice) *ast.Field {
	field := *f
	field.SelectionSet = c.selection(f.SelectionSet, fragments, both)
	if f.ObjectDefinition == nil || f.Definition == nil {
		return &field
	}
	if now := c.renamed[f.ObjectDefinition.Name+"."+f.Name]; now != "" {
		field.Name, field.Definition = now, f.ObjectDefinition.Fields.ForName(now)
	}
	field.Arguments = make(ast.ArgumentList, len(f.Arguments))
	for i, a := range f.Arguments {
		argument := *a
		if def := f.Definition.Arguments.ForName(a.Name); def != nil {
			argument.Value = c.literalOfNow(def.Type, a.Value, both)
		}
		if now := c.renamed[f.ObjectDefinition.Name+"."+field.Name+"("+a.Name+":)"]; now != "" {
			if f.Arguments.ForName(now) != nil {
				*both = twice{f.Name, a.Name, now, a.Position}
			}
			argument.Name = now
		}
		field.Arguments[i] = &argument
	}
	return &field
}

// literalOfNow is a value in a document.
func (c *Checker) literalOfNow(t *ast.Type, value *ast.Value, both *twice) *ast.Value {
	if value == nil || !c.holds[t.Name()] {
		return value
	}
	def, renamed := c.schema.Types[t.Name()], *value
	if now := c.renamed[def.Name+"."+value.Raw]; now != "" && value.Kind == ast.EnumValue {
		renamed.Raw = now
	}
	renamed.Children = make(ast.ChildValueList, len(value.Children))
	for i, child := range value.Children {
		of := t
		renamedChild := *child
		if value.Kind == ast.ObjectValue {
			if now := c.renamed[def.Name+"."+child.Name]; now != "" {
				if value.Children.ForName(now) != nil {
					*both = twice{def.Name, child.Name, now, child.Position}
				}
				renamedChild.Name = now
			}
			if f := def.Fields.ForName(renamedChild.Name); f != nil {
				of = f.Type
			}
		}
		renamedChild.Value = c.literalOfNow(of, child.Value, both)
		renamed.Children[i] = &renamedChild
	}
	return &renamed
}

// valueOfNow is the value of a variable.
func (c *Checker) valueOfNow(t *ast.Type, value any, both *twice) any {
	if !c.holds[t.Name()] {
		return value
	}
	def := c.schema.Types[t.Name()]
	switch v := value.(type) {
	case string:
		if now := c.renamed[def.Name+"."+v]; now != "" && def.Kind == ast.Enum {
			return now
		}
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = c.valueOfNow(t, item, both)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(v))
		for name, member := range v {
			if f := def.Fields.ForName(name); f != nil {
				member = c.valueOfNow(f.Type, member, both)
			}
			if now := c.renamed[def.Name+"."+name]; now != "" {
				if _, has := v[now]; has {
					*both = twice{def.Name, name, now, nil}
				}
				name = now
			}
			object[name] = member
		}
		return object
	}
	return value
}
