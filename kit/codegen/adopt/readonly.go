package adopt

import "fmt"

// readOnly marks the entities of the tables whose rows other programs alone write.
func (p *Plan) readOnly(tables []string) error {
	for _, name := range tables {
		e := p.of(name)
		if e == nil {
			return fmt.Errorf("--read-only %s: it is no table that is adopted as an entity", name)
		}
		e.ReadOnly = true
	}
	return nil
}

// attach lets those who write rows of the table name rows of one that is read only: by
// itself that takes the right to change both.
func (e *Entity) attach() string {
	if !e.ReadOnly {
		return ""
	}
	return ".\n\t\t\tAnnotations(policy.Attach(adopted))"
}
