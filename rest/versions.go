package rest

import (
	"net/http"
	"strings"

	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/rest/apiversion"
	"github.com/entwine-go/entwine/kit/rest/failure"
	"github.com/entwine-go/entwine/rest/crud"
)

// Offered are the versions that a service offers that is told of no others, each
// with its set of conventions, and Standard is the one of requests that name none.
const (
	Offered  = "v1=main,v2=jsend"
	Standard = "v1"
)

// NewVersions returns the versions that the texts name, as the settings have
// them (doc/api/versions.md): "v1=main", "v2=jsend".
func NewVersions(offered []string, standard string) (*apiversion.Versions, error) {
	return apiversion.Parse(served, about.Version, offered, standard)
}

// served is what all versions have in common.
var served = apiversion.About{Name: about.Name, Prefix: expose.Prefix, Entities: entity.All, Also: crud.AlsoSent}

// ServeVersions returns the versions as this service serves them.
func ServeVersions(standard string, versions ...apiversion.Version) (*apiversion.Versions, error) {
	return apiversion.New(served, standard, versions...)
}

// standard are the versions of a service that is told of none.
func standard() *apiversion.Versions {
	versions, err := NewVersions(strings.Split(Offered, ","), Standard)
	if err != nil {
		panic(err) // both are constants
	}
	return versions
}

// ErrorWriter returns what writes errors as REST shows them, for what stands in
// front of REST: in the version that the request is for. Nil are the versions of
// [Offered].
func ErrorWriter(versions *apiversion.Versions) func(http.ResponseWriter, *http.Request, error) {
	if versions == nil {
		versions = standard()
	}
	return failure.New(about.Name, versions).Write
}
