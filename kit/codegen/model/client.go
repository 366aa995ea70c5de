package model

import "github.com/entwine-go/entwine/kit/expose"

// ClientOf is what an entity says of its part of Ent's client, by its
// annotations. One that is exposed is never left out.
func ClientOf(annotations map[string]any) (expose.Client, error) {
	var c expose.Client
	if _, err := Annotation(annotations, &c); err != nil {
		return c, err
	}
	_, exposed := annotations[expose.Resource{}.Name()]
	c.None = c.None && !exposed
	return c, nil
}
