package main

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// rest is a version of REST.
type rest struct {
	*world
	base string
}

func (r rest) v2() bool { return r.base == "/api/v2" }

// id is that of a row as the version has it.
func (r rest) id(typ string, id any) any {
	if r.v2() {
		return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s:%v", typ, id))
	}
	return id
}

func camel(name string) string {
	words := strings.Split(name, "_")
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// named are the fields in the names of the second version, which GraphQL shares.
func named(fields map[string]any) map[string]any {
	all := map[string]any{}
	for name, value := range fields {
		all[camel(name)] = value
	}
	return all
}

func (o op) newBox(tag, name string) map[string]any {
	fields := map[string]any{"tag": tag, "name": name, "code": o.Code, "secret": o.Secret, "shout": o.Shout}
	if o.Note != "" {
		fields["note"] = o.Note
	}
	return fields
}

// fields are the values that the operation writes, by their names in the first version of
// REST. id makes an id of a type.
func (o op) fields(id func(typ string, id any) any) map[string]any {
	switch o.Do {
	case "make":
		return o.newBox(o.Tag, o.Name)
	case "rename":
		return map[string]any{"name": o.Name}
	case "note":
		if o.Note == "" {
			return map[string]any{"note": nil}
		}
		return map[string]any{"note": o.Note}
	case "seal":
		return map[string]any{"secret": o.Secret, "shout": o.Shout, "code": o.Code}
	case "put":
		return map[string]any{"tag": o.Tag, "weight": o.Weight, "fragile": o.Fragile, "box_id": id("Box", o.Box)}
	case "weigh":
		return map[string]any{"weight": o.Weight, "fragile": o.Fragile}
	case "move":
		return map[string]any{"box_id": id("Box", o.To)}
	case "label":
		return map[string]any{"tag": o.Tag}
	case "labels":
		ids := []any{}
		for _, label := range o.Labels {
			ids = append(ids, id("Label", label))
		}
		return map[string]any{"label_ids": ids}
	case "items":
		ids := []any{}
		for _, item := range o.Items {
			ids = append(ids, id("Item", item))
		}
		return map[string]any{"item_ids": ids}
	case "retally":
		return map[string]any{"quantity": o.Weight}
	case "tally":
		return map[string]any{"box_id": id("Box", o.Box), "kind": o.Kind, "quantity": o.Weight}
	}
	return nil
}

func (o op) byREST(w *world, who string, r rest) outcome {
	fields := o.fields(r.id)
	if r.v2() {
		fields = named(fields)
	}
	ask := func(method, path string, body any) outcome {
		status, answer := w.send(who, method, r.base+path, body)
		return outcome{status, status < 300, fmt.Sprint(status, " ", string(answer))}
	}
	box, item := fmt.Sprintf("/boxes/%v", r.id("Box", o.Box)), fmt.Sprintf("/items/%v", r.id("Item", o.Item))
	switch o.Do {
	case "make":
		return ask("POST", "/boxes", fields)
	case "make many":
		var all []any
		for i, tag := range o.Tags {
			fields := o.newBox(tag, fmt.Sprint(o.Name, " ", i))
			if r.v2() {
				fields = named(fields)
			}
			all = append(all, fields)
		}
		return ask("POST", "/boxes/bulk", map[string]any{"boxes": all})
	case "rename", "note", "seal":
		return ask("PATCH", box, fields)
	case "close", "reopen", "restore":
		return ask("POST", box+"/"+o.Do, nil)
	case "hide":
		return ask("DELETE", box, nil)
	case "remove":
		return ask("DELETE", box+"?hard=true", nil)
	case "put":
		return ask("POST", "/items", fields)
	case "weigh", "move", "labels":
		return ask("PATCH", item, fields)
	case "drop":
		return ask("DELETE", item, nil)
	case "label":
		return ask("POST", "/labels", fields)
	case "unlabel":
		return ask("DELETE", fmt.Sprintf("/labels/%v", r.id("Label", o.Labels[0])), nil)
	case "items":
		return ask("PATCH", fmt.Sprintf("/labels/%v", r.id("Label", o.Labels[0])), fields)
	case "retally":
		return ask("PATCH", fmt.Sprintf("/tallies/%v", r.id("Tally", o.Tally)), fields)
	case "tally":
		return ask("POST", "/tallies", fields)
	}
	w.Fatalf("%s has no request", o.Do)
	return outcome{}
}
