package jobs

import (
	"context"
	"errors"
	"fmt"
	"regexp"

	"github.com/entwine-go/entwine/kit/internal/removal"
	"github.com/entwine-go/entwine/kit/store"
	"github.com/entwine-go/entwine/kit/store/statement"
)

// recount is the job that takes a row's dependents from the counts of others once the
// row is deleted softly, and adds them again once it is restored. The database makes
// it with the deletion, and counts (doc/schema/counts.md). Once a row is to be removed for
// good that much refers to, it removes that, and then the row (doc/schema/deletion.md).
type recount struct {
	// Keepers is the table of the row, and Keeper its id.
	Keepers string `json:"keepers"`
	Keeper  int64  `json:"keeper"`
}

// Kind names the work.
func (recount) Kind() string { return "recount" }

// RunsAs is the system: a count includes rows that some callers can't read.
func (recount) RunsAs() As { return AsSystem }

// NewRecount returns the kind of the jobs that count anew what follows from a deletion
// or a restoration.
func NewRecount(db *store.DB) Kind {
	return Handle(HandlerFunc[recount](func(ctx context.Context, job *Job[recount]) error {
		return job.Args.work(ctx, db, job.Claim)
	}))
}

var (
	// A relation of the keeper takes a batch: a trigger of the database does. Batches of
	// two relations in one transaction would lock rows of one table twice, each in the
	// order of their ids, and wait for a writer that locks in the order of all.
	stepText = statement.Of(`UPDATE recounts SET steps = steps + 1 WHERE keepers = $1 AND keeper = $2
		AND relation = (SELECT MIN(relation) FROM recounts WHERE keepers = $1 AND keeper = $2 AND relation <> 'with_')`)
	leftText    = statement.Of(`SELECT COUNT(*) FROM recounts WHERE keepers = $1 AND keeper = $2`)
	removedText = statement.Of(`SELECT COUNT(*) FROM recounts WHERE keepers = $1 AND keeper = $2 AND relation = 'with_'`)
	ownText     = statement.Of(`SELECT id FROM jobs WHERE id = $1 FOR UPDATE`)
	tableName   = regexp.MustCompile(`^[a-z][a-z0-9_]*$`)
	errMoreLeft = errors.New("the row was restored or deleted meanwhile")
)

// work counts until nothing is left. Finished counts stay when it is ended: the next
// attempt goes on from there.
func (r recount) work(ctx context.Context, db *store.DB, job *Claim) error {
	if !tableName.MatchString(r.Keepers) {
		return Permanent(fmt.Errorf("%q is no table", r.Keepers))
	}
	lock := statement.Of(`SELECT id FROM "` + r.Keepers + `" WHERE id = $1 FOR UPDATE`)
	for {
		n, err := r.step(ctx, db, lock)
		if err != nil {
			return err
		}
		if n > 0 {
			continue
		}
		if err := r.remove(ctx, db); err != nil {
			return err
		}
		if err = job.Complete(ctx, func(ctx context.Context) error { return r.done(ctx, db, job.ID) }); !errors.Is(err, errMoreLeft) {
			return err
		}
	}
}

// step is one transaction: a writer that adds a dependent of the row has committed
// before it, or waits for it. Steps of one table's rows take turns, since each locks its row first
// and then others in order, and two rows may count each other.
func (r recount) step(ctx context.Context, db *store.DB, lock statement.Statement) (n int64, err error) {
	err = db.InTx(ctx, func(ctx context.Context) error {
		if err := db.Lock(ctx, "recount "+r.Keepers); err != nil {
			return err
		}
		var id int64
		if _, err := lock.Row(ctx, db, []any{&id}, r.Keeper); err != nil {
			return fmt.Errorf("lock %d of %s: %w", r.Keeper, r.Keepers, err)
		}
		if n, err = stepText.Exec(ctx, db, r.Keepers, r.Keeper); err != nil {
			return fmt.Errorf("count what is of %d of %s: %w", r.Keeper, r.Keepers, err)
		}
		return nil
	})
	return n, err
}

// remove removes the row, if it is to be, after all that refers to it. By then nothing is
// left to count: the triggers of what goes leave the counts alone.
func (r recount) remove(ctx context.Context, db *store.DB) error {
	var removed int64
	if _, err := removedText.Row(ctx, db, []any{&removed}, r.Keepers, r.Keeper); err != nil || removed == 0 {
		return err
	}
	turn := func(ctx context.Context) error { return db.Lock(ctx, "recount "+r.Keepers) }
	if err := removal.Of(db).Clear(ctx, r.Keepers, r.Keeper, turn); err != nil {
		return err
	}
	row := statement.Of(`DELETE FROM "` + r.Keepers + `" WHERE id = $1 AND deleted_with = 0`)
	return db.InTx(ctx, func(ctx context.Context) error {
		if err := turn(ctx); err != nil {
			return err
		}
		if _, err := row.Exec(ctx, db, r.Keeper); err != nil {
			return fmt.Errorf("remove %d of %s: %w", r.Keeper, r.Keepers, err)
		}
		return nil
	})
}

// done returns errMoreLeft where something is left to count. It locks the job's own row
// before it looks, as a deletion or restoration does that leaves it more to count.
func (r recount) done(ctx context.Context, db *store.DB, job int64) error {
	var id, left int64
	if _, err := ownText.Row(ctx, db, []any{&id}, job); err != nil {
		return err
	}
	if _, err := leftText.Row(ctx, db, []any{&left}, r.Keepers, r.Keeper); err != nil {
		return err
	}
	if left > 0 {
		return errMoreLeft
	}
	return nil
}
