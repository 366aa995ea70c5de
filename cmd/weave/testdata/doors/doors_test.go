package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/app"
	"github.com/entwine-go/entwine/kit/jobs"
	"github.com/entwine-go/entwine/kit/kittest/apptest"
	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"

	"example.com/acme/notes/ent"
	"example.com/acme/notes/ent/orm"
)

var (
	writes = flag.Int("writes", 400, "how many writes are made")
	seed   = flag.Uint64("seed", 1, "what the writes follow from")
)

// world is the service over one database.
type world struct {
	*testing.T
	*apptest.Server
	name    string
	host    *app.Host
	runner  *jobs.Runner
	tokens  map[string]http.Header
	viewers map[string]*viewer.Viewer
}

// people are those who write, by their names, with their roles.
var people = [][2]string{{"Ada", "user"}, {"Bob", "user"}, {"Carl", "clerk"}, {"Root", "admin"}}

func serve(t *testing.T, name, url string) *world {
	w := &world{T: t, name: name, tokens: map[string]http.Header{}, viewers: map[string]*viewer.Viewer{}}
	s := program()
	var parts *app.Parts
	s.Open = func(h *app.Host) (_ *app.Parts, err error) {
		w.host = h
		parts, err = open(h)
		return parts, err
	}
	w.Server = apptest.Serve(t, s, "ENTWINE_DATABASE_URL="+url, "ENTWINE_LOG_LEVEL=error", "ENTWINE_RATE_LIMIT=off", "ENTWINE_REGISTRATION_LIMIT=off", "ENTWINE_LOGIN_LIMIT=off", "ENTWINE_GRAPHQL_BUDGET=off", "ENTWINE_ACCESS_TOKEN_TIME=24h")
	w.runner = jobs.NewRunner(w.host.DB, w.host.Bus, slog.New(slog.DiscardHandler), parts.Kinds...)
	w.runner.Caller = parts.Caller
	t.Cleanup(func() { w.runner.Stop(context.Background()) })
	for _, p := range people {
		w.SignUp(p[0])
		w.exec(`UPDATE users SET role = '` + p[1] + `' WHERE email = '` + strings.ToLower(p[0]) + `@example.com'`)
		id := w.one(`SELECT id FROM users WHERE email = '` + strings.ToLower(p[0]) + `@example.com'`)
		w.viewers[p[0]] = &viewer.Viewer{UserID: id, Role: viewer.Role(p[1])}
		answer := w.Ask("POST", "/api/auth/login", `{"email":"`+strings.ToLower(p[0])+`@example.com","password":"correct horse 1"}`, `"token"`)
		var in struct{ Token string }
		if err := json.Unmarshal([]byte(answer), &in); err != nil {
			t.Fatal(err)
		}
		w.tokens[p[0]] = http.Header{"Authorization": {"Bearer " + in.Token}}
	}
	return w
}

func (w *world) exec(text string) {
	w.Helper()
	if _, err := w.host.DB.ExecContext(w.Context(), text); err != nil {
		w.Fatal(err)
	}
}

// lines are the rows of a query, each in one.
func (w *world) lines(text string) (all []string) {
	w.Helper()
	rows, err := w.host.DB.QueryContext(w.Context(), text)
	if err != nil {
		w.Fatal(w.name, text, err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		w.Fatal(err)
	}
	for rows.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := rows.Scan(into...); err != nil {
			w.Fatal(err)
		}
		var b strings.Builder
		for i, v := range values {
			switch known := v.(type) {
			case []byte:
				v = string(known)
			case bool:
				v = map[bool]int64{true: 1}[known]
			}
			if i > 0 {
				b.WriteString("|")
			}
			fmt.Fprint(&b, v)
		}
		all = append(all, b.String())
	}
	if err := rows.Err(); err != nil {
		w.Fatal(err)
	}
	return all
}

func (w *world) one(text string) int64 {
	w.Helper()
	n, err := strconv.ParseInt(w.lines(text)[0], 10, 64)
	if err != nil {
		w.Fatal(err)
	}
	return n
}

// dumped is what is to be the same in all worlds: each query has the rows by their tags.
var dumped = []string{
	`SELECT 'box', b.tag, b.name, b.name_fold, b.note, b.box_code, b.secret, b.shout, b.status, b.items_count, b.fragile_count, b.weight, b.mean IS NULL, b.version, b.deleted_at IS NOT NULL, u.name FROM boxes b JOIN users u ON u.id = b.owner_id ORDER BY b.tag`,
	`SELECT 'item', i.tag, i.weight, i.fragile, i.version, b.tag FROM items i JOIN boxes b ON b.id = i.box_id ORDER BY i.tag`,
	`SELECT 'label', tag, version FROM labels ORDER BY tag`,
	`SELECT 'labelled', i.tag, l.tag FROM item_labels il JOIN items i ON i.id = il.item_id JOIN labels l ON l.id = il.label_id ORDER BY i.tag, l.tag`,
	`SELECT 'tally', b.tag, t.kind, t.quantity, t.version FROM tallies t JOIN boxes b ON b.id = t.box_id ORDER BY b.tag, t.kind`,
	`SELECT 'event', topic, count(*) FROM events WHERE topic LIKE 'box.%' OR topic LIKE 'item.%' GROUP BY topic ORDER BY topic`,
	`SELECT 'change', kind, count(*) FROM changes GROUP BY kind ORDER BY kind`,
}

func (w *world) dump() (all []string) {
	w.Helper()
	for _, text := range dumped {
		all = append(all, w.lines(text)...)
	}
	return all
}

// broken are the rows whose derived columns are not what they follow from.
func (w *world) broken() []string {
	w.Helper()
	return slices.Concat(
		w.lines(`SELECT tag, items_count FROM boxes b WHERE items_count <> (SELECT count(*) FROM items i WHERE i.box_id = b.id)
			OR fragile_count <> (SELECT count(*) FROM items i WHERE i.box_id = b.id AND i.fragile)
			OR ABS(COALESCE(mean, 0) - CASE WHEN items_count > 0 THEN weight * 1.0 / items_count ELSE 0 END) > 0.001
			OR weight <> (SELECT COALESCE(sum(weight), 0) FROM items i WHERE i.box_id = b.id)`),
		w.lines(`SELECT tag, name_fold FROM boxes WHERE name_fold <> lower(name)`),
		w.lines(`SELECT tag, secret, shout FROM boxes WHERE secret NOT LIKE 'sealed:%' OR shout <> upper(shout)`),
		w.lines(`SELECT tag, note FROM boxes WHERE note <> trim(note)`),
	)
}

// finds are the boxes that a search finds for the caller.
func (w *world) finds(who, word string) string {
	w.Helper()
	var answer struct {
		Data []struct{ Name string }
	}
	status, body := w.send(who, "GET", "/api/v1/boxes?limit=100&fields=name&search="+word, nil)
	if err := json.Unmarshal(body, &answer); err != nil || status != http.StatusOK {
		w.Fatalf("%d %s", status, body)
	}
	var names []string
	for _, row := range answer.Data {
		names = append(names, row.Name)
	}
	slices.Sort(names)
	return strings.Join(names, ",")
}

func (w *world) send(who, method, path string, body any) (status int, answer []byte) {
	w.Helper()
	text := []byte(nil)
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			w.Fatal(err)
		}
	}
	r := httptest.NewRequestWithContext(w.Context(), method, path, bytes.NewReader(text))
	r.Header = w.tokens[who].Clone()
	if body != nil {
		r.Header.Set("Content-Type", "application/json")
	}
	out := httptest.NewRecorder()
	w.ServeHTTP(out, r)
	return out.Code, out.Body.Bytes()
}

// step is an operation with the tags of its rows.
type step struct {
	op
	who            string
	box, to, item  string
	tally          string // the tag of its box, and its kind
	labels, things []string
}

// resolved is the operation with the ids that the rows have in this world.
func (w *world) resolved(s step) op {
	w.Helper()
	o := s.op
	id := func(table, tag string) (id int64) {
		if tag == "" {
			return 0
		}
		return w.one(`SELECT id FROM ` + table + ` WHERE tag = '` + tag + `'`)
	}
	o.Box, o.To, o.Item = id("boxes", s.box), id("boxes", s.to), id("items", s.item)
	if tag, kind, ok := strings.Cut(s.tally, " "); ok {
		o.Tally = w.one(`SELECT t.id FROM tallies t JOIN boxes b ON b.id = t.box_id WHERE b.tag = '` + tag + `' AND t.kind = '` + kind + `'`)
	}
	for _, tag := range s.labels {
		o.Labels = append(o.Labels, w.lines(`SELECT CAST(id AS text) FROM labels WHERE tag = '` + tag + `'`)[0])
	}
	for _, tag := range s.things {
		o.Items = append(o.Items, id("items", tag))
	}
	switch o.Do {
	case "labels":
		o.HadLabels = w.lines(fmt.Sprintf(`SELECT CAST(label_id AS text) FROM item_labels WHERE item_id = %d`, o.Item))
	case "items":
		for _, text := range w.lines(`SELECT item_id FROM item_labels WHERE CAST(label_id AS text) = '` + o.Labels[0] + `'`) {
			had, err := strconv.ParseInt(text, 10, 64)
			if err != nil {
				w.Fatal(err)
			}
			o.HadItems = append(o.HadItems, had)
		}
	}
	return o
}

// outcome is a status, or what the client says, of which a refusal is known by more
// doors than its reason.
type outcome struct {
	status int // of REST and GraphQL, 0 of others
	ok     bool
	says   string
}

func failed(err error) outcome {
	if err == nil {
		return outcome{ok: true}
	}
	if kind := problem.KindOf(store.Problem(err)); kind == problem.Internal {
		return outcome{says: "INTERNAL: " + err.Error()}
	}
	return outcome{says: err.Error()}
}

// doors are those by which a step can be done.
var doors = map[string]func(w *world, who string, o op) outcome{
	"rest v1":     func(w *world, who string, o op) outcome { return o.byREST(w, who, rest{w, "/api/v1"}) },
	"rest v2":     func(w *world, who string, o op) outcome { return o.byREST(w, who, rest{w, "/api/v2"}) },
	"graphql":     func(w *world, who string, o op) outcome { return o.byGraphQL(w, who) },
	"client":      func(w *world, who string, o op) outcome { return failed(o.byClient(w.as(who), orm.Client(w.host.DB))) },
	"predicate":   byPredicate,
	"transaction": byTransaction,
	"job":         byJob,
	"action":      byAction,
}

func (w *world) as(who string) context.Context { return viewer.With(w.Context(), w.viewers[who]) }

func byPredicate(w *world, who string, o op) outcome {
	o.Where = true
	return failed(o.byClient(w.as(who), orm.Client(w.host.DB)))
}

func byTransaction(w *world, who string, o op) outcome {
	ctx := w.as(who)
	tx, err := orm.Client(w.host.DB).Tx(ctx)
	if err != nil {
		w.Fatal(err)
	}
	if err := o.byClient(ent.NewTxContext(ctx, tx), tx.Client()); err != nil {
		return failed(errors.Join(err, tx.Rollback()))
	}
	return failed(tx.Commit())
}

func (o op) text(w *world) string {
	text, err := json.Marshal(o)
	if err != nil {
		w.Fatal(err)
	}
	return string(text)
}

func byJob(w *world, who string, o op) outcome {
	asked, err := w.host.Jobs.Enqueue(w.as(who), errand{o.text(w)}, jobs.Options{})
	if err != nil {
		w.Fatal(err)
	}
	if err := w.runner.Run(w.Context(), asked); err != nil {
		w.Fatal(err)
	}
	status := w.lines(fmt.Sprintf(`SELECT status, error FROM jobs WHERE id = %d`, asked))[0]
	w.exec(fmt.Sprintf(`DELETE FROM jobs WHERE id = %d`, asked))
	return outcome{ok: strings.HasPrefix(status, "succeeded"), says: status}
}

func byAction(w *world, who string, o op) outcome {
	status, body := w.send(who, "POST", "/api/v1/perform", map[string]any{"what": o.text(w)})
	return outcome{ok: status < 300, says: fmt.Sprint(status, " ", string(body))}
}

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

// fields are what the operation writes, by their names in the first version of REST. id
// makes an id of a type.
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

// author invents steps, by the rows that there are.
type author struct {
	*rand.Rand
	made                          int
	boxes, items, labels, tallies []string // tags
}

func (a *author) read(w *world) {
	a.boxes, a.items, a.labels = w.lines(`SELECT tag FROM boxes ORDER BY tag`), w.lines(`SELECT tag FROM items ORDER BY tag`), w.lines(`SELECT tag FROM labels ORDER BY tag`)
	a.tallies = w.lines(`SELECT b.tag || ' ' || t.kind FROM tallies t JOIN boxes b ON b.id = t.box_id WHERE b.deleted_at IS NULL ORDER BY b.tag, t.kind`)
}

func (a *author) one(of []string) string { return of[a.IntN(len(of))] }

func (a *author) few(of []string) []string {
	all := slices.Clone(of)
	a.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	return all[:min(len(all), a.IntN(4))]
}

func (a *author) tag() string { a.made++; return fmt.Sprintf("t%06d", a.made) }

// name is one of few, so that two boxes want the same, in another case.
func (a *author) name() string {
	name := a.one([]string{"red", "green", "blue", "pale"}) + " " + a.one([]string{"oak", "elm", "fir", "ash"})
	if a.IntN(3) == 0 {
		name = strings.ToUpper(name)
	}
	return name
}

// next is a step that can be taken, if not by everybody.
func (a *author) next() step {
	s := step{who: people[a.IntN(len(people))][0]}
	s.Name, s.Code, s.Secret, s.Shout = a.name(), a.one([]string{"a", "b", "a code that is too long"}), a.one([]string{"x", "y"}), a.one([]string{"ho", "Hi"})
	s.Note = a.one([]string{"", "plain", "  spaced  ", "forbidden"})
	s.Weight, s.Fragile = int64(a.IntN(30))-1, a.IntN(2) == 0
	s.Tag = a.tag()
	all := []string{"make", "make many", "label"}
	if len(a.boxes) > 0 {
		s.box, s.to = a.one(a.boxes), a.one(a.boxes)
		all = append(all, "rename", "note", "seal", "close", "reopen", "hide", "restore", "put", "put", "tally", "tally")
		if len(a.boxes) > 10 {
			all = append(all, "remove", "remove", "remove")
		}
	}
	if len(a.items) > 0 {
		s.item = a.one(a.items)
		all = append(all, "weigh", "move", "move", "labels")
		if len(a.items) > 20 {
			all = append(all, "drop", "drop", "drop")
		}
	}
	if len(a.tallies) > 0 {
		s.tally = a.one(a.tallies)
		all = append(all, "retally")
	}
	if len(a.labels) > 0 {
		s.labels, s.things = []string{a.one(a.labels)}, a.few(a.items)
		all = append(all, "items")
		if len(a.labels) > 6 {
			all = append(all, "unlabel", "unlabel")
		}
	}
	switch s.Do = a.one(all); s.Do {
	case "make many":
		for range 1 + a.IntN(3) {
			s.Tags = append(s.Tags, a.tag())
		}
	case "labels":
		s.labels = a.few(a.labels)
	case "tally":
		s.Kind = a.one([]string{"cups", "pots"})
	}
	return s
}

// The same step is taken by another door in each of four databases: they have the same
// rows after it, with the same versions, counts, forms and events.
func TestEveryDoorWritesTheSame(t *testing.T) {
	var worlds []*world
	for i := range 2 {
		worlds = append(worlds, serve(t, fmt.Sprint("sqlite ", i), storetest.Schema{}.SQLiteURL(t)), serve(t, fmt.Sprint("postgres ", i), storetest.Schema{}.PostgresURL(t)))
	}
	var names []string
	for name := range doors {
		names = append(names, name)
	}
	slices.Sort(names)
	a := &author{Rand: rand.New(rand.NewPCG(*seed, 0))}
	done, refused, taken := map[string]int{}, 0, map[string]int{}
	for n := 0; n < *writes; n += len(worlds) {
		a.read(worlds[0])
		s := a.next()
		for !worlds[0].changes(s) {
			s = a.next()
		}
		var says []string
		var all []outcome
		for _, w := range worlds {
			door := a.one(names)
			taken[door]++
			got := doors[door](w, s.who, w.resolved(s))
			all = append(all, got)
			says = append(says, fmt.Sprintf("%s by %s: %+v", w.name, door, got))
		}
		done[s.Do]++
		if !all[0].ok {
			refused++
		}
		for _, got := range all {
			if got.ok != all[0].ok || got.status >= 500 || strings.Contains(got.says, "INTERNAL") {
				t.Fatalf("write %d, seed %d: %s does %+v, and\n%s", n, *seed, s.who, s, strings.Join(says, "\n"))
			}
			for _, other := range all {
				if got.status != other.status && got.status >= 300 && other.status >= 300 {
					t.Fatalf("write %d, seed %d: %s does %+v, and the refusals differ:\n%s", n, *seed, s.who, s, strings.Join(says, "\n"))
				}
			}
		}
		first := worlds[0].dump()
		if testing.Verbose() {
			t.Logf("%s %+v", strings.Join(says, "; "), s)
			for _, w := range worlds {
				t.Log(w.name, w.lines(dumped[5]))
			}
		}
		for _, w := range worlds[1:] {
			if other := w.dump(); !slices.Equal(first, other) {
				t.Fatalf("write %d, seed %d: %s does %+v, and after\n%s\nthese differ:\n%s", n, *seed, s.who, s, strings.Join(says, "\n"), differences(first, other))
			}
		}
		if n%40 == 0 {
			for _, w := range worlds {
				if broken := w.broken(); len(broken) > 0 {
					t.Fatalf("write %d, seed %d, %s: after %+v these do not follow from the rows: %q", n, *seed, w.name, s, broken)
				}
			}
			word := a.one([]string{"red", "oak", "pal", "fi"})
			for _, w := range worlds[1:] {
				if one, other := worlds[0].finds("Root", word), w.finds("Root", word); one != other {
					t.Fatalf("write %d, seed %d: a search for %s finds %q in %s and %q in %s", n, *seed, word, one, worlds[0].name, other, w.name)
				}
			}
		}
	}
	t.Logf("%d refused; %v; %v", refused, done, taken)
}

// changes reports whether the step changes something: by an API what a row has already
// is not written, and Ent's client writes it all the same.
func (w *world) changes(s step) bool {
	w.Helper()
	has := func(format string, args ...any) bool { return len(w.lines(fmt.Sprintf(format, args...))) > 0 }
	switch s.Do {
	case "rename":
		return !has(`SELECT 1 FROM boxes WHERE tag = '%s' AND name = '%s'`, s.box, s.Name)
	case "note":
		return !has(`SELECT 1 FROM boxes WHERE tag = '%s' AND COALESCE(note, '') = '%s'`, s.box, strings.TrimSpace(s.Note))
	case "seal":
		return !has(`SELECT 1 FROM boxes WHERE tag = '%s' AND secret = 'sealed:%s' AND shout = '%s' AND box_code = '%s'`, s.box, s.Secret, strings.ToUpper(s.Shout), s.Code)
	case "weigh":
		return !has(`SELECT 1 FROM items WHERE tag = '%s' AND weight = %d AND fragile = (1 = %d)`, s.item, s.Weight, map[bool]int{true: 1}[s.Fragile])
	case "move":
		return !has(`SELECT 1 FROM items i JOIN boxes b ON b.id = i.box_id WHERE i.tag = '%s' AND b.tag = '%s'`, s.item, s.to)
	case "retally":
		tag, kind, _ := strings.Cut(s.tally, " ")
		return !has(`SELECT 1 FROM tallies t JOIN boxes b ON b.id = t.box_id WHERE b.tag = '%s' AND t.kind = '%s' AND t.quantity = %d`, tag, kind, s.Weight)
	case "labels":
		slices.Sort(s.labels)
		return !slices.Equal(s.labels, w.lines(`SELECT l.tag FROM item_labels il JOIN items i ON i.id = il.item_id JOIN labels l ON l.id = il.label_id WHERE i.tag = '`+s.item+`' ORDER BY l.tag`))
	case "items":
		slices.Sort(s.things)
		return !slices.Equal(s.things, w.lines(`SELECT i.tag FROM item_labels il JOIN items i ON i.id = il.item_id JOIN labels l ON l.id = il.label_id WHERE l.tag = '`+s.labels[0]+`' ORDER BY i.tag`))
	}
	return true
}

func differences(a, b []string) string {
	var all []string
	for _, line := range a {
		if !slices.Contains(b, line) {
			all = append(all, "- "+line)
		}
	}
	for _, line := range b {
		if !slices.Contains(a, line) {
			all = append(all, "+ "+line)
		}
	}
	return strings.Join(all, "\n")
}
