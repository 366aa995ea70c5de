package main

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
)

func (o op) byGraphQL(w *world, who string) outcome {
	global := func(typ string, id any) any {
		return base64.RawURLEncoding.EncodeToString(fmt.Appendf(nil, "%s:%v", typ, id))
	}
	ask := func(document string, variables map[string]any) outcome {
		status, body := w.send(who, "POST", "/graphql", map[string]any{"query": document, "variables": variables})
		var answer struct {
			Errors []struct {
				Message    string
				Extensions struct{ Status int }
			}
		}
		if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
			w.Fatalf("%s: %d %s", document, status, body)
		}
		if len(answer.Errors) > 0 {
			return outcome{answer.Errors[0].Extensions.Status, false, string(body)}
		}
		return outcome{status, true, string(body)}
	}
	create := func(typ string) outcome {
		return ask("mutation($input: Create"+typ+"Input!) { create"+typ+"(input: $input) { id } }", map[string]any{"input": named(o.fields(global))})
	}
	update := func(typ string, id any) outcome {
		return ask("mutation($id: ID!, $input: Update"+typ+"Input!) { update"+typ+"(id: $id, input: $input) { id } }", map[string]any{"id": global(typ, id), "input": named(o.fields(global))})
	}
	just := func(field, typ string, id any, answer string) outcome {
		return ask("mutation($id: ID!) { "+field+" "+answer+" }", map[string]any{"id": global(typ, id)})
	}
	switch o.Do {
	case "make":
		return create("Box")
	case "make many":
		var all []any
		for i, tag := range o.Tags {
			all = append(all, o.newBox(tag, fmt.Sprint(o.Name, " ", i)))
		}
		return ask("mutation($input: [CreateBoxInput!]!) { createBoxes(input: $input) { id } }", map[string]any{"input": all})
	case "rename", "note", "seal":
		return update("Box", o.Box)
	case "close", "reopen", "restore":
		return just(o.Do+"Box(id: $id)", "Box", o.Box, "{ id }")
	case "hide":
		return just("deleteBox(id: $id)", "Box", o.Box, "")
	case "remove":
		return just("deleteBox(id: $id, hard: true)", "Box", o.Box, "")
	case "put":
		return create("Item")
	case "weigh", "move", "labels":
		return update("Item", o.Item)
	case "drop":
		return just("deleteItem(id: $id)", "Item", o.Item, "")
	case "label":
		return create("Label")
	case "unlabel":
		return just("deleteLabel(id: $id)", "Label", o.Labels[0], "")
	case "items":
		return update("Label", o.Labels[0])
	case "retally":
		return update("Tally", o.Tally)
	case "tally":
		return create("Tally")
	}
	w.Fatalf("%s has no mutation", o.Do)
	return outcome{}
}
