package openapi

import (
	"fmt"

	"github.com/entwine-go/entwine/kit/codegen/model"
	"github.com/entwine-go/entwine/kit/codegen/signin"
)

// provided is an operation that the kit answers.
type provided struct{ path, method string }

// mergeAccounts adds the operations of accounts to the document of a schema that
// has the tables of these.
func (r *contract) mergeAccounts(m *model.Model) error {
	if !m.Accounts() {
		return nil
	}
	text := signin.REST(m.FirstRole())
	if err := r.merge(text); err != nil {
		return fmt.Errorf("the operations of accounts: %w", err)
	}
	operations, err := parseYAML(text)
	if err != nil {
		return err
	}
	eachOperation(operations.at("paths"), func(path, method string, _ *node) {
		r.provided = append(r.provided, provided{path, method})
	})
	r.describeMe(m)
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
