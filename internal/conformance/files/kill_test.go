// Package files_test shows that files of fields and their rows belong together, whatever
// is killed.
package files_test

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"flag"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/entwine-go/entwine/ent/orm"
	"github.com/entwine-go/entwine/internal/entity"
	"github.com/entwine-go/entwine/internal/rows"
	kitentity "github.com/entwine-go/entwine/kit/entity"
	"github.com/entwine-go/entwine/kit/files"
	"github.com/entwine-go/entwine/kit/files/s3/s3test"
	"github.com/entwine-go/entwine/kit/gid"
	"github.com/entwine-go/entwine/kit/problem"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
	"github.com/entwine-go/entwine/kit/viewer"
	"github.com/entwine-go/entwine/kit/write"
	"github.com/entwine-go/entwine/migrate/migratetest"
)

// The environment of a process of this program that is no test.
const (
	databaseEnv = "ENTWINE_FILES_DATABASE"
	storeEnv    = "ENTWINE_FILES_STORE"
	fromEnv     = "ENTWINE_FILES_STORE_FROM"
	spoolEnv    = "ENTWINE_FILES_SPOOL"
)

func TestMain(m *testing.M) {
	if os.Getenv(databaseEnv) == "" {
		os.Exit(m.Run())
	}
	if err := child(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// people are how many users have pictures.
const people = 4

func keeper(db *store.DB, s files.Store) *files.Keeper {
	engine := rows.Engine(db)
	k := &files.Keeper{
		Log: slog.New(slog.DiscardHandler), DB: db, Store: s,
		Reader: engine.Reader, Engine: engine, Targets: files.Targets(entity.All),
	}
	engine.Around = map[string]*write.Around{}
	maps.Copy(engine.Around, k.Around())
	return k
}

var (
	profilesText = statement.Of(`SELECT id, user_id FROM profiles ORDER BY id`)
	danglingText = statement.Of(`SELECT COUNT(*) FROM profiles WHERE avatar IS NOT NULL AND NOT EXISTS (
		SELECT 1 FROM files WHERE files.address = profiles.avatar AND files.entity_id = profiles.id AND files.released_at IS NULL)`)
	agedText  = statement.Of(`UPDATE files SET created_at = later(-90000) WHERE entity_id IS NULL`)
	staleText = statement.Of(`UPDATE file_uploads SET expires_at = later(-1)`)
	looseText = statement.Of(`UPDATE file_parts SET released_at = later(-1) WHERE released_at IS NOT NULL`)
	blobsText = statement.Of(`SELECT COUNT(*) FROM blobs`)
)

// place is where files are, and are moved from, if they are.
type place struct{ to, from, spool string }

// open opens the stores.
func (p place) open(ctx context.Context) (files.Store, error) {
	to, err := files.OpenStore(ctx, p.to, p.spool)
	if err != nil || p.from == "" {
		return to, err
	}
	from, err := files.OpenStore(ctx, p.from, p.spool)
	return &files.Moving{To: to, From: from}, err
}

// child uploads pictures and has profiles take them, one for each user at a time, while
// it removes those that no profile has any more, and moves the others where there are two
// stores. It says each step, until it is killed.
func child() error {
	ctx := context.Background()
	db, err := store.Open(ctx, store.Config{URL: os.Getenv(databaseEnv)})
	if err != nil {
		return err
	}
	where, err := place{os.Getenv(storeEnv), os.Getenv(fromEnv), os.Getenv(spoolEnv)}.open(ctx)
	if err != nil {
		return err
	}
	k := keeper(db, where)
	profiles := map[int64]int64{}
	err = profilesText.Query(ctx, db, func(r *sql.Rows) error {
		var id, user int64
		err := r.Scan(&id, &user)
		profiles[id] = user
		return err
	})
	if err != nil {
		return err
	}
	failed := make(chan error)
	for id, user := range profiles {
		go func() { failed <- paint(ctx, k, id, user) }()
	}
	go func() {
		for {
			if _, err := k.Sweep(ctx); err != nil {
				failed <- err
			}
			fmt.Println("swept")
		}
	}()
	go func() {
		for os.Getenv(fromEnv) != "" {
			if _, err := k.Move(ctx); err != nil {
				failed <- err
			}
			fmt.Println("moved")
		}
	}()
	return <-failed
}

// paint gives a profile one picture after the other: some of them it had before.
func paint(ctx context.Context, k *files.Keeper, id, user int64) error {
	ctx = viewer.With(ctx, &viewer.Viewer{UserID: user, Role: "user"})
	target, _ := k.Target("profile.avatar")
	notes, _ := k.Target("comment_attachment.file")
	for {
		note := strings.Repeat(fmt.Sprint("a note ", rand.IntN(10)), 1000)
		if _, err := send(ctx, k, files.Upload{Target: notes, Name: "a.txt", Body: strings.NewReader(note)}); err != nil {
			return fmt.Errorf("take a note: %w", err) // which no row gets: its parts are joined
		}
		fmt.Println("noted")
		f, err := send(ctx, k, files.Upload{Target: target, Name: "a.png", Body: painting(rand.IntN(10))})
		if err != nil {
			return fmt.Errorf("take: %w", err)
		}
		fmt.Println("stored")
		_, err = k.Engine.Update(ctx, write.Call{
			Entity: rows.Profile, ID: gid.Int(id),
			Input: write.Input{API: &write.API{Field: rest}, Members: map[string]any{"avatar": f.Address}},
		}, false)
		if err != nil {
			return fmt.Errorf("attach: %w", err)
		}
		fmt.Println("attached")
		// A sweep of what another write releases may be faster.
		if _, err := k.Variant(ctx, f, "small"); err != nil && problem.KindOf(err) != problem.NotFound {
			return fmt.Errorf("make a variant: %w", err)
		}
		fmt.Println("made")
	}
}

// send uploads at once, or in two parts.
func send(ctx context.Context, k *files.Keeper, u files.Upload) (*files.File, error) {
	if rand.IntN(2) == 0 {
		return k.Take(ctx, u)
	}
	p, err := k.Begin(ctx, u, -1)
	if err != nil {
		return nil, err
	}
	if _, err := k.Append(ctx, p, files.Piece{Body: io.LimitReader(u.Body, 50)}); err != nil {
		return nil, err
	}
	fmt.Println("begun")
	return k.Append(ctx, p, files.Piece{Offset: p.Received, Body: u.Body, Last: true})
}

// painting is one of ten pictures, of some bytes and of a hundred thousand.
func painting(n int) io.Reader {
	side := 1 + n%2*300
	m := image.NewGray(image.Rect(0, 0, side, side))
	random := rand.New(rand.NewPCG(uint64(n), 0))
	for i := range m.Pix {
		m.Pix[i] = byte(random.Uint32())
	}
	var b bytes.Buffer
	_ = png.Encode(&b, m) // a buffer takes all
	return &b
}

// rest is how REST v1 names a field.
func rest(f *kitentity.Field) string { return f.REST }

var kills = flag.Int("kills", 6, "how often a process is killed, in each of the five cases")

// No row names a file that the store lacks, and no stored file stays without a row once the
// sweeper has run: processes are killed at random points of what they do with files.
func TestFilesAndRowsBelongTogetherAfterKills(t *testing.T) {
	t.Parallel()
	schema := migratetest.Schema(t)
	for name, c := range map[string]struct {
		address func(testing.TB) string
		store   func(t *testing.T) place
	}{
		"sqlite and a folder":       {schema.SQLiteURL, inFolder},
		"postgres and a folder":     {schema.PostgresURL, inFolder},
		"postgres and a bucket":     {schema.PostgresURL, inBucket},
		"sqlite, moved to a bucket": {schema.SQLiteURL, moved},
		"postgres, moved":           {schema.PostgresURL, moved},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url, where := c.address(t), c.store(t)
			db, err := store.Open(t.Context(), store.Config{URL: url})
			if err != nil {
				t.Fatal(err)
			}
			defer db.Close()
			ctx := viewer.With(t.Context(), viewer.System())
			client := orm.Client(db)
			for i := range people {
				u := client.User.Create().SetName(fmt.Sprint("Painter ", i)).SetEmail(fmt.Sprintf("painter%d@example.com", i)).SaveX(ctx)
				client.Profile.Create().SetUserID(u.ID).SaveX(ctx)
			}
			k := keeperAt(t, db, where)
			for i := range *kills {
				if where.from != "" && i%3 == 2 { // back again
					where.to, where.from = where.from, where.to
					k = keeperAt(t, db, where)
				}
				killOne(t, url, where, rand.IntN(60))
				wanted(t, k, db)
			}
			for _, text := range []statement.Statement{agedText, staleText, looseText} { // a day later
				if _, err := text.Exec(ctx, db); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := k.Sweep(ctx); err != nil {
				t.Fatal(err)
			}
			if _, err := k.Collect(ctx, time.Now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
			if _, err := k.Move(ctx); where.from != "" && err != nil {
				t.Fatal(err)
			}
			wanted(t, k, db)
			stored, rows := 0, count(t, db, blobsText)
			err = k.Store.Each(t.Context(), "", func(o files.Object) error {
				if stored++; strings.HasPrefix(o.Key, "drafts") {
					t.Errorf("%s is left", o.Key)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if stored != rows || rows > 2*people { // an original and a variant each
				t.Errorf("%d are stored, with %d rows, for %d profiles", stored, rows, people)
			}
			if left, err := filepath.Glob(filepath.Join(where.spool, "*")); len(left) > 0 || err != nil {
				t.Errorf("%v are left (%v)", left, err)
			}
		})
	}
}

func inFolder(t *testing.T) place {
	folder := filepath.Join(t.TempDir(), "files")
	return place{to: folder, spool: filepath.Join(folder, "drafts")}
}

func inBucket(t *testing.T) place {
	return place{to: s3test.Start(t).Address("files"), spool: filepath.Join(t.TempDir(), "spool")}
}

func moved(t *testing.T) place {
	p := inBucket(t)
	p.from = inFolder(t).to
	return p
}

func keeperAt(t *testing.T, db *store.DB, p place) *files.Keeper {
	t.Helper()
	s, err := p.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return keeper(db, s)
}

// wanted fails where a row has no file, or a profile has one that is not its own.
func wanted(t *testing.T, k *files.Keeper, db *store.DB) {
	t.Helper()
	r, err := k.Check(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Missing)+len(r.Damaged) > 0 {
		t.Fatalf("missing: %v, damaged: %v", r.Missing, r.Damaged)
	}
	if n := count(t, db, danglingText); n > 0 {
		t.Fatalf("%d profiles have the address of a file that is not theirs", n)
	}
	if wrong, err := k.Recount(t.Context()); wrong > 0 || err != nil {
		t.Fatalf("%d counts of stored bytes are wrong (%v)", wrong, err)
	}
}

func count(t *testing.T, db *store.DB, text statement.Statement) (n int) {
	t.Helper()
	if _, err := text.Row(t.Context(), db, []any{&n}); err != nil {
		t.Fatal(err)
	}
	return n
}

// killOne starts a process and kills it after so many steps, in the midst of others.
func killOne(t *testing.T, url string, where place, steps int) {
	t.Helper()
	c := exec.CommandContext(t.Context(), os.Args[0])
	c.Env = append(os.Environ(), databaseEnv+"="+url, storeEnv+"="+where.to, fromEnv+"="+where.from, spoolEnv+"="+where.spool)
	var said strings.Builder
	c.Stderr = &said
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for range steps + 1 {
		if !lines.Scan() {
			break
		}
	}
	_ = c.Process.Kill()
	_, _ = io.Copy(io.Discard, out)
	_ = c.Wait()
	if said.Len() > 0 {
		t.Fatalf("the process says %s", said.String())
	}
}
