package apiversion

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Parse returns the versions that the texts name, as the settings have them
// (doc/api/versions.md): "v1=main", "v2=jsend". Number is that of the version
// with its major one, in full: "1.4.0". Requests that name none are for standard: where
// it is empty, for version 1 if that is offered, else for the first.
func Parse(about About, number string, offered []string, standard string) (*Versions, error) {
	var versions []Version
	for _, text := range offered {
		v, err := parse(number, text)
		if err != nil {
			return nil, err
		}
		versions = append(versions, v)
	}
	if standard == "" && len(versions) > 0 {
		standard = versions[0].Major()
		if slices.ContainsFunc(versions, func(v Version) bool { return v.Major() == "1" }) {
			standard = "1"
		}
	}
	return New(about, strings.TrimPrefix(standard, "v"), versions...)
}

func parse(number, text string) (Version, error) {
	name, set, _ := strings.Cut(text, "=")
	sets := Sets()
	conventions, ok := sets[set]
	major := strings.TrimPrefix(name, "v")
	switch {
	case !ok:
		return Version{}, fmt.Errorf("%s: there are the conventions %s", text, strings.Join(slices.Sorted(maps.Keys(sets)), ", "))
	case major == name || major == "" || strings.Trim(major, "0123456789") != "" || major[0] == '0':
		return Version{}, fmt.Errorf("%s: a version is called v and a number", text)
	}
	if first, _, _ := strings.Cut(number, "."); first != major {
		number = major + ".0.0"
	}
	return Version{Number: number, Set: conventions}, nil
}
