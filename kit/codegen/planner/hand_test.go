package planner_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"entgo.io/ent/dialect/sql/schema"
	"entgo.io/ent/schema/field"

	"github.com/entwine-go/entwine/kit/codegen/planner"
)

// The planner ignores objects that migrations make by hand: views, and names with the
// prefix byhand_.
func TestWhatIsMadeByHandIsLeftAlone(t *testing.T) {
	t.Parallel()
	root := released(t)
	byHand := map[string]string{
		"sqlite": `CREATE VIEW adults AS SELECT id, name FROM users WHERE age >= 18;
CREATE TABLE byhand_notes (id integer PRIMARY KEY, text text);
CREATE INDEX byhand_users_bio ON users (bio);
CREATE TRIGGER byhand_users AFTER INSERT ON users BEGIN INSERT INTO byhand_notes (text) VALUES (NEW.name); END;
`,
		"postgres": `CREATE VIEW adults AS SELECT id, name FROM users WHERE age >= 18;
CREATE TABLE byhand_notes (id bigint PRIMARY KEY, text text);
CREATE INDEX byhand_users_bio ON users (bio);
CREATE FUNCTION byhand_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;
CREATE TRIGGER byhand_users AFTER INSERT ON users FOR EACH ROW EXECUTE FUNCTION byhand_note();
`,
	}
	for folder, text := range byHand {
		if err := os.WriteFile(filepath.Join(root, folder, "29990101000000_by_hand.sql"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := planner.Hash(root); err != nil {
		t.Fatal(err)
	}
	if text := diff(t, root, "nothing", blog()); text != "" {
		t.Fatalf("nothing changed, and the migration is\n%s", text)
	}
	if err := planner.Verify(t.Context(), root, blog()); err != nil {
		t.Fatalf("Verify: %v", err)
	}
	text := diff(t, root, "grow", grown())
	for _, dropped := range []string{"DROP TABLE `byhand_notes`", `DROP TABLE "byhand_notes"`, "DROP FUNCTION byhand_note"} {
		if strings.Contains(text, dropped) {
			t.Errorf("%s in\n%s", dropped, text)
		}
	}
	for _, again := range []string{"CREATE TRIGGER byhand_users AFTER INSERT", "CREATE INDEX byhand_users_bio"} {
		if !strings.Contains(text, again) {
			t.Errorf("the table is made anew on SQLite without %s:\n%s", again, text)
		}
	}
	if err := planner.Verify(t.Context(), root, grown()); err != nil {
		t.Errorf("Verify of what has grown: %v", err)
	}
}

// grown is a blog whose users have one column more, and a check for which SQLite makes
// their table anew.
func grown() planner.Schema {
	s := blog()
	users := s.Tables[0]
	users.Annotation.Checks["adult"] = "age >= 21"
	users.Columns = append(users.Columns, &schema.Column{Name: "rank", Type: field.TypeInt64, Nullable: true})
	return s
}
