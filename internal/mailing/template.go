package mailing

import (
	"embed"
	"fmt"
	htmltemplate "html/template"
	"maps"
	"slices"
	"strings"
	"text/template"

	"github.com/entwine-go/entwine/kit/expose"
	"github.com/entwine-go/entwine/kit/problem"
)

// Each template is two files: NAME.txt, whose first line is the subject, and
// NAME.html. needs has the fields that they use.
//
//go:embed template
var sources embed.FS

// needs lists what the data of each template must have.
var needs = map[string][]string{
	"receipt": {"name", "order", "lines", "total", "currency"},
	"reset":   {"name", "url"},
	"notice":  {"name", "title", "text"},
}

var (
	texts = template.Must(template.New("").Option("missingkey=error").ParseFS(sources, "template/*.txt"))
	pages = htmltemplate.Must(htmltemplate.New("").Option("missingkey=error").ParseFS(sources, "template/*.html"))
)

// Templates lists the names of the templates.
func Templates() []string { return slices.Sorted(maps.Keys(needs)) }

// Write writes a template's letter to the address. The data must have what
// the template needs. Texts that are to be one line become one: they may be of
// rows that are older than the rule.
func Write(to, name string, data map[string]any) (Letter, error) {
	l, bad := render(name, lines(data))
	if err := problem.Inputs(bad...); err != nil {
		return Letter{}, fmt.Errorf("write %s: %w", name, err)
	}
	l.To = to
	return l, nil
}

func render(name string, data map[string]any) (l Letter, bad []problem.Detail) {
	needed, ok := needs[name]
	if !ok {
		return l, []problem.Detail{problem.Rulef("template", name, "must be one of %s", strings.Join(Templates(), ", "))}
	}
	for _, key := range needed {
		if data[key] == nil {
			bad = append(bad, problem.Invalidf("data."+key, nil, "is required by the template %s", name))
		} else if message := unprintable(key, data[key]); message != "" {
			bad = append(bad, problem.Rulef("data."+key, nil, "%s", message))
		}
	}
	if bad != nil {
		return l, bad
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

// unprintable says why a letter can't show the value: only a text has lines,
// and only the lines of a receipt have parts.
func unprintable(key string, value any) string {
	switch v := value.(type) {
	case []any, map[string]any:
		if key != "lines" {
			return "must be a text or a number"
		}
		if bad := unprintableLine(v); bad != "" {
			return bad
		}
	case string:
		if key != "text" {
			return message(expose.ValidLine(v))
		}
	}
	return ""
}

// unprintableLine says what is wrong with the texts of a receipt's lines. That
// they are no list is found by the template.
func unprintableLine(value any) string {
	all, _ := value.([]any)
	for i, line := range all {
		members, _ := line.(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(members)) {
			if text, ok := members[name].(string); ok && expose.ValidLine(text) != nil {
				return fmt.Sprintf("has a %s in line %d that %v", name, i+1, expose.ValidLine(text))
			}
		}
	}
	return ""
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// lines returns the data with every text as one line, but for the text itself.
func lines(data map[string]any) map[string]any {
	clean := make(map[string]any, len(data))
	for key, value := range data {
		switch v := value.(type) {
		case string:
			if key != "text" {
				value = expose.CleanLine(v)
			}
		case []any:
			all := make([]any, len(v))
			for i, line := range v {
				all[i] = line
				if members, ok := line.(map[string]any); ok {
					all[i] = lines(members)
				}
			}
			value = all
		}
		clean[key] = value
	}
	return clean
}

// unfit is data that has what it needs, but not in the form that the
// template expects: lines that are no list, for example.
func unfit(name string) []problem.Detail {
	return []problem.Detail{problem.Rulef("data", nil, "does not fit the template %s", name)}
}
