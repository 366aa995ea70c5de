package apiversion

import (
	"maps"
	"regexp"
	"strings"

	"github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/gen/openapi"
	"github.com/entwine-go/entwine/kit/problem"
)

// learn finds out what names of the first version texts may have in them.
func (d *describer) learn(entities []*entity.Entity) {
	d.entities = make(map[string]*entity.Entity, len(entities))
	for _, e := range entities {
		d.entities[e.Name] = e
		of := make(map[string]*entity.Field)
		for _, f := range e.Fields {
			if f.REST != "" {
				of[f.REST] = f
			}
		}
		for _, c := range e.Calcs {
			of[c.REST] = c.Field
			for _, a := range c.Arguments {
				of[c.REST+"."+a.REST] = &entity.Field{REST: d.called(c.Field) + "." + d.called(a.Field)}
			}
		}
		d.fields[e.Name] = of
	}
	for _, kind := range problem.Kinds() {
		if code := kind.Answer().REST; code != "" && d.codes[code] == "" {
			d.codes[code] = d.Errors.Code(problem.New(kind, ""))
		}
	}
	maps.Copy(d.words, d.codes)
	d.learnNames(d.first)
	maps.Copy(d.words, d.pages())
}

// learnNames collects the names of members and parameters.
func (d *describer) learnNames(value any) {
	switch v := value.(type) {
	case *object:
		if v.text("in") != "" && v.text("in") != "header" {
			name, _, _ := strings.Cut(v.text("name"), "[")
			d.words[name] = d.Word(name)
		}
		if v.text(openapi.Named) != "" {
			for _, name := range v.list("enum") {
				entity, _, _ := strings.Cut(name.(string), ".")
				d.words[entity] = d.Word(entity)
			}
		}
		for _, m := range v.members {
			if properties, ok := m.value.(*object); ok && m.name == "properties" {
				for _, p := range properties.members {
					d.words[p.name] = d.Word(p.name)
				}
			}
			d.learnNames(m.value)
		}
	case list:
		for _, item := range v {
			d.learnNames(item)
		}
	}
}

// pages are the names of a page's figures by the first version's.
func (d *describer) pages() map[string]string {
	from, to := Main().Pages, d.Pages
	return map[string]string{
		from.TotalPages: to.TotalPages, from.HasNext: to.HasNext, from.HasPrev: to.HasPrev, from.HasMore: to.HasMore,
		from.NextCursor: to.NextCursor, from.HasNextPage: to.HasNextPage, from.AfterID: to.AfterID, from.TotalExact: to.TotalExact,
	}
}

// compound is a name of more than one word.
var compound = regexp.MustCompile(`[A-Za-z]+(?:_[A-Za-z]+)+`)

// text is a text in the version's words.
func (d *describer) text(text string) string {
	if strings.IndexByte(text, '_') >= 0 {
		text = compound.ReplaceAllStringFunc(text, func(name string) string {
			if to, ok := d.words[name]; ok {
				return to
			}
			return name
		})
	}
	return text
}

// told is a node that holds nothing but texts: in it descriptions are in the version's
// words, and marks are left out.
func (d *describer) told(value any) any {
	switch v := value.(type) {
	case *object:
		o := &object{members: make([]member, 0, len(v.members))}
		for _, m := range v.members {
			if text, ok := m.value.(string); ok {
				if m.name == "description" || m.name == "summary" {
					m.value = d.text(text)
				}
			} else {
				m.value = d.told(m.value)
			}
			if !marks(m.name) {
				o.members = append(o.members, m)
			}
		}
		return o
	case list:
		l := make(list, len(v))
		for i, item := range v {
			l[i] = d.told(item)
		}
		return l
	}
	return value
}

// info is the document's description of the version as a whole.
func (d *describer) info(first *object) *object {
	o := d.told(first).(*object)
	o.set("version", d.Number)
	text := o.text("description")
	if d.Mark == Flag {
		text = strings.ReplaceAll(text, "`status: \"success\"`", "`success: true`")
	}
	if d.Item == Named {
		text = strings.Replace(text, "and `data`, a listing", "and `data`, in which a row stands under its name (`post`), and rows under theirs (`posts`); a listing", 1)
	}
	if d.Count.Page != "" {
		text = strings.Replace(text, "`pagination` and `links` beside it", "`"+d.Count.Page+"` (of this page), `pagination` and `links` beside it", 1)
	}
	const envelope = "has `status: \"error\"` and `error`"
	switch d.Errors {
	case Flat:
		text = strings.Replace(text, envelope, "has `success: false`, `error`, `message` and `details`", 1)
	case ThreeStatus:
		text = strings.Replace(text, envelope, "has `status: \"fail\"`, or `\"error\"` where the service is to blame, `message`, `errors` by their fields, and `code`", 1)
	}
	if d.IDs == Global {
		text = strings.Replace(text, "Identifiers are 64-bit integers, texts or UUIDs", "Identifiers are 64-bit integers", 1)
		text = strings.Replace(text, "Identifiers are 64-bit integers", "Identifiers are opaque texts, the same as GraphQL's (a path takes the integers of other versions, too)", 1)
	}
	return o.set("description", text)
}
