package main

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/entwine-go/entwine/kit/policy"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/viewer"

	"example.com/acme/notes/ent"
	"example.com/acme/notes/ent/orm"
	"example.com/acme/notes/ent/typedid"
)

// A link between two rows takes the right to update both (policy.Attach). Stray and Ada are
// of one org: Stray reads Ada's notes, and may not update them.
func TestLinkingNeedsBothRows(t *testing.T) { each(t, linkingNeedsBothRows) }

// shelf has the rows that the requests of the test name.
type shelf struct {
	*world
	adas, theirs, own, label, theirLabel int64
}

func linkingNeedsBothRows(w *world) {
	w.sql(`UPDATE users SET org_id = 1 WHERE name = 'Stray'`)
	w.host.DB.Wake(w.Context(), viewer.Changed)
	w.wants("Stray", "POST", "/api/v1/notes", `{"title":"own","text":"x","slug":"own"}`, 201)
	w.wants("Stray", "POST", "/api/v1/labels", `{"name":"own label"}`, 201)
	s := &shelf{
		w, w.one(`SELECT min(id) FROM notes WHERE org_id = 1`), w.one(`SELECT min(id) FROM notes WHERE org_id = 2`), w.one(`SELECT max(id) FROM notes`),
		w.one(`SELECT max(id) FROM labels`), w.one(`SELECT min(id) FROM labels WHERE org_id = 2`),
	}
	for name, test := range map[string]func(*shelf){
		"paths": (*shelf).paths, "lists": (*shelf).lists, "one": (*shelf).toOne, "actions": (*shelf).actions, "GraphQL": (*shelf).inGraphQL, "Ent": (*shelf).inGo,
	} {
		w.Run(name, func(t *testing.T) {
			inner := *w
			inner.T = t
			one := *s
			one.world = &inner
			test(&one)
			one.links("")
		})
	}
}

// links requires which notes have the label, and that none is below another's.
func (s *shelf) links(want string) {
	s.Helper()
	got := ""
	for _, note := range []int64{s.adas, s.theirs, s.own} {
		if s.one(fmt.Sprintf(`SELECT count(*) FROM note_labels WHERE note_id = %d AND label_id = %d`, note, s.label)) > 0 {
			got += fmt.Sprintf("%d ", note)
		}
	}
	if got != want {
		s.Errorf("the notes with the label are %q, want %q", got, want)
	}
	if n := s.one(fmt.Sprintf(`SELECT count(*) FROM notes WHERE id = %d AND parent_id IS NOT NULL`, s.own)); n != 0 {
		s.Errorf("the note is below another")
	}
}

// same requires the answer to a row of another tenant to be that to an absent one.
func (s *shelf) same(method, path, body string, id int64, status int) {
	s.Helper()
	absent := s.wants("Stray", method, strings.ReplaceAll(path, "ID", "99999"), strings.ReplaceAll(body, "ID", "99999"), status)
	hidden := s.wants("Stray", method, strings.ReplaceAll(path, "ID", fmt.Sprint(id)), strings.ReplaceAll(body, "ID", fmt.Sprint(id)), status)
	if got := strings.ReplaceAll(withoutID(hidden), fmt.Sprint(id), "99999"); got != withoutID(absent) {
		s.Errorf("%s %s %s: a hidden row is told from an absent one: %s and %s", method, path, body, absent, hidden)
	}
}

// Links by paths of REST, from both sides.
func (s *shelf) paths() {
	below, label := fmt.Sprintf("/api/v1/labels/%d/notes/", s.label), fmt.Sprintf("/api/v1/notes/%d/labels/", s.own)
	s.wants("Stray", "PUT", below+fmt.Sprint(s.adas), "", 403, "FORBIDDEN")
	s.same("PUT", below+"ID", "", s.theirs, 404)
	s.same("PUT", label+"ID", "", s.theirLabel, 404)
	s.same("DELETE", below+"ID", "", s.theirs, 404)
	s.wants("Stray", "PUT", fmt.Sprintf("/api/v1/notes/%d/labels/%d", s.adas, s.label), "", 403)
	s.links("")
	s.wants("Stray", "PUT", below+fmt.Sprint(s.own), "", 201)
	s.wants("Stray", "PUT", below+fmt.Sprint(s.own), "", 200)
	s.wants("Ada", "PUT", below+fmt.Sprint(s.adas), "", 201)
	s.wants("Stray", "PUT", below+fmt.Sprint(s.adas), "", 200) // unchanged
	s.wants("Stray", "DELETE", below+fmt.Sprint(s.adas), "", 403)
	s.links(fmt.Sprintf("%d %d ", s.adas, s.own))
	s.wants("Ada", "DELETE", below+fmt.Sprint(s.adas), "", 204)
	s.wants("Stray", "DELETE", below+fmt.Sprint(s.own), "", 204)
	s.wants("Stray", "DELETE", below+fmt.Sprint(s.adas), "", 204)
}

// Links by lists of ids in bodies.
func (s *shelf) lists() {
	at := fmt.Sprintf("/api/v1/labels/%d", s.label)
	s.wants("Stray", "PATCH", at, fmt.Sprintf(`{"note_ids":[%d,%d]}`, s.own, s.adas), 403, `"field":"note_ids[1]"`)
	s.wants("Stray", "PUT", at, fmt.Sprintf(`{"name":"own label","note_ids":[%d]}`, s.adas), 403, `note_ids[0]`)
	s.wants("Stray", "POST", "/api/v1/labels", fmt.Sprintf(`{"name":"another","note_ids":[%d]}`, s.adas), 403, `note_ids[0]`)
	s.same("POST", "/api/v1/labels", `{"name":"another","note_ids":[ID]}`, s.theirs, 422)
	s.same("PATCH", at, `{"note_ids":[ID]}`, s.theirs, 422)
	if n := s.one(`SELECT count(*) FROM labels WHERE name = 'another'`); n != 0 {
		s.Errorf("%d labels were made of what was refused", n)
	}
	s.wants("Ada", "PATCH", at, fmt.Sprintf(`{"note_ids":[%d]}`, s.adas), 200)
	s.wants("Stray", "PATCH", at, fmt.Sprintf(`{"note_ids":[%d,%d]}`, s.adas, s.own), 200) // which adds one
	s.wants("Stray", "PATCH", at, fmt.Sprintf(`{"note_ids":[%d]}`, s.own), 403, `"note_ids"`)
	s.wants("Stray", "PUT", at, `{"name":"own label"}`, 403, `"note_ids"`)
	s.links(fmt.Sprintf("%d %d ", s.adas, s.own))
	s.wants("Ada", "PATCH", at, `{"note_ids":[]}`, 403) // of which one is Stray's
	s.wants("Bob", "PATCH", at, `{"note_ids":[]}`, 200)
}

// Edges to one, which columns of the row are.
func (s *shelf) toOne() {
	at := fmt.Sprintf("/api/v1/notes/%d", s.own)
	s.wants("Stray", "POST", "/api/v1/notes", fmt.Sprintf(`{"title":"x","text":"x","slug":"new","parent_id":%d}`, s.adas), 403, `"field":"parent_id"`)
	s.wants("Stray", "POST", "/api/v1/notes/bulk", fmt.Sprintf(`{"notes":[{"title":"x","text":"x","slug":"a"},{"title":"x","text":"x","slug":"b","parent_id":%d}]}`, s.adas), 403, `notes[1].parent_id`)
	s.wants("Stray", "PATCH", at, fmt.Sprintf(`{"parent_id":%d}`, s.adas), 403, `"field":"parent_id"`)
	s.same("PATCH", at, `{"parent_id":ID}`, s.theirs, 422)
	s.wants("Stray", "POST", "/api/v1/remarks", fmt.Sprintf(`{"note_id":%d,"text":"who reads a note remarks on it"}`, s.adas), 201)
	s.same("POST", "/api/v1/remarks", `{"note_id":ID,"text":"x"}`, s.theirs, 422)

	// A link that is there stays, unless both ends are one's own.
	s.wants("Bob", "PATCH", at, fmt.Sprintf(`{"parent_id":%d}`, s.adas), 200)
	s.wants("Stray", "PATCH", at, fmt.Sprintf(`{"parent_id":%d,"title":"own"}`, s.adas), 200)
	s.wants("Stray", "PATCH", at, `{"parent_id":null}`, 403, `"field":"parent_id"`, "detach")
	s.wants("Stray", "PUT", at, `{"title":"own","text":"x","slug":"own"}`, 403, `"field":"parent_id"`)
	s.wants("Stray", "PUT", at, fmt.Sprintf(`{"title":"own","text":"x","slug":"own","parent_id":%d}`, s.adas), 200)
	s.wants("Bob", "PATCH", at, `{"parent_id":null}`, 200)
}

// Inputs of actions.
func (s *shelf) actions() {
	at := fmt.Sprintf("/api/v1/notes/%d", s.own)
	s.wants("Stray", "POST", at+"/move", fmt.Sprintf(`{"below":%d}`, s.adas), 403, `"field":"below"`)
	s.same("POST", at+"/move", `{"below":ID}`, s.theirs, 422)
	s.wants("Bob", "POST", at+"/move", fmt.Sprintf(`{"below":%d}`, s.adas), 200)
	s.wants("Stray", "POST", at+"/move", fmt.Sprintf(`{"below":%d}`, s.adas), 200)
	s.wants("Stray", "POST", at+"/move", `{"below":null}`, 403, `"field":"below"`)
	s.wants("Bob", "POST", at+"/move", `{"below":null}`, 200)
}

func (s *shelf) inGraphQL() {
	note, label := func(id int64) string { return globalID("Note", id) }, globalID("Label", s.label)
	refused := func(query, field string) {
		s.Helper()
		s.graphql("Stray", "mutation { "+query+" }", `"FORBIDDEN"`, `"path":["`+strings.SplitN(query, "(", 2)[0]+`"]`, field)
	}
	for _, input := range []string{"addNoteIds", "noteIds"} {
		refused(fmt.Sprintf(`updateLabel(id: %q, input: {%s: [%q]}) { id }`, label, input, note(s.adas)), "input."+input+"[0]")
	}
	refused(fmt.Sprintf(`createLabel(input: {name: "another", noteIds: [%q]}) { id }`, note(s.adas)), "input.noteIds[0]")
	refused(fmt.Sprintf(`createNote(input: {title: "x", text: "x", slug: "new", parentId: %q}) { id }`, note(s.adas)), "input.parentId")
	refused(fmt.Sprintf(`updateNote(id: %q, input: {parentId: %q}) { id }`, note(s.own), note(s.adas)), "input.parentId")
	s.graphql("Stray", fmt.Sprintf(`mutation { updateLabel(id: %q, input: {addNoteIds: [%q]}) { id } }`, label, note(s.theirs)), `"BAD_USER_INPUT"`)
	s.graphql("Bob", fmt.Sprintf(`mutation { updateLabel(id: %q, input: {addNoteIds: [%q]}) { id } }`, label, note(s.adas)), `"updateLabel":{"id"`)
	refused(fmt.Sprintf(`updateLabel(id: %q, input: {removeNoteIds: [%q]}) { id }`, label, note(s.adas)), "input.removeNoteIds[0]")
	refused(fmt.Sprintf(`updateLabel(id: %q, input: {noteIds: []}) { id }`, label), "input.noteIds")
	s.graphql("Bob", fmt.Sprintf(`mutation { updateLabel(id: %q, input: {removeNoteIds: [%q]}) { id } }`, label, note(s.adas)), `"updateLabel":{"id"`)
	s.graphql("Bob", fmt.Sprintf(`mutation { updateNote(id: %q, input: {parentId: %q}) { id } }`, note(s.own), note(s.adas)), `"updateNote":{"id"`)
	refused(fmt.Sprintf(`updateNote(id: %q, input: {parentId: null}) { id }`, note(s.own)), "input.parentId")
	s.graphql("Bob", fmt.Sprintf(`mutation { updateNote(id: %q, input: {parentId: null}) { id } }`, note(s.own)), `"updateNote":{"id"`)
}

// Ent's client judges as the APIs do, where a policy is in force.
func (s *shelf) inGo() {
	client := orm.Client(s.host.DB)
	as := func(name, role string) context.Context {
		id := s.one(fmt.Sprintf(`SELECT id FROM users WHERE name = '%s'`, name))
		return policy.As(viewer.With(s.Context(), &viewer.Viewer{UserID: id, Role: viewer.Role(role), Tenant: 1}), policy.Update)
	}
	stray, bob := as("Stray", "user"), as("Bob", "editor")
	own, adas, theirs, label := typedid.NoteID(s.own), typedid.NoteID(s.adas), typedid.NoteID(s.theirs), typedid.LabelID(s.label)
	wants := func(what string, err error, kind problem.Kind) {
		s.Helper()
		if got := problem.KindOf(store.Problem(err)); err == nil || got != kind {
			s.Errorf("%s: %v (%v), want %v", what, err, got, kind)
		}
	}
	done := func(what string, err error) {
		s.Helper()
		if err != nil {
			s.Errorf("%s: %v", what, err)
		}
	}
	wants("add a note of Ada's", client.Label.UpdateOneID(label).AddNoteIDs(adas).Exec(stray), problem.Forbidden)
	wants("add a note of another tenant", client.Label.UpdateOneID(label).AddNoteIDs(theirs).Exec(stray), problem.NotFound)
	wants("add a note that is not there", client.Label.UpdateOneID(label).AddNoteIDs(99999).Exec(stray), problem.NotFound)
	wants("make a label of a note of Ada's", client.Label.Create().SetName("another").AddNoteIDs(adas).Exec(stray), problem.Forbidden)
	wants("move below a note of Ada's", client.Note.UpdateOneID(own).SetParentID(adas).Exec(stray), problem.Forbidden)
	wants("move many below it", client.Note.Update().SetParentID(adas).Exec(stray), problem.Forbidden)
	wants("take a child", client.Note.UpdateOneID(own).AddChildIDs(adas).Exec(stray), problem.Forbidden)
	fresh := func(slug string) *ent.NoteCreate {
		return client.Note.Create().SetTitle("x").SetText("x").SetSlug(slug).SetUserID(typedid.UserID(viewer.From(stray).UserID))
	}
	wants("make one below it", fresh("c").SetParentID(adas).Exec(stray), problem.Forbidden)
	wants("make some", client.Note.CreateBulk(fresh("d"), fresh("e").SetParentID(adas)).Exec(stray), problem.Forbidden)

	done("add one's own", client.Label.UpdateOneID(label).AddNoteIDs(own).Exec(stray))
	done("add, who may", client.Label.UpdateOneID(label).AddNoteIDs(adas).Exec(bob))
	wants("remove a note of Ada's", client.Label.UpdateOneID(label).RemoveNoteIDs(adas).Exec(stray), problem.Forbidden)
	wants("clear them", client.Label.UpdateOneID(label).ClearNotes().Exec(stray), problem.NotFound) // as of a row that one may not update
	done("remove, who may", client.Label.UpdateOneID(label).RemoveNoteIDs(adas).Exec(bob))
	done("clear one's own", client.Label.UpdateOneID(label).ClearNotes().Exec(stray))
	done("move, who may", client.Note.UpdateOneID(own).SetParentID(adas).Exec(bob))
	wants("move away", client.Note.UpdateOneID(own).ClearParent().Exec(stray), problem.NotFound)
	done("move away, who may", client.Note.UpdateOneID(own).ClearParent().Exec(bob))
	done("whatever the system does", client.Note.UpdateOneID(own).SetParentID(adas).Exec(viewer.With(s.Context(), viewer.InTenant(1))))
	done("and undoes", client.Note.UpdateOneID(own).ClearParent().Exec(viewer.With(s.Context(), viewer.InTenant(1))))

	// The constraints of the database refuse the links that the policies refuse.
	for _, text := range []string{
		fmt.Sprintf(`INSERT INTO note_labels (note_id, label_id) VALUES (%d, %d)`, s.theirs, s.label),
		fmt.Sprintf(`UPDATE notes SET parent_id = %d WHERE id = %d`, s.theirs, s.own),
	} {
		if _, err := s.host.DB.ExecContext(s.Context(), text); !store.IsForeignKey(err) {
			s.Errorf("%s: %v, want that the database refuses it", text, err)
		}
	}
}
