package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/entwine-go/entwine/kit/codegen/change"
	"github.com/entwine-go/entwine/kit/codegen/contract"
	"github.com/entwine-go/entwine/kit/kittest/programtest"
)

func readContract(t *testing.T, dir string) *contract.Contract {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, contract.File))
	if err != nil {
		t.Fatal(err)
	}
	c, err := contract.Decode(text)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// written writes the schemas of testdata/versions with the names.
func written(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		text, err := os.ReadFile(filepath.Join("testdata", "versions", name+".go"))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "schema", name+".go"), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// changeSafely makes a change of every kind that breaks nothing.
func changeSafely(t *testing.T, dir string) {
	t.Helper()
	written(t, dir, "place")
	replaced(t, filepath.Join(dir, "schema", "note.go"),
		`field.String("title"), 1, 200)).`, `field.String("headline").StorageKey("title"), 1, 300)).`,
		`Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Example("Engines"))`,
		`Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Example("Engines"), expose.Was("title").Until("2026-01-01", "2999-01-01"))`,
		`Annotations(expose.Money("currency"),`, `Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Money("currency"),`,
		"\t\tfield.Bool(\"done\")", `		field.String("subtitle").Optional().Nillable().
			Comment("A line below the title."),
		field.Int("rank").Default(3).
			Comment("How important it is.").
			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective()),
		field.Int64("place_id").Optional().Nillable().
			Comment("Where it is written.").
			Annotations(expose.By(expose.Filter)),
		field.Bool("done")`,
		`Annotations(expose.By(expose.Filter), expose.Scanned()),
		field.Int64("user_id")`, `Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective()),
		field.Int64("user_id")`,
		`		edge.From("user"`, `		edge.From("place", Place.Type).Ref("notes").Field("place_id").Unique().
			Comment("Where it is written."),
		edge.From("user"`,
		`[]ent.Index{index.Fields("user_id", "created_at", "id")}`, `[]ent.Index{index.Fields("user_id", "created_at", "id"), index.Fields("place_id", "created_at", "id")}`,
	)
	replaced(t, filepath.Join(dir, "schema", "user.go"), `			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Example("Ada Lovelace")),
`, `			Annotations(expose.By(expose.Filter, expose.Sort), expose.Selective(), expose.Example("Ada Lovelace")),
		field.Int64("notes_count").Default(0).
			Comment("How many notes there are.").
			Annotations(expose.CountOf("notes", "")),
`)
	replaced(t, filepath.Join(dir, "schema", "label.go"), `field.String("code").Optional().Nillable().Unique()`, `field.String("code").Optional().Nillable()`)
}

// verdicts are those of the corpus of changes.
const verdicts = "../../kit/codegen/change/testdata/verdicts.txt"

// callsSafe requires that the changes break nothing, and that there is one of each
// kind of which some change is called safe for all.
func callsSafe(t *testing.T, before, after *contract.Contract) {
	t.Helper()
	made := map[string]bool{}
	for _, f := range change.Judge(before, after) {
		made[f.Code] = true
		if f.Verdict == change.Breaks && f.Effects.Locks != change.Breaks || f.Effects.Rows == change.Breaks || f.Effects.Old == change.Breaks {
			t.Errorf("%s %s is no change that breaks nothing: %s. %s", f.Code, f.What, f.Says, change.Felt(&f))
		}
	}
	text, err := os.ReadFile(verdicts)
	if err != nil {
		t.Fatal(err)
	}
	for _, found := range regexp.MustCompile(`(?m)^\tsafe +([a-z-]+)`).FindAllStringSubmatch(string(text), -1) {
		if !made[found[1]] {
			t.Errorf("%s is called safe, and no change here is one: there are %v", found[1], made)
			made[found[1]] = true
		}
	}
}

// turns is how often a writer writes before something happens.
const turns = 15

// beside has the second program migrate and serve beside the first one, which c
// talks to, while clients read and write with both.
func (c *client) beside(program string) {
	c.Helper()
	old := c.writers("title", 0, 1)
	old.wait()
	migrate := programtest.Command(c.Context(), program, "migrate", "up")
	migrate.Dir, migrate.Env = c.TempDir(), c.environment
	if out, err := migrate.CombinedOutput(); err != nil {
		c.Fatalf("migrate up: %v: %s", err, out)
	}
	old.wait()
	second := &client{T: c.T, kept: map[string]string{}, program: "second", environment: c.environment}
	end := second.serve(program)
	now, both := second.writers("headline", 2), second.writers("title", 3)
	for range 2 {
		old.wait()
		now.wait()
		both.wait()
	}
	var made []note
	for _, w := range []*writers{old, now, both} {
		made = append(made, w.stop()...)
	}
	for _, one := range []*client{c, second} {
		for _, w := range made {
			if _, said := one.send("GET", fmt.Sprintf("/api/v1/notes/%d", w.id), ""); !strings.Contains(said, `"title":"`+w.title+`"`) {
				c.Errorf("%s: note %d: %s, want the title %s", one.program, w.id, said, w.title)
			}
		}
	}
	if _, said := second.send("GET", "/api/v1/notes?user_id=1&limit=1", ""); !strings.Contains(said, fmt.Sprintf(`"total":%d`, len(made))) {
		c.Errorf("%d notes were written: %s", len(made), said)
	}
	if _, said := second.send("GET", "/api/v1/users/1", ""); !strings.Contains(said, fmt.Sprintf(`"notes_count":%d`, len(made))) {
		c.Errorf("%d notes were written, and are counted: %s", len(made), said)
	}
	if _, said := second.send("GET", "/api/v1/notes?rank=3&user_id=1&limit=1", ""); !strings.Contains(said, fmt.Sprintf(`"total":%d`, len(made))) {
		c.Errorf("the default is not in each of %d notes: %s", len(made), said)
	}
	if _, said := second.send("GET", "/api/v1/notes?fee[lte]=2.5&fee[gte]=2.5&user_id=1&sort=-fee&limit=1", ""); !strings.Contains(said, fmt.Sprintf(`"total":%d`, len(made))) {
		c.Errorf("the fee of each of %d notes can be compared: %s", len(made), said)
	}
	end()
}

// note is one that was written, and what is in it.
type note struct {
	id    int64
	title string
}

// writers write and read by one program until they are stopped.
type writers struct {
	*client
	wrote chan struct{}
	done  chan struct{}
	all   sync.WaitGroup

	mu   sync.Mutex
	made []note
}

// writers starts one for each number, which call the title so.
func (c *client) writers(name string, numbers ...int) *writers {
	w := &writers{client: c, wrote: make(chan struct{}), done: make(chan struct{})}
	if _, said := c.send("GET", "/api/v1/users/1", ""); strings.HasPrefix(said, "404") {
		c.send("POST", "/api/v1/users", `{"name":"Ada Lovelace"}`)
	}
	for _, n := range numbers {
		w.all.Go(func() {
			for i := 0; ; i++ {
				if err := w.write(name, fmt.Sprintf("w%d n%d", n, i), i); err != nil {
					c.Errorf("%s, by %s: %v", c.program, name, err)
				}
				select {
				case <-w.done:
					return
				case w.wrote <- struct{}{}:
				}
			}
		})
	}
	return w
}

// wait waits until they have written some more.
func (w *writers) wait() {
	for range turns {
		<-w.wrote
	}
}

// stop ends them and returns what they wrote.
func (w *writers) stop() []note {
	close(w.done)
	w.all.Wait()
	return w.made
}

// write makes a note, changes it, and finds it: by REST or by GraphQL.
func (w *writers) write(name, title string, turn int) error {
	var made struct{ Data struct{ ID int64 } }
	if err := w.request("POST", "/api/v1/notes", fmt.Sprintf(`{%q:"draft","text":"t","user_id":1}`, name), 201, &made); err != nil {
		return err
	}
	id := made.Data.ID
	change := func() error {
		return w.request("PATCH", fmt.Sprintf("/api/v1/notes/%d", id), fmt.Sprintf(`{%q:%q}`, name, title), 200, nil)
	}
	if turn%2 == 1 {
		change = func() error {
			return w.request("POST", "/graphql", fmt.Sprintf(`{"query":"mutation { updateNote(id: %d, input: {%s: \"%s\"}) { %s } }"}`, id, name, title, name), 200, nil)
		}
	}
	if err := change(); err != nil {
		return err
	}
	var found json.RawMessage
	path := fmt.Sprintf("/api/v1/notes?%s=%s&sort=-%s&fields=id,%s", name, strings.ReplaceAll(title, " ", "+"), name, name)
	if err := w.request("GET", path, "", 200, &found); err != nil {
		return err
	}
	if !bytes.Contains(found, []byte(title)) {
		return fmt.Errorf("%s: %s, want %s", path, found, title)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.made = append(w.made, note{id, title})
	return nil
}

func (w *writers) request(method, path, body string, status int, into any) error {
	r, err := http.NewRequest(method, w.url+path, strings.NewReader(body))
	if err != nil {
		return err
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(answer.Body); err != nil {
		return err
	}
	if answer.StatusCode != status || path == "/graphql" && strings.Contains(b.String(), `"errors"`) {
		return fmt.Errorf("%s %s %s: %d %s", method, path, body, answer.StatusCode, b.String())
	}
	if into == nil {
		return nil
	}
	return json.Unmarshal(b.Bytes(), into)
}
