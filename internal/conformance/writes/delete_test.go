package writes_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/entwine-go/entwine/internal/rows"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
)

// A soft delete hides a row; a removal deletes it.
func TestDelete(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		remove := func(as, of string, hard bool, expect write.Expect) written {
			return w.try(as, rows.Post, func(ctx context.Context) (write.Row, error) {
				return write.Row{ID: gid.Int(w.id(of))}, w.Delete(ctx, write.Call{Entity: rows.Post, ID: gid.Int(w.id(of)), Expect: expect}, hard)
			})
		}
		w.compare("one's own", remove("bob", "post", false, write.Expect{}), "ok", "version=2", 1)
		if remove("bob", "post", false, write.Expect{}).row("deleted_at") == nil {
			w.Error("the post is not deleted")
		}
		w.compare("by a moderator", remove("mia", "post", false, write.Expect{Versions: []int64{1}}), "ok", "", 1)
		w.compare("another's", remove("eve", "post", false, write.Expect{}), notYours, "", 3)
		w.compare("another's draft", remove("eve", "draft", false, write.Expect{}), "404 post not found", "", 3)
		w.compare("absent", remove("bob", "none", false, write.Expect{}), "404 post not found", "", 3)
		w.compare("stale", remove("bob", "post", false, write.Expect{Versions: []int64{9}}), stale, "", 2)
		w.compare("for good, by the owner", remove("bob", "post", true, write.Expect{}), notYours, "", 0)
		gone := remove("ada", "post", true, write.Expect{})
		w.compare("for good", gone, "ok", "", 3) // one counts what goes along; the first reads the foreign keys
		if gone.row != nil {
			w.Error("the post is still there")
		}
	})
}

// A restore brings back the row and the rows that were deleted with it.
func TestRestore(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		restore := func(as, of string, expect write.Expect) written {
			return w.try(as, rows.User, func(ctx context.Context) (write.Row, error) {
				return w.Restore(ctx, write.Call{Entity: rows.User, ID: gid.Int(w.id(of)), Expect: expect})
			})
		}
		w.compare("not deleted", restore("ada", "bob", write.Expect{}), "409 the user is not deleted", "", -1)
		w.compare("not deleted, stale", restore("ada", "bob", write.Expect{Versions: []int64{9}}), stale, "", -1)
		w.compare("absent", restore("ada", "none", write.Expect{}), "404 user not found", "", -1)
		if err := w.Delete(w.as("ada"), write.Call{Entity: rows.User, ID: gid.Int(w.ids["bob"])}, false); err != nil {
			w.Fatal(err)
		}
		w.compare("not by a user", restore("eve", "bob", write.Expect{}), notYours, "", 0)
		w.compare("restored", restore("ada", "bob", write.Expect{Versions: []int64{2}}), "ok", "deleted_at=<nil> version=3", -1)
		w.compare("stale", restore("ada", "bob", write.Expect{Versions: []int64{9}}), stale, "", -1)
	})
}

// listed are the rows of the ids, as the input lists them.
func listed(ids ...any) (items []write.Item) {
	for i, id := range ids {
		items = append(items, write.Item{ID: id, At: fmt.Sprintf("ids[%d]", i), Input: write.Input{API: rest}})
	}
	return items
}

// Many rows are deleted each for itself.
func TestDeleteMany(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		var outcomes []write.Outcome
		got := w.try("ada", rows.User, func(ctx context.Context) (_ write.Row, err error) {
			call := write.Call{Entity: rows.User, Input: write.Input{API: rest}}
			outcomes, err = w.DeleteMany(ctx, call, listed(w.ids["bob"], int64(999), w.ids["bob"], w.ids["ada"], int64(-1), "bob"), false)
			return write.Row{}, err
		})
		w.compare("all", got, "ok", "", -1)
		for i, want := range []string{"ok", "404 user not found", "404 user not found", "409 this is the last active admin: make another user an admin first",
			"400 " + bad + "; ids[4] must be at least 1", "400 " + bad + "; ids[5] must be a whole number, not a string"} {
			if said := said(outcomes[i].Err); said != want {
				w.Errorf("deletion %d: %s, want %s", i, said, want)
			}
		}
	})
}

// An activity around a delete runs in its transaction, once for each row, by every address
// of the row; its error rolls both back.
func TestAroundADelete(t *testing.T) {
	t.Parallel()
	each(t, func(w *world) {
		var told []write.Change
		var refuse error
		engine := *w.Engine
		around := &write.Around{Delete: func(ctx context.Context, c *write.Change, remove func(context.Context) error) error {
			told = append(told, *c)
			if err := remove(ctx); err != nil {
				return err
			}
			return refuse
		}}
		engine.Around = map[string]*write.Around{"Post": around, "User": around, "Profile": around}
		remove := func(as string, c write.Call, hard bool) written {
			return w.try(as, c.Entity, func(ctx context.Context) (write.Row, error) {
				return write.Row{ID: gid.Int(w.ids["post"])}, engine.Delete(ctx, c, hard)
			})
		}
		post := write.Call{Entity: rows.Post, ID: gid.Int(w.ids["post"])}
		w.compare("hidden", remove("bob", post, false), "ok", "version=2", -1)
		w.compare("removed", remove("ada", post, true), "ok", "", -1)
		w.compare("another's", remove("eve", post, false), notYours, "", -1)
		refuse = problem.New(problem.Conflict, "not now")
		w.compare("refused afterwards", remove("bob", post, false), "409 not now", "", -1)
		refuse = nil
		if _, err := engine.DeleteMany(w.as("ada"), write.Call{Entity: rows.User, Input: write.Input{API: rest}}, listed(int64(999), w.ids["eve"]), false); err != nil {
			w.Error(err)
		}
		profile := write.Call{Entity: rows.Profile, Fixed: write.Fixed{Field: "user_id", ID: gid.Int(w.ids["bob"])}}
		if _, err := engine.Put(w.as("bob"), write.Call{Entity: rows.Profile, Fixed: profile.Fixed, Input: w.input(rest, `{"bio":"Bob's"}`)}, true); err != nil {
			w.Error(err)
		}
		system := viewer.With(w.Context(), viewer.System())
		got := fmt.Sprint(said(engine.Delete(system, profile, false)), " ", said(engine.Delete(system, profile, false)))
		if want := "ok 404 profile not found"; got != want {
			w.Errorf("the profile of a user, twice: %s, want %s", got, want)
		}
		verbs := []string{"delete", "remove", "delete", "delete", "delete", "delete", "delete"}
		for i, c := range told {
			if i >= len(verbs) || c.Verb != verbs[i] || c.ID.IsZero() || c.Values != nil {
				w.Errorf("delete %d is told of as %+v", i, c)
			}
		}
		if len(told) != len(verbs) {
			w.Errorf("%d deletes are told of, want %d", len(told), len(verbs))
		}
	})
}
