package clients_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/entwine-go/entwine/kit/kittest/storetest"
	"github.com/entwine-go/entwine/kit/store"
)

// todoHistory has all that the list of posts of the only user was, in its order: each write is
// noted by a trigger, one transaction after the other.
var todoHistory = store.PerDialect(
	`CREATE TABLE history (n bigserial PRIMARY KEY, post_id bigint NOT NULL, title text NOT NULL, published boolean NOT NULL, version bigint NOT NULL, gone boolean NOT NULL, made timestamptz NOT NULL);
	CREATE FUNCTION history() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
		PERFORM pg_advisory_xact_lock(39);
		INSERT INTO history (post_id, title, published, version, gone, made) VALUES (NEW.id, NEW.title, NEW.published, NEW.version, NEW.deleted_at IS NOT NULL, NEW.created_at);
		RETURN NULL;
	END $$;
	CREATE TRIGGER history AFTER INSERT OR UPDATE ON posts FOR EACH ROW EXECUTE FUNCTION history();`,
	`CREATE TABLE history (n integer PRIMARY KEY, post_id bigint NOT NULL, title text NOT NULL, published bool NOT NULL, version bigint NOT NULL, gone bool NOT NULL, made datetime NOT NULL);
	CREATE TRIGGER history_of_inserts AFTER INSERT ON posts BEGIN
		INSERT INTO history (post_id, title, published, version, gone, made) SELECT id, title, published, version, deleted_at IS NOT NULL, created_at FROM posts WHERE id = NEW.id;
	END;
	CREATE TRIGGER history_of_updates AFTER UPDATE ON posts BEGIN
		INSERT INTO history (post_id, title, published, version, gone, made) SELECT id, title, published, version, deleted_at IS NOT NULL, created_at FROM posts WHERE id = NEW.id;
	END;`)

// todoNote is a post after a write.
type todoNote struct {
	id      int64
	title   string
	done    bool
	version int64
	gone    bool
	made    time.Time
}

// todoWritten are those that the history has. On SQLite an update raises the version by
// another: what is between them was never committed.
func todoWritten(t *testing.T, db *store.DB) (all []todoNote) {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), "SELECT post_id, title, published, version, gone, made FROM history ORDER BY n")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var w todoNote
		if err := rows.Scan(&w.id, &w.title, &w.done, &w.version, &w.gone, &w.made); err != nil {
			t.Fatal(err)
		}
		if n := len(all) - 1; db.Dialect.Name() == "sqlite3" && n >= 0 && all[n].id == w.id && all[n].title == w.title && all[n].done == w.done && all[n].gone == w.gone {
			all = all[:n]
		}
		all = append(all, w)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// todoStates are the states of the list after each write, with the versions of the rows and
// without.
func todoStates(all []todoNote) (rows, shown []string) {
	var now []todoNote
	state := func() {
		versions, titles := make([][4]any, 0, len(now)), make([][3]any, 0, len(now))
		for _, w := range now[:min(len(now), 100)] {
			versions = append(versions, [4]any{w.id, w.title, w.done, w.version})
			titles = append(titles, [3]any{w.id, w.title, w.done})
		}
		a, _ := json.Marshal(versions)
		b, _ := json.Marshal(titles)
		rows, shown = append(rows, string(a)), append(shown, string(b))
	}
	state()
	for _, w := range all {
		i, known := slices.BinarySearchFunc(now, w, func(a, b todoNote) int {
			if c := a.made.Compare(b.made); c != 0 {
				return c
			}
			return int(a.id - b.id)
		})
		switch {
		case known && w.gone:
			now = slices.Delete(now, i, i+1)
		case known:
			now[i] = w
		case !w.gone:
			now = slices.Insert(now, i, w)
		}
		state()
	}
	return rows, shown
}

// compareScreens has what the program has noted of its screens be what the list was, one
// after the other: it goes back on none.
func compareScreens(t *testing.T, dir string, db *store.DB) (said string) {
	t.Helper()
	var seen struct {
		States  []string
		Screens [][]int
		Frames  [][]string
	}
	text, err := os.ReadFile(filepath.Join(dir, "seen.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &seen); err != nil {
		t.Fatal(err)
	}
	all := todoWritten(t, db)
	rows, shown := todoStates(all)
	events, frames := 0, 0
	follow := func(name string, was []string, screen []string) {
		places := map[string][]int{}
		for i, state := range was {
			places[state] = append(places[state], i)
		}
		last := 0
		for i, state := range screen {
			at, _ := slices.BinarySearch(places[state], last)
			if at == len(places[state]) {
				t.Fatalf("%s: its state %d of %d was never the list after what it showed before, %s\nbut\n%s\nwhich was the list after the writes %v", name, i, len(screen), was[last], state, places[state])
			}
			last = places[state][at]
		}
		if len(screen) == 0 || !slices.Contains(places[screen[len(screen)-1]], len(was)-1) {
			t.Errorf("%s: %d states, of which the last is not the last of the list", name, len(screen))
		}
	}
	for i, screen := range seen.Screens {
		states := make([]string, len(screen))
		for j, n := range screen {
			states[j] = seen.States[n]
		}
		events += len(states)
		follow(fmt.Sprintf("screen %d", i), rows, states)
	}
	for i, screen := range seen.Frames {
		frames += len(screen)
		follow(fmt.Sprintf("browser %d", i), shown, screen)
	}
	return fmt.Sprintf("%d writes, %d states of %d screens and %d frames of browsers", len(all), events, len(seen.Screens), frames)
}

// noteHistory makes the trigger in an empty database.
func noteHistory(t *testing.T, schema storetest.Schema, url string) {
	t.Helper()
	db := schema.Kept(t, url)
	if _, err := db.ExecContext(t.Context(), todoHistory.On(db.Dialect)); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}
