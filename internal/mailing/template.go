package mailing

import (
	"embed"
	"fmt"
	htmltemplate "html/template"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/entwine-go/entwine/internal/problem"
)

// Each template is two files: NAME.txt, whose first line is the subject, and
// NAME.html. What they need stands in needs.
//
//go:embed template
var files embed.FS

// needs lists what the data of each template must have.
var needs = map[string][]string{
	"receipt": {"name", "order", "lines", "total", "currency"},
	"reset":   {"name", "url"},
	"notice":  {"name", "title", "text"},
}

var (
	texts = template.Must(template.New("").Option("missingkey=error").ParseFS(files, "template/*.txt"))
	pages = htmltemplate.Must(htmltemplate.New("").Option("missingkey=error").ParseFS(files, "template/*.html"))
)

// Templates lists the names of the templates.
func Templates() []string { return slices.Sorted(maps.Keys(needs)) }

// Write writes a template's letter to the address. The data must have what
// the template needs.
func Write(to, name string, data map[string]any) (Letter, error) {
	l, detail := write(name, data)
	if detail != nil {
		return Letter{}, fmt.Errorf("write %s: %s %s", name, detail.Field, detail.Message)
	}
	l.To = to
	return l, nil
}

func write(name string, data map[string]any) (l Letter, bad *problem.Detail) {
	needed, ok := needs[name]
	if !ok {
		d := problem.Rulef("template", name, "must be one of %s", strings.Join(Templates(), ", "))
		return l, &d
	}
	for _, key := range needed {
		if data[key] == nil {
			d := problem.Invalidf("data."+key, nil, "is required by the template %s", name)
			return l, &d
		}
	}
	var text, page strings.Builder
	if err := texts.ExecuteTemplate(&text, name+".txt", data); err != nil {
		return l, unfit(name)
	}
	if err := pages.ExecuteTemplate(&page, name+".html", data); err != nil {
		return l, unfit(name)
	}
	l.HTML = page.String()
	l.Subject, l.Text, _ = strings.Cut(text.String(), "\n")
	l.Subject, l.Text = strings.TrimSpace(l.Subject), strings.TrimLeft(l.Text, "\n")
	return l, nil
}

// unfit is data that has what it needs, but not in the form that the
// template expects: lines that are no list, for example.
func unfit(name string) *problem.Detail {
	d := problem.Rulef("data", nil, "does not fit the template %s", name)
	return &d
}
