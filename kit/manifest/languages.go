package manifest

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Catalog has labels, titles and descriptions in another language, by what they are in the
// schema. A key such as "Order: Status" is for one entity, and comes before "Status".
type Catalog map[string]string

// word is that of an entity for a text of the schema, if there is one.
func (c Catalog) word(entity, text string) (word string, is bool) {
	if word, is = c[entity+": "+text]; !is {
		word, is = c[text]
	}
	return word, is
}

// own is the language that the words of schemas count as, where no catalog has its name.
const own = "en"

// words calls visit with each label, title and description, and the entity that has it.
func (m *Manifest) words(visit func(entity string, text *string)) {
	for _, e := range m.Entities {
		wording{e.Name, visit}.ofEntity(e)
	}
}

// wording visits what an entity says.
type wording struct {
	entity string
	visit  func(entity string, text *string)
}

func (w wording) see(texts ...*string) {
	for _, text := range texts {
		if *text != "" {
			w.visit(w.entity, text)
		}
	}
}

func (w wording) ofFields(all []*Field) {
	for _, f := range all {
		w.see(&f.Label, &f.Description)
		for i := range f.Values {
			w.see(&f.Values[i].Label, &f.Values[i].Description)
		}
		w.ofFields(f.Members)
	}
}

func (w wording) ofEntity(e *Entity) {
	w.see(&e.Label, &e.Labels, &e.Description)
	w.ofFields(e.Fields)
	if e.Presence != nil {
		w.ofFields(e.Presence.State)
	}
	for _, g := range e.Edges {
		w.see(&g.Label, &g.Description)
	}
	for _, c := range e.Computed {
		w.see(&c.Description)
		w.ofFields(c.Input)
	}
	for _, c := range e.Verbs {
		w.ofFields(c.Input)
	}
	for _, a := range e.Actions {
		w.see(&a.Label, &a.Description, &a.Detail)
		w.ofFields(a.Input)
		w.ofFields(a.Answer)
		for _, c := range a.Charts {
			w.see(&c.Title)
		}
	}
	for _, v := range e.Events {
		w.see(&v.Description)
	}
}

// translate gives labels, titles and descriptions the words of a catalog. Texts that it
// lacks stay in the words of the schema.
func (m *Manifest) translate(c Catalog) {
	if len(c) == 0 {
		return
	}
	m.words(func(entity string, text *string) {
		if word, is := c.word(entity, *text); is {
			*text = word
		}
	})
}

// Unknown returns the keys of a catalog that stand for no word of the document, sorted.
func (m *Manifest) Unknown(c Catalog) []string {
	left := maps.Clone(c)
	m.words(func(entity string, text *string) {
		delete(left, *text)
		delete(left, entity+": "+*text)
	})
	return slices.Sorted(maps.Keys(left))
}

// Untranslated returns the labels and titles that a catalog lacks, sorted. Descriptions,
// which are sentences, are not among them.
func (m *Manifest) Untranslated(c Catalog) []string {
	missing := map[string]bool{}
	m.words(func(entity string, text *string) {
		if _, is := c.word(entity, *text); !is && !strings.HasSuffix(*text, ".") {
			missing[*text] = true
		}
	})
	return slices.Sorted(maps.Keys(missing))
}

// Language returns the language among the catalogs that a header Accept-Language (RFC 9110)
// prefers. It is empty where that is the schema's own, or none of them.
func (t *Texts) Language(accepted string) (string, error) {
	if accepted == "" {
		return "", nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.load(); err != nil {
		return "", err
	}
	best, most := "", 0.0
	for part := range strings.SplitSeq(accepted, ",") {
		tag, params, _ := strings.Cut(part, ";")
		weight := 1.0
		if q, given := strings.CutPrefix(strings.TrimSpace(params), "q="); given {
			weight, _ = strconv.ParseFloat(q, 64) // 0, where it is no number
		}
		if offered := t.offered(strings.ToLower(strings.TrimSpace(tag))); offered != "" && weight > most {
			best, most = offered, weight
		}
	}
	if !slices.Contains(t.languages, best) {
		return "", nil
	}
	return best, nil
}

// offered is the longest beginning of a tag such as de-at that there is: de.
func (t *Texts) offered(tag string) string {
	for ; tag != ""; tag = tag[:max(strings.LastIndexByte(tag, '-'), 0)] {
		if tag == own || slices.Contains(t.languages, tag) {
			return tag
		}
	}
	return ""
}
