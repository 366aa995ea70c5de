package app

import (
	"github.com/entwine-go/entwine/kit/config"
	"github.com/entwine-go/entwine/kit/manifest"
	"github.com/entwine-go/entwine/kit/rest/builtin"
)

// manifest describes the service to callers with a role, in the names of a version of
// REST: the first where none is named, and all there is where no role is.
func (s *Service) manifest(version, role string) ([]byte, error) {
	if len(s.Manifest) == 0 {
		return nil, Usagef("the service has no manifest")
	}
	versions, err := s.offered(config.API{})
	if err != nil {
		return nil, err
	}
	served := versions.Default()
	if version != "" {
		if served, err = versions.Named(version); err != nil {
			return nil, err
		}
	}
	source := manifest.Source{Text: s.Manifest, Entities: s.Entities, Versions: versions.Names()}
	v, err := source.Caller(role)
	if err != nil {
		return nil, Usagef("%v", err)
	}
	return source.Encode(v, builtin.NamesOf(served))
}
