package adopt

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
)

// Write prints the decisions as a person reads them.
func (p *Plan) Write(w io.Writer) error {
	var b strings.Builder
	for _, e := range p.Entities {
		fmt.Fprintf(&b, "%s: table %s, /%s, %s\n", e.Name, e.Table, e.Path, strings.Join(e.Operations, ", "))
		for _, why := range e.Why {
			fmt.Fprintf(&b, "  %s\n", why)
		}
		for _, f := range e.Fields {
			for _, why := range f.Why {
				fmt.Fprintf(&b, "  %s (%s): %s\n", f.Name, f.Type, why)
			}
		}
	}
	for _, t := range p.Between {
		fmt.Fprintf(&b, "%s: an edge of %s to %s\n  %s\n", t.Table, t.From, t.To, t.Why)
	}
	if len(p.Left) > 0 {
		b.WriteString("\nLeft unchanged, and not in a schema:\n")
	}
	for _, l := range p.Left {
		fmt.Fprintf(&b, "  %s: %s\n", l.What, l.Why)
		if l.Do != "" {
			fmt.Fprintf(&b, "    %s\n", l.Do)
		}
	}
	if len(p.Asks) > 0 {
		b.WriteString("\nNot added, since no flag asked for it (--add NAME):\n")
	}
	for _, a := range grouped(p.Asks) {
		fmt.Fprintf(&b, "  %s: without it %s\n", a.Add, a.Without)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// grouped has one line for each column, with the tables that could have it.
func grouped(asks []Ask) (all []Ask) {
	for _, a := range addable {
		var tables []string
		for _, ask := range asks {
			if table, ok := strings.CutSuffix(ask.Add, "."+a.name); ok {
				tables = append(tables, table)
			}
		}
		if len(tables) > 0 {
			all = append(all, Ask{strings.Join(tables, "."+a.name+", ") + "." + a.name, a.without})
		}
	}
	return all
}

// JSON prints the decisions as programs read them.
func (p *Plan) JSON(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(p)
}
