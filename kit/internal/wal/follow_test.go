package wal_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	_ "modernc.org/sqlite"

	"github.com/entwine-go/entwine/kit/internal/wal"
)

var (
	rounds = flag.Int("wal-rounds", 6, "how many writers TestFollower kills")
	seed   = flag.Uint64("wal-seed", 0, "what its writers begin with, 0 for anything")
)

// writerFile makes this program a writer of the file.
const writerFile = "ENTWINE_TEST_WAL_WRITER"

func TestMain(m *testing.M) {
	if file := os.Getenv(writerFile); file != "" {
		n, _ := strconv.ParseUint(os.Getenv(writerFile+"_SEED"), 10, 64)
		fmt.Fprintln(os.Stderr, write(file, n))
		os.Exit(1)
	}
	flag.Parse()
	os.Exit(m.Run())
}

func open(file string) *sql.DB {
	from := url.URL{Scheme: "file", Opaque: file, RawQuery: "_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_txlock=immediate"}
	db, err := sql.Open("sqlite", from.String())
	if err != nil {
		panic(err)
	}
	return db
}

// write writes for as long as it lives, as services do and worse.
func write(file string, seed uint64) error {
	ctx, r := context.Background(), rand.New(rand.NewPCG(seed, 1))
	db := open(file)
	for n := 0; ; n++ {
		if n == 20 {
			fmt.Println("busy")
		}
		switch r.IntN(200) {
		case 0:
			if _, err := db.ExecContext(ctx, "VACUUM"); err != nil {
				return err
			}
		case 1, 2, 3:
			// Where somebody reads, it is not done.
			_, _ = db.ExecContext(ctx, "PRAGMA wal_checkpoint("+[]string{"PASSIVE", "FULL", "RESTART", "TRUNCATE"}[r.IntN(4)]+")")
		case 4:
			if err := db.Close(); err != nil {
				return err
			}
			db = open(file)
		default:
			if err := transaction(ctx, db, r); err != nil {
				return err
			}
		}
	}
}

func transaction(ctx context.Context, db *sql.DB, r *rand.Rand) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	many := 1 + r.IntN(8)
	if r.IntN(100) == 0 {
		many = 3000 // more than a change has
	}
	for range many {
		text, args := "INSERT INTO notes (text, number) VALUES (?, ?)", []any{string(bytes.Repeat([]byte{byte('a' + r.IntN(26))}, r.IntN(3000))), r.Int64()}
		if r.IntN(3) == 0 {
			text, args = "DELETE FROM notes WHERE id IN (SELECT id FROM notes WHERE number > ? ORDER BY number LIMIT ?)", []any{r.Int64(), r.IntN(20)}
		}
		if _, err := tx.ExecContext(ctx, text, args...); err != nil {
			return err
		}
	}
	if r.IntN(5) == 0 {
		return nil
	}
	return tx.Commit()
}

// image is a database that is made of what a follower gives.
type image struct {
	pages map[uint32][]byte
	size  uint32
}

func (i *image) add(c wal.Change) error {
	for number, page := range c.Pages {
		i.pages[number] = bytes.Clone(page)
	}
	i.size = c.Size
	return nil
}

func (i *image) bytes() (all []byte) {
	for number := range i.size {
		all = append(all, i.pages[number+1]...)
	}
	return all
}

// The copy of a follower equals the database byte for byte after each of many writers was
// killed, which wrote, rolled back, compacted and moved the log at random; and the log does
// not grow for ever.
func TestFollower(t *testing.T) {
	t.Parallel()
	if *seed == 0 {
		*seed = rand.Uint64()
	}
	t.Logf("-wal-seed %d", *seed)
	r := rand.New(rand.NewPCG(*seed, 2))
	file := filepath.Join(t.TempDir(), "a.db")
	db := open(file)
	if _, err := db.Exec("CREATE TABLE notes (id integer PRIMARY KEY, text text, number integer); CREATE INDEX notes_number ON notes (number)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	f, err := wal.Follow(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	made := &image{pages: map[uint32][]byte{}}
	longest := int64(0)
	for round := range *rounds {
		writer := exec.Command(os.Args[0])
		writer.Env = append(os.Environ(), writerFile+"="+file, fmt.Sprintf("%s_SEED=%d", writerFile, r.Uint64()))
		writer.Stderr = os.Stderr
		out, err := writer.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := writer.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 5)); err != nil {
			t.Fatal(err)
		}
		if round == 0 {
			// The first copy is made while there are writes; what follows makes it whole.
			var base bytes.Buffer
			if err := f.Copy(t.Context(), &base); err != nil {
				t.Fatal(err)
			}
			for n := 0; base.Len() > 0; n++ {
				made.pages[uint32(n+1)] = bytes.Clone(base.Next(4096))
			}
		}
		for range 1 + r.IntN(20) {
			if _, err := f.Next(t.Context(), made.add); err != nil {
				t.Fatal(err)
			}
			if info, err := os.Stat(file + "-wal"); err == nil {
				longest = max(longest, info.Size())
			}
		}
		_ = writer.Process.Kill()
		_ = writer.Wait()
		if _, err := f.Next(t.Context(), made.add); err != nil {
			t.Fatal(err)
		}
		var now bytes.Buffer
		if err := f.Copy(t.Context(), &now); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(now.Bytes(), made.bytes()) {
			t.Fatalf("round %d: what was followed is not the database", round)
		}
		sound(t, now.Bytes())
	}
	t.Logf("%d pages in the end, the log had at most %d KiB", made.size, longest>>10)
}

func sound(t *testing.T, all []byte) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "b.db")
	if err := os.WriteFile(file, all, 0o600); err != nil {
		t.Fatal(err)
	}
	db := open(file)
	defer db.Close()
	var found string
	if err := db.QueryRow("PRAGMA integrity_check(1)").Scan(&found); err != nil || found != "ok" {
		t.Fatal(found, err)
	}
}

// A file that takes the place of the one that is followed is a gap, not a change.
func TestAnotherFileIsAGap(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	a, b := filepath.Join(dir, "a.db"), filepath.Join(dir, "b.db")
	for _, file := range []string{a, b} {
		db := open(file)
		if _, err := db.Exec("CREATE TABLE notes (id integer PRIMARY KEY)"); err != nil {
			t.Fatal(err)
		}
		db.Close()
	}
	f, err := wal.Follow(t.Context(), a)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := os.Rename(b, a); err != nil {
		t.Fatal(err)
	}
	if _, err := f.Next(t.Context(), nil); !errors.Is(err, wal.ErrGap) {
		t.Error(err)
	}
}
