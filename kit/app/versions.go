package app

import (
	"cmp"
	"net/http"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/runtime/resource/convention"
	"github.com/entwine-go/entwine/kit/runtime/resource/failure"
)

// errors returns what writes errors in the form of the one version that a
// service has which says nothing of versions.
func (s *Service) errors() (func(w http.ResponseWriter, r *http.Request, err error), error) {
	name, number := cmp.Or(s.Schema.Name, s.Name), cmp.Or(s.Schema.Version, "1.0.0")
	v := convention.Version{Number: number, Set: convention.Sets()["main"]}
	versions, err := convention.New(convention.About{Name: name, Prefix: expose.Prefix, Entities: s.Entities}, v.Major(), v)
	if err != nil {
		return nil, err
	}
	return failure.New(name, versions).Write, nil
}
