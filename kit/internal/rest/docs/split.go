package docs

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"html/template"
	"regexp"
	"slices"
	"strings"
)

// parsed is a document taken apart.
type parsed struct {
	Info struct{ Title, Version, Description string }
	Tags []struct{ Name, Description string }

	Security   json.RawMessage
	Components map[string]map[string]json.RawMessage

	operations []*operation // as the document has them, without HEAD
}

// operation is an operation of the document.
type operation struct {
	ID, Method, Path string
	Summary          string
	Tag              string
	Deprecated       bool

	text   json.RawMessage
	shared json.RawMessage // parameters of all operations at the path
}

// parse takes a document apart. It panics where it is none: it is generated.
func parse(document []byte) *parsed {
	d := &parsed{}
	var paths struct{ Paths json.RawMessage }
	mustDecode(document, d)
	mustDecode(document, &paths)
	for _, path := range members(paths.Paths) {
		var shared json.RawMessage
		for _, m := range members(path.value) {
			if m.name == "parameters" {
				shared = m.value
			}
		}
		for _, m := range members(path.value) {
			if o := readOperation(m, path.name); o != nil {
				o.shared = shared
				d.operations = append(d.operations, o)
			}
		}
	}
	return d
}

// readOperation returns nil for what is no operation, and for HEAD: it is what
// GET is.
func readOperation(m member, path string) *operation {
	switch m.name {
	case "get", "put", "post", "delete", "options", "patch", "trace":
	default:
		return nil
	}
	var text struct {
		OperationID, Summary string
		Tags                 []string
		Deprecated           bool
	}
	mustDecode(m.value, &text)
	o := &operation{ID: text.OperationID, Method: strings.ToUpper(m.name), Path: path, Summary: text.Summary, Tag: "Other", Deprecated: text.Deprecated, text: m.value}
	if o.ID == "" {
		o.ID = m.name + path
	}
	if len(text.Tags) > 0 {
		o.Tag = text.Tags[0]
	}
	return o
}

// member is one of an object's, in the order of the text.
type member struct {
	name  string
	value json.RawMessage
}

func members(object json.RawMessage) (all []member) {
	if len(object) == 0 {
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil { // {
		panic(err)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			panic(err)
		}
		m := member{name: name.(string)}
		if err := d.Decode(&m.value); err != nil {
			panic(err)
		}
		all = append(all, m)
	}
	return all
}

func mustDecode(text []byte, to any) {
	if err := json.Unmarshal(text, to); err != nil {
		panic(fmt.Errorf("read the OpenAPI document: %w", err))
	}
}

// alone is the operation as a document of its own: with the components that it
// refers to, and those that they do.
func (d *parsed) alone(o *operation) []byte {
	components := make(map[string]map[string]json.RawMessage)
	d.collect(components, o.text)
	d.collect(components, o.shared)
	text, err := json.Marshal(struct {
		ID         string          `json:"id"`
		Method     string          `json:"method"`
		Path       string          `json:"path"`
		Security   json.RawMessage `json:"security,omitempty"`
		Parameters json.RawMessage `json:"parameters,omitempty"` // of all at the path
		Operation  json.RawMessage `json:"operation"`
		Components any             `json:"components"`
	}{o.ID, o.Method, o.Path, d.Security, o.shared, o.text, components})
	if err != nil {
		panic(err) // it was parsed
	}
	return text
}

// reference is one to a component: its kind and its name.
var reference = regexp.MustCompile(`"\$ref":\s*"#/components/([^/"]+)/([^/"]+)"`)

func (d *parsed) collect(to map[string]map[string]json.RawMessage, text []byte) {
	for _, found := range reference.FindAllSubmatch(text, -1) {
		kind, name := string(found[1]), string(found[2])
		if to[kind] == nil {
			to[kind] = make(map[string]json.RawMessage)
		}
		if _, ok := to[kind][name]; ok || d.Components[kind][name] == nil {
			continue
		}
		to[kind][name] = d.Components[kind][name]
		d.collect(to, d.Components[kind][name])
	}
}

// group is the operations under a tag.
type group struct {
	Name, Description string
	Operations        []*operation
}

// kits are the tags of what every service has of the kit, which are for those who operate
// it. A service's own entities are first.
var kits = []string{"APIKeys", "Auth", "DeprecatedUses", "Emails", "Jobs"}

// groups are in the order of the document's tags, then operations without a tag, and
// last those of the kit.
func (d *parsed) groups() []group {
	all := d.tagged()
	slices.SortStableFunc(all, func(a, b group) int { return cmp.Compare(index(a.OfKit()), index(b.OfKit())) })
	return all
}

func index(last bool) int {
	if last {
		return 1
	}
	return 0
}

// OfKit reports whether the operations are the kit's.
func (g group) OfKit() bool { return slices.Contains(kits, g.Name) }

func (d *parsed) tagged() (all []group) {
	of := make(map[string][]*operation)
	for _, o := range d.operations {
		of[o.Tag] = append(of[o.Tag], o)
	}
	for _, tag := range d.Tags {
		if len(of[tag.Name]) > 0 {
			all = append(all, group{tag.Name, tag.Description, of[tag.Name]})
			delete(of, tag.Name)
		}
	}
	for _, o := range d.operations { // tags that the document does not list
		if rest := of[o.Tag]; len(rest) > 0 {
			all = append(all, group{Name: o.Tag, Operations: rest})
			delete(of, o.Tag)
		}
	}
	return all
}

// html is the page.
func (d *parsed) html() []byte {
	signIn := false
	for _, o := range d.operations {
		signIn = signIn || o.Method == "POST" && o.Path == "/auth/login"
	}
	var b bytes.Buffer
	err := page.Execute(&b, struct {
		Title, Version string
		Description    []template.HTML
		Groups         []group
		SignIn         bool
	}{d.Info.Title, d.Info.Version, paragraphs(d.Info.Description), d.groups(), signIn})
	if err != nil {
		panic(err) // the template does not fit
	}
	return b.Bytes()
}

// inCode matches the text between backticks in a description.
var inCode = regexp.MustCompile("`([^`]+)`")

// paragraphs are those of a text of CommonMark, of which descriptions use
// paragraphs and code.
func paragraphs(text string) (all []template.HTML) {
	for one := range strings.SplitSeq(text, "\n\n") {
		if one = strings.TrimSpace(one); one != "" {
			safe := template.HTMLEscapeString(one)
			all = append(all, template.HTML(inCode.ReplaceAllString(safe, "<code>$1</code>"))) //nolint:gosec // it is escaped
		}
	}
	return all
}
