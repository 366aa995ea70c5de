package apiversion

import (
	"encoding/json"
	"strings"

	"github.com/go-faster/jx"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gen/openapi"
)

// Published is the OpenAPI document of the first version, from which those of all
// others are derived, with that version's number in full, and what it does not say
// of itself ([openapi.Marks]).
type Published struct {
	Number          string
	Document, Marks []byte
	// Notice says of the version that is described that it ends, what to use in its
	// place, and where to read about it. Empty: it does not.
	Notice string
}

// read reads the document, with its marks in it.
func (p Published) read() *object {
	var marks openapi.Marks
	if err := json.Unmarshal(p.Marks, &marks); err != nil && len(p.Marks) > 0 {
		panic(err) // they are generated
	}
	return mustRead(p.Document).(*object).marked(marks)
}

// Document is the OpenAPI document of the version: the published one, with the
// names, ids and envelopes of the version in the place of its own. It is made
// anew with each call, except for the version that the published one is of.
func (vs *Versions) Document(s *Served, p Published) []byte {
	standard := s == vs.first
	if s.Plain && s.Names == nil && standard && s.Number == p.Number && p.Notice == "" {
		return p.Document
	}
	first := p.read()
	d := &describer{
		Served: s, first: first, base: strings.TrimSuffix(baseOf(first), "/"), fields: map[string]map[string]*entity.Field{},
		nouns: map[string]string{}, loose: map[string]bool{}, codes: map[string]string{}, words: map[string]string{},
	}
	d.learn(vs.entities)
	document := d.document()
	document.set("servers", d.servers(standard))
	if p.Notice != "" {
		document.deprecate(p.Notice)
	}
	e := &jx.Encoder{}
	e.SetIdent(2)
	writeJSON(e, document)
	return append(e.Bytes(), '\n')
}

// deprecate says of the whole document that its version ends: where it is described,
// for people, and of each operation, for tools.
func (o *object) deprecate(notice string) {
	info := o.at("info")
	info.set("description", notice+".\n\n"+info.text("description"))
	for _, path := range o.at("paths").members {
		for _, m := range path.value.(*object).members {
			if op, ok := m.value.(*object); ok && op.text("operationId") != "" && op.get("servers") == nil {
				op.set("deprecated", jx.Raw("true"))
			}
		}
	}
}

// describer derives a document from the first version's.
type describer struct {
	*Served
	first *object
	base  string // where the first version's paths begin

	entities map[string]*entity.Entity           // by GraphQL type
	fields   map[string]map[string]*entity.Field // of an entity, by the first version's names
	words    map[string]string                   // names and codes in texts
	codes    map[string]string                   // codes of errors

	// Of components: what rows in them are called that are no entity's, and which
	// of them need not have the row.
	nouns map[string]string
	loose map[string]bool
}

// baseOf is where the paths of the document's version begin.
func baseOf(document *object) string {
	servers := document.list("servers")
	if len(servers) == 0 {
		return ""
	}
	server, _ := servers[0].(*object)
	return server.text("url")
}

func (d *describer) servers(standard bool) list {
	servers := list{obj("url", d.Base, "description", "Version "+d.Major()+".")}
	if standard {
		prefix := d.Base[:strings.LastIndexByte(d.Base, '/')]
		servers = append(servers, obj("url", prefix, "description", "The same: without a version it is version "+d.Major()+"."))
	}
	return servers
}

// document is the whole of it. Paths come first: they say which components are
// answers of what.
func (d *describer) document() *object {
	document := &object{}
	paths := d.paths()
	for _, m := range d.first.members {
		switch m.name {
		case "info":
			document.set(m.name, d.info(m.value.(*object)))
		case "paths":
			document.set(m.name, paths)
		case "components":
			document.set(m.name, d.components(m.value.(*object)))
		default:
			document.set(m.name, d.told(m.value))
		}
	}
	return document
}

func (d *describer) components(first *object) *object {
	components := &object{}
	for _, kind := range first.members {
		derive := map[string]func(string, *object) *object{
			"schemas":    d.component,
			"parameters": func(_ string, o *object) *object { return d.parameter(o) },
			"headers":    func(name string, o *object) *object { return d.header(name, o) },
			"responses":  func(_ string, o *object) *object { return d.response(nil, o) },
		}[kind.name]
		if derive == nil {
			components.set(kind.name, d.told(kind.value))
			continue
		}
		all := &object{}
		for _, m := range kind.value.(*object).members {
			all.members = append(all.members, member{m.name, derive(m.name, m.value.(*object))})
		}
		components.set(kind.name, all)
	}
	return components
}

// resolved follows references of the first version's document.
func (d *describer) resolved(o *object) *object {
	for o.text("$ref") != "" {
		o = d.first.point(strings.TrimPrefix(o.text("$ref"), "#"))
	}
	return o
}

// marks reports whether the extension is one of those that are not published.
func marks(extension string) bool {
	return extension == openapi.Entity || extension == openapi.Noun || extension == openapi.Named
}
