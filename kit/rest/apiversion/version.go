package apiversion

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/read"
	"github.com/entwine-go/entwine/kit/rest/negotiate"
	"github.com/entwine-go/entwine/kit/write"
)

// Version is a version of the API.
type Version struct {
	// Number is the version's in full: "2.0.0". Its paths begin with the major one.
	Number string
	Set
	Changes []Change
}

// Major is the number that paths have: "2".
func (v *Version) Major() string {
	major, _, _ := strings.Cut(v.Number, ".")
	return major
}

// Served is a version that is served. Use [New].
type Served struct {
	Version
	// Base is where its paths begin: "/api/v2".
	Base string
	// Header is its number, as a header has it.
	Header []string
	// Vendor are the API's own names for its JSON in this version.
	Vendor []string
	// Names are the names in answers, and Inputs those in bodies of requests.
	Names  *read.Names
	Inputs *write.API
	// Plain is set where bodies stay unchanged: in the names of the first version, and
	// in its envelopes. Nothing has to be translated.
	Plain bool
	// Deleted is the body after a deletion, nil where that has none.
	Deleted func(message string) []byte

	nouns   map[*entity.Entity]noun
	paths   map[string]string   // to the GraphQL types of entities
	rows    map[string]gid.Rows // of those whose ids are no numbers, by their GraphQL types
	changes changes
}

// noun has the names of one row and of many.
type noun struct{ one, many string }

// About has the facts of the service that versions need.
type About struct {
	// Name is the API's, and Prefix where all paths begin: "/api".
	Name, Prefix string
	Entities     []*entity.Entity
	// Also are second names of fields in bodies.
	Also map[*entity.Field]string
}

func serve(v Version, about About) (*Served, error) {
	changed, err := find(v.Changes, about.Entities)
	if err != nil {
		return nil, fmt.Errorf("version %s: %w", v.Number, err)
	}
	s := &Served{
		Version: v, Base: about.Prefix + "/v" + v.Major(), Header: []string{v.Number}, Vendor: negotiate.Vendor(about.Name, v.Number),
		nouns: map[*entity.Entity]noun{}, paths: map[string]string{}, rows: map[string]gid.Rows{}, changes: changed,
	}
	for _, e := range about.Entities {
		s.nouns[e], s.paths[e.Path] = s.noun(e), e.Name
		if rows := e.IDs(); rows.Form != gid.Numbers {
			s.rows[e.Name] = rows
		}
	}
	s.Inputs = s.inputs(changed, about.Also)
	named := v.Names == Snake && v.IDs == Integers
	s.Plain = named && v.Mark == Status && v.Item == Bare && v.List == Bare && v.Count.Page == ""
	if !named || len(changed) > 0 || s.Base != expose.LinkBase {
		s.Names = s.names(changed)
	}
	if v.Deletion == Told {
		s.Deleted = s.told
	}
	return s, nil
}

// Rows are those of the entity with the GraphQL type.
func (s *Served) Rows(of string) gid.Rows {
	if rows, known := s.rows[of]; known {
		return rows
	}
	return gid.Rows{Type: of}
}

func (s *Served) noun(e *entity.Entity) noun {
	many := strings.NewReplacer("/", "_", "-", "_").Replace(e.Path)
	return noun{s.Word(e.Singular), s.Word(many)}
}

// Word is a word of the API's own, or a path of such words, in the version's names.
func (s *Served) Word(name string) string { return s.Set.Names.Word(name) }

// names are those of what is read.
func (s *Served) names(changed changes) *read.Names {
	n := &read.Names{
		Field: s.field(changed), Edge: s.Set.Names.Edge, Member: s.Set.Names.Member, Word: s.Word,
		Global: s.IDs == Global, Base: s.Base,
		Text: func(of string, f *entity.Field, text string) (string, error) {
			return s.text(changed, of, f, text)
		},
	}
	if len(changed) > 0 {
		n.Renamed = changed.renamed
	}
	n.Shown = func(f *entity.Field) read.Turn {
		if f.Href && s.Base != expose.LinkBase {
			return s.link
		}
		return changed.shown(f)
	}
	return n
}

func (s *Served) field(changed changes) func(*entity.Field) string {
	return func(f *entity.Field) string {
		if name := changed.name(f); name != "" {
			return s.Word(name)
		}
		return s.Set.Names.Field(f)
	}
}

// text is the text of a value in a parameter as the first version has it.
func (s *Served) text(changed changes, of string, f *entity.Field, text string) (string, error) {
	if f.Kind.IsID() || f.Kind.IsRef() {
		return s.plain(gid.Rows{Type: of, Form: f.Kind.IDs()}, text)
	}
	if changed[f] == nil {
		return text, nil
	}
	var value any = text
	if json.Valid([]byte(text)) && strings.Trim(text, "+-.0123456789eE") == "" {
		value = json.Number(text)
	}
	taken, err := changed.take(f, value)
	return fmt.Sprint(taken), err
}

// plain is an id in a parameter as the database has it.
func (s *Served) plain(of gid.Rows, text string) (string, error) {
	if of.Form != gid.Numbers {
		if s.IDs != Global {
			return text, nil
		}
		id, err := of.Parse(text)
		if err != nil {
			return "", fmt.Errorf("must be the id of %s", gid.An(of.Type))
		}
		return id.String(), nil
	}
	plain := s.IDs.Plain(of.Type, text)
	if s.IDs == Global && plain == text && strings.Trim(text, "0123456789") != "" {
		return "", fmt.Errorf("must be the id of %s", gid.An(of.Type))
	}
	return plain, nil
}

// inputs are the names of what is written, and of what is wrong with it. Bodies
// may have the schema's names in every version.
func (s *Served) inputs(changed changes, also map[*entity.Field]string) *write.API {
	name := s.field(changed)
	in := &write.API{
		Field: name, Key: func(f *write.Field) string { return s.Word(f.Key) },
		Find: func(fields []*write.Field, member string) (*write.Field, bool) {
			for _, f := range fields {
				switch {
				case member == "":
				case member == name(f.Field), member == also[f.Field], member == f.REST && !changed.renamed(f.Field):
					return f, false
				case member == f.Key, member == s.Word(f.Key):
					return f, true
				}
			}
			for _, f := range fields {
				if f.Old.Sent(s.Word, member) {
					return f, false
				}
			}
			return nil, false
		},
		Word: s.Word, ParseID: s.IDs.Parse, ShowID: s.IDs.Show,
	}
	if len(changed) > 0 {
		in.Take, in.Default = changed.take, changed.initial
	}
	return in
}
