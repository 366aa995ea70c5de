package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Every operation of both APIs is called with the ids of another tenant.
func TestNoOperationLeaks(t *testing.T) { each(t, noOperationLeaks) }

func noOperationLeaks(w *world) {
	t := w.T
	before := w.dump()
	calls, found := 0, 0
	leaks := func(what, said string) {
		t.Helper()
		calls++
		if strings.Contains(said, "ours text") {
			found++
		}
		if strings.Contains(strings.ToLower(said), "canary") {
			t.Errorf("%s: %s", what, said)
		}
	}
	w.walkREST(leaks)
	w.walkGraphQL(leaks)
	if after := w.dump(); after != before {
		t.Errorf("rows of another tenant have changed:\n%s\n%s", before, after)
	}
	if calls < 1000 || found < 20 {
		t.Errorf("%d calls were made, of which %d read what may be read: want some for each operation", calls, found)
	}
}

// dump is the content of the second tenant's rows.
func (w *world) dump() string {
	var all strings.Builder
	for _, text := range []string{
		`SELECT CAST(id AS text) || title || text || slug || CAST(version AS text) || COALESCE(CAST(deleted_at AS text), '') || COALESCE(CAST(parent_id AS text), '') FROM notes WHERE org_id = 2 ORDER BY id`,
		`SELECT CAST(id AS text) || name FROM labels WHERE org_id = 2 ORDER BY id`, `SELECT CAST(id AS text) || name || role || CAST(version AS text) FROM users WHERE org_id = 2`,
		`SELECT name FROM orgs WHERE id = 2`, `SELECT CAST(id AS text) || text || CAST(version AS text) FROM remarks WHERE org_id = 2 ORDER BY id`, `SELECT CAST(note_id AS text) || ' ' || CAST(label_id AS text) FROM note_labels ORDER BY 1`,
	} {
		rows, err := w.host.DB.QueryContext(w.Context(), text)
		if err != nil {
			w.Fatal(err)
		}
		for rows.Next() {
			var line string
			if err := rows.Scan(&line); err != nil {
				w.Fatal(err)
			}
			all.WriteString(line + "\n")
		}
		_ = rows.Close()
	}
	return all.String()
}

var parameter = regexp.MustCompile(`\{[^}]+\}`)

func (w *world) walkREST(leaks func(what, said string)) {
	w.Helper()
	for _, version := range []string{"v1", "v2"} {
		var document struct {
			Paths map[string]map[string]json.RawMessage `json:"paths"`
		}
		if err := json.Unmarshal([]byte(w.wants("Bob", "GET", "/api/"+version+"/openapi", "", 200)), &document); err != nil {
			w.Fatal(err)
		}
		ids := map[string][]int64{}
		for _, table := range []string{"notes", "labels", "users", "remarks", "orgs"} {
			column := map[string]string{"orgs": "id"}[table]
			if column == "" {
				column = "org_id"
			}
			ids[table] = []int64{w.one(`SELECT min(id) FROM ` + table + ` WHERE ` + column + ` = 2`), w.one(`SELECT max(id) FROM ` + table + ` WHERE ` + column + ` = 2`)}
		}
		for path, operations := range document.Paths {
			if strings.Contains(path, "/auth/") || strings.Contains(path, "/openapi") {
				continue
			}
			table := strings.Split(strings.TrimPrefix(path, "/"), "/")[0]
			for _, id := range append(slices.Clone(ids[table]), 1) {
				at := "/api/" + version + parameter.ReplaceAllStringFunc(path, func(name string) string {
					switch {
					case strings.Contains(name, "label"):
						id = ids["labels"][0]
					case strings.Contains(name, "note"):
						id = ids["notes"][0]
					}
					if version == "v2" {
						return globalID(map[string]string{"notes": "Note", "labels": "Label", "users": "User", "remarks": "Remark", "orgs": "Org"}[table], id)
					}
					return fmt.Sprint(id)
				})
				for method := range operations {
					for _, body := range bodies(method, version, ids) {
						_, said := w.does("Bob", strings.ToUpper(method), at, body)
						leaks(method+" "+at+" "+body, said)
					}
					if method == "get" {
						for _, query := range []string{"?expand=user,org,labels,parent,children,notes,users,ancestors,descendants", "?limit=100&sort=-id", "?include_deleted=true", "?search=itl", "?q=title+text+label", "?cursor="} {
							_, said := w.does("Bob", "GET", at+query, "")
							leaks("GET "+at+query, said)
						}
					}
				}
			}
		}
	}
}

// bodies are inputs that name rows of the other tenant.
func bodies(method, version string, ids map[string][]int64) []string {
	if method == "get" || method == "delete" {
		return []string{""}
	}
	note := fmt.Sprintf(`"title":"x","text":"x","slug":"x","parent_id":%d`, ids["notes"][0])
	if version == "v2" {
		note = fmt.Sprintf(`"title":"x","text":"x","slug":"x","parentId":%q`, globalID("Note", ids["notes"][0]))
	}
	return []string{
		"", "{}", "{" + note + "}", `{"title":"changed"}`, `{"name":"changed"}`, fmt.Sprintf(`{"label_ids":[%d]}`, ids["labels"][0]), `{"notes":[{` + note + `}]}`,
		fmt.Sprintf(`{"ids":[%d,%d]}`, ids["notes"][0], ids["notes"][1]), fmt.Sprintf(`{"ids":[%q]}`, globalID("Note", ids["notes"][0])), `{"org_id":1}`,
	}
}

// gqlType is a type of GraphQL's introspection.
type gqlType struct {
	Kind, Name    string
	OfType        *gqlType
	Fields        []gqlField
	InputFields   []gqlField
	EnumValues    []struct{ Name string }
	PossibleTypes []gqlType
}

type gqlField struct {
	Name string
	Args []gqlField
	Type gqlType
}

func (t gqlType) named() gqlType {
	for t.OfType != nil {
		t = *t.OfType
	}
	return t
}

const introspection = `{ __schema { queryType { name } mutationType { name } types { kind name enumValues { name } possibleTypes { name }
	inputFields { name type { ...t } } fields(includeDeprecated: true) { name type { ...t } args { name type { ...t } } } } } }
	fragment t on __Type { kind name ofType { kind name ofType { kind name ofType { kind name } } } }`

func (w *world) walkGraphQL(leaks func(what, said string)) {
	w.Helper()
	var answer struct {
		Data struct {
			Schema struct{ Types []gqlType } `json:"__schema"`
		}
	}
	if err := json.Unmarshal([]byte(w.graphql("Bob", introspection)), &answer); err != nil {
		w.Fatal(err)
	}
	g := gqlWalk{types: map[string]gqlType{}}
	for _, t := range answer.Data.Schema.Types {
		g.types[t.Name] = t
	}
	ids := map[string]string{}
	for name, table := range map[string]string{"Note": "notes", "Label": "labels", "User": "users", "Remark": "remarks"} {
		ids[name] = globalID(name, w.one(`SELECT min(id) FROM `+table+` WHERE org_id = 2`))
	}
	ids["Org"] = globalID("Org", 2)
	for _, root := range []string{"Query", "Mutation"} {
		for _, f := range g.types[root].Fields {
			if strings.HasPrefix(f.Name, "log") || strings.Contains(f.Name, "ession") || strings.Contains(f.Name, "assword") || strings.Contains(f.Name, "TwoFactor") {
				continue // they end Bob's sign-in
			}
			for _, id := range ids {
				for _, full := range []bool{false, true} {
					query := strings.ToLower(root) + " { " + f.Name + g.arguments(f.Args, id, full) + g.selection(f.Type, 3) + " }"
					body, err := json.Marshal(map[string]string{"query": query})
					if err != nil {
						w.Fatal(err)
					}
					_, said := w.does("Bob", "POST", "/graphql", string(body))
					leaks(query, said)
					if strings.Contains(said, "GRAPHQL_PARSE_FAILED") || strings.Contains(said, "GRAPHQL_VALIDATION_FAILED") {
						w.Errorf("%s: %s", query, said)
					}
				}
			}
		}
	}
}

type gqlWalk struct{ types map[string]gqlType }

// arguments are the required ones, and all ids.
func (g *gqlWalk) arguments(args []gqlField, id string, full bool) string {
	var all []string
	for _, a := range args {
		if a.Type.Kind == "NON_NULL" || full && a.Type.named().Name == "ID" {
			all = append(all, a.Name+": "+g.value(a.Type, id, full, 3))
		}
	}
	if len(all) == 0 {
		return ""
	}
	return "(" + strings.Join(all, ", ") + ")"
}

func (g *gqlWalk) value(t gqlType, id string, full bool, depth int) string {
	if t.Kind == "NON_NULL" {
		t = *t.OfType
	}
	if t.Kind == "LIST" {
		return "[" + g.value(*t.OfType, id, full, depth) + "]"
	}
	switch t.Name {
	case "ID":
		return `"` + id + `"`
	case "Int", "Float":
		return "1"
	case "Boolean":
		return "true"
	case "Time", "DateTime":
		return `"2026-01-01T00:00:00Z"`
	}
	of := g.types[t.Name]
	switch of.Kind {
	case "ENUM":
		return of.EnumValues[0].Name
	case "INPUT_OBJECT":
		var all []string
		for _, f := range of.InputFields {
			if strings.HasSuffix(f.Name, "IDs") {
				continue // the old name of a field, which can't be sent with that
			}
			if f.Type.Kind == "NON_NULL" || full && depth > 0 && f.Type.named().Name == "ID" {
				all = append(all, f.Name+": "+g.value(f.Type, id, full, depth-1))
			}
		}
		return "{" + strings.Join(all, ", ") + "}"
	}
	return `"itle"`
}

// selection selects everything, so many edges deep.
func (g *gqlWalk) selection(t gqlType, depth int) string {
	of := g.types[t.named().Name]
	var all []string
	for _, p := range of.PossibleTypes {
		if of.Kind == "UNION" || of.Kind == "INTERFACE" {
			all = append(all, "... on "+p.Name+" { id }")
		}
	}
	for _, f := range of.Fields {
		needs := slices.ContainsFunc(f.Args, func(a gqlField) bool { return a.Type.Kind == "NON_NULL" })
		kind := g.types[f.Type.named().Name].Kind
		if needs || (kind == "OBJECT" || kind == "UNION" || kind == "INTERFACE") && depth == 0 {
			continue
		}
		if inner := g.selection(f.Type, depth-1); inner != "" || kind == "SCALAR" || kind == "ENUM" {
			all = append(all, f.Name+inner)
		}
	}
	if len(all) == 0 {
		return ""
	}
	return " { " + strings.Join(all, " ") + " }"
}
