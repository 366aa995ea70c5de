package openapi

import (
	"fmt"

	documents "github.com/entwine-go/entwine/kit/codegen/builtin"
	"github.com/entwine-go/entwine/kit/codegen/model"
)

// mergeProvided adds the operations that the kit answers to the document of a
// schema that has the tables for them.
func (r *contract) mergeProvided(m *model.Model) error {
	for _, d := range documents.REST(m) {
		if err := r.merge(d.Text, byKit); err != nil {
			return fmt.Errorf("the operations of %s: %w", d.About, err)
		}
	}
	if m.Accounts() {
		r.describeMe(m)
	}
	if len(m.Searchable()) > 0 {
		r.describeSearch(m)
	}
	if len(m.Followed()) > 0 {
		r.describeChanges(m)
	}
	if len(m.Attended()) > 0 {
		r.describePresence(m)
	}
	if len(m.FileFields()) > 0 {
		r.describeFiles(m)
	}
	return nil
}

// describeMe has the operation that answers with the caller take what reads of
// users take, and shows an example of one.
func (r *contract) describeMe(m *model.Model) {
	me, components := r.document.at("paths", "/auth/me", "get"), r.document.at("components")
	var parameters []any
	for _, name := range []string{"UserFields", "UserExpand"} {
		if components.at("parameters", name) != nil {
			parameters = append(parameters, ref("parameters", name))
		}
	}
	if len(parameters) == 0 {
		me.drop("parameters")
	} else {
		me.set("parameters", parameters)
	}
	example := obj("status", "success", "data", entityExample(m.Users(), components.at("schemas")))
	me.at("responses", "200", "content", "application/json").set("example", example)
}
