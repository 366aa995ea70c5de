package rest

import (
	"strings"

	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/rest/handler"
)

// plainChoices gives names that are values of parameters those of the first version, which
// the document and the handlers have. Those are taken in every version.
func (a *api) plainChoices(x *handler.Exchange, operation string) {
	for parameter, names := range a.Choices[operation] {
		values := x.Request.URL.Query()
		for _, name := range names {
			if word := x.Version.Word(name); word != name && values.Get(parameter) == word {
				values.Set(parameter, name)
				x.SetQuery(values)
				break
			}
		}
	}
}

// toldChoices has an error list such names as the version has them.
func (a *api) toldChoices(x *handler.Exchange, err error) error {
	return problem.Retold(err, func(d problem.Detail) problem.Detail {
		for _, name := range a.Choices[x.Operation][d.Field] {
			d.Message = strings.ReplaceAll(d.Message, name, x.Version.Word(name))
		}
		return d
	})
}
