package model

import "github.com/entwine-go/entwine/kit/expose"

// ClientOf returns the entity's annotation about its part of Ent's client. One
// that is exposed is never left out.
func ClientOf(annotations map[string]any) (expose.Client, error) {
	var c expose.Client
	if _, err := Annotation(annotations, &c); err != nil {
		return c, err
	}
	_, exposed := annotations[expose.Resource{}.Name()]
	c.None = c.None && !exposed
	return c, nil
}
